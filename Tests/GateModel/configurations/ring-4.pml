/* Four signals in a ring, and four threads: the observer of each signal sends to the next one. */
/* Long. */
#define THREADS 4
#define GATES 4
#define LEVELS 2
#define EVENTS 10
#define ROOM 2
inline PROGRAM() {
  if
  :: pc == 0 -> call = send; target = t - 1; thing = t
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] <= 4 && calls[l] == 0 -> call = send; target = (G + 1) % 4; thing = cur[l] + 4
  :: else
  fi
}
inline AT_END() { assert(fate[5] == 2 && fate[6] == 2 && fate[7] == 2 && fate[8] == 2) }
