/* A thread interrupts a signal, whose observer sends on, in a passive section, to a signal to
   which another thread sends: what it pushes meanwhile is performed by another thread. */
/* Finds: NO_INBOX_ON_ENTRY PERFORMS_OTHERS PUT_BACK_WITHOUT_FLAG */
#define THREADS 2
#define GATES 2
#define LEVELS 3
#define EVENTS 12
#ifdef LONG
#define DRAINS 2
#endif
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = interrupt; target = 0
  :: t == 2 && pc == 0 -> call = post; target = 1; thing = 1
  :: t == 2 && pc == 1 -> call = send; target = 1; thing = 2
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == INTERRUPTION + 1 && calls[l] == 0 -> call = send; target = 1; thing = 4
  :: cur[l] == INTERRUPTION + 1 && calls[l] == 1 -> call = send; target = 1; thing = 5
  :: cur[l] == 4 && calls[l] == 0 -> call = send; target = 1; thing = 6
  :: cur[l] == 4 && calls[l] == 1 -> call = post; target = 1; thing = 7
  :: else
  fi
}
inline AT_END() { assert(fate[4] == 2 && fate[5] == 2 && fate[6] == 2 && fate[7] == 2) }
