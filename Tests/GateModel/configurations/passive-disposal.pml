/* Disposals and an interruption find the gate taken by each other, and by a thread that only pushes. */
/* Finds: NO_DRAIN */
#define THREADS 3
#define GATES 1
#define LEVELS 2
#define EVENTS 8
#define HAS_OBSERVATION 1
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = dispose; target = 0
  :: t == 2 && pc == 0 -> call = interrupt; target = 0
  :: t == 3 && pc == 0 -> call = post; target = 0; thing = 1
#ifdef LONG
  :: t == 3 && pc == 1 -> call = post; target = 0; thing = 2
#endif
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 1 && calls[l] == 0 -> call = dispose; target = 0
  :: else
  fi
}
inline AT_END() { assert(terminated[0] && !hasObservation[0]) }
