/* An observer sends to its own signal and then disposes of another observer: the delivery learns it from the inbox. */
/* Finds: NO_FLAG_IN_BATCH */
#define THREADS 3
#define GATES 1
#define LEVELS 2
#define EVENTS 8
#define HAS_OBSERVATION 1
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = send; target = 0; thing = 1
  :: t == 2 && pc == 0 -> call = post; target = 0; thing = 2
  :: t == 3 && pc == 0 -> call = post; target = 0; thing = 3
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 1 && calls[l] == 0 -> call = send; target = 0; thing = 4
  :: cur[l] == 1 && calls[l] == 1 -> call = dispose; target = 0
  :: else
  fi
}
inline AT_END() { assert(!hasObservation[0]) }
