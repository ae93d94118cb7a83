/* Three signals in a ring, and three threads: the observer of each signal sends to the next one. */
#define THREADS 3
#define GATES 3
#define LEVELS 2
#define EVENTS 8
inline PROGRAM() {
  if
  :: pc == 0 -> call = send; target = t - 1; thing = t
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] <= 3 && calls[l] == 0 -> call = send; target = (G + 1) % 3; thing = cur[l] + 3
  :: else
  fi
}
inline AT_END() { assert(fate[4] == 2 && fate[5] == 2 && fate[6] == 2) }
