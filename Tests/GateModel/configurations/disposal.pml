/* A third thread disposes of an observation while two signals feed each other. All receivers are closures for
   values. */
/* Finds: NO_LOOK_AT_FLAG NO_DISPOSED_BIT */
#define THREADS 3
#define GATES 2
#define LEVELS 3
#define EVENTS 8
#define HAS_OBSERVATION (k == 0)
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = send; target = 0; thing = 1
  :: t == 2 && pc == 0 -> call = send; target = 1; thing = 2
  :: t == 3 && pc == 0 -> call = dispose; target = 0
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
inline AT_END() { assert(!hasObservation[0]) }
