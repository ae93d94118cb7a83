/* A signal for which nobody waits, fed by a signal for which threads wait, and the other way. */
/* Finds: NO_SETTLE FLAG_BEFORE_PUSH CLEAR_AFTER_TAKING */
#define THREADS 3
#define GATES 2
#define LEVELS 3
#define EVENTS 9
#define NEVER_WAIT(gate) ((gate) == 1)
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = send; target = 0; thing = 1
  :: t == 2 && pc == 0 -> call = send; target = 1; thing = 2
#ifdef LONG
  :: t == 2 && pc == 1 -> call = send; target = 1; thing = 6
#endif
  :: t == 3 && pc == 0 -> call = send; target = 1; thing = 7
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 1 && calls[l] == 0 -> call = send; target = 1; thing = 3
#ifdef LONG
  :: cur[l] == 1 && calls[l] == 1 -> call = send; target = 0; thing = 5
#endif
  :: cur[l] == 2 && calls[l] == 0 -> call = send; target = 0; thing = 4
  :: else
  fi
}
inline AT_END() { skip }
