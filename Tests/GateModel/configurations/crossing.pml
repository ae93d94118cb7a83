/* Two signals that feed each other, from two threads, with a send from inside. A third thread sends as well. */
/* Finds: NO_SEARCH STAYS_REGISTERED GIVE_UP NO_LOCK_ON_LEAVING */
#define THREADS 3
#define GATES 2
#define LEVELS 3
#define EVENTS 9
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = send; target = 0; thing = 1
  :: t == 2 && pc == 0 -> call = send; target = 1; thing = 2
  :: t == 3 && pc == 0 -> call = send; target = 0; thing = 6
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 1 && calls[l] == 0 -> call = send; target = 1; thing = 3
  :: cur[l] == 1 && calls[l] == 1 -> call = send; target = 0; thing = 5
  :: cur[l] == 2 && calls[l] == 0 -> call = send; target = 0; thing = 4
  :: else
  fi
}
inline AT_END() { skip }
