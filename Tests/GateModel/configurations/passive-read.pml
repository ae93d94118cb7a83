/* An observer of `interrupted` reads a property, while a thread that has the property's gate sends the other way.
   That thread hands its event over to an owner that leaves passively. */
/* Finds: NO_DRAIN_AFTER_HAND_OVER */
#define THREADS 2
#define GATES 2
#define LEVELS 3
#define EVENTS 9
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = interrupt; target = 0
  :: t == 2 && pc == 0 -> call = send; target = 1; thing = 1
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == INTERRUPTION + 1 && calls[l] == 0 -> call = read; target = 1
  :: cur[l] == 1 && calls[l] == 0 -> call = send; target = 0; thing = 2
  :: else
  fi
}
inline AT_END() { skip }
