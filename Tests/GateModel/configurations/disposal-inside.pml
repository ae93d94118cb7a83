/* An observer disposes of another one during a delivery, which takes effect at once, as the receivers are not only
   closures for values. A second thread disposes too, a third sends. */
#define THREADS 3
#define GATES 1
#define LEVELS 2
#define EVENTS 8
#define HAS_OBSERVATION 1
#define VALUES_ONLY 0
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = send; target = 0; thing = 1
  :: t == 1 && pc == 1 -> call = send; target = 0; thing = 2
  :: t == 2 && pc == 0 -> call = send; target = 0; thing = 3
  :: t == 3 && pc == 0 -> call = dispose; target = 0
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 2 && calls[l] == 0 -> call = dispose; target = 0
  :: cur[l] == 1 && calls[l] == 0 -> call = send; target = 0; thing = 4
  :: else
  fi
}
inline AT_END() { assert(!hasObservation[0] && fate[4] == 2) }
