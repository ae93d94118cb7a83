/* A set of what two combinations follow from: the second is offered while the observer of the first is called. Another
 * thread has an event for the second. The observers have events for both. */
/* Finds: NOT_TAKEN_BACK DELIVERS_WHAT_OTHERS_TOOK ADDS_WITHOUT_LOCK */
#ifdef LONG
#define THREADS 3
#else
#define THREADS 2
#endif
#define GATES 2
#define LEVELS 4
#define EVENTS 10
#define OFFERS 1
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = offer; target = 0; thing = 1
  :: t == 1 && pc == 1 -> call = send; target = 1; thing = 2
  :: t == 1 && pc == 2 -> call = begin; target = 0; thing = 1
  :: t == 2 && pc == 0 -> call = addAndWait; target = 0; thing = 3
#ifdef LONG
  :: t == 3 && pc == 0 -> call = post; target = 0; thing = 7
#endif
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 1 && calls[l] == 0 -> call = addAndWait; target = 1; thing = 6
  :: cur[l] == 2 && calls[l] == 0 -> call = addAndWait; target = 0; thing = 4
  :: cur[l] == 3 && calls[l] == 0 -> call = addAndWait; target = 1; thing = 5
  :: else
  fi
}
inline AT_END() { skip }
