/* Two signals feed each other. A third thread ends one of them, and a fourth gives it up: one terminal event. */
#ifdef LONG
#define THREADS 4
#else
#define THREADS 3
#endif
#define GATES 2
#define LEVELS 2
#define EVENTS 8
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = send; target = 0; thing = 1
  :: t == 2 && pc == 0 -> call = send; target = 1; thing = 2
  :: t == 3 && pc == 0 -> call = sendEnd; target = 0; thing = ENDING
#ifdef LONG
  :: t == 4 && pc == 0 -> call = interrupt; target = 0
#else
  :: t == 2 && pc == 1 -> call = interrupt; target = 0
#endif
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 1 && calls[l] == 0 -> call = send; target = 1; thing = 3
  :: cur[l] == 2 && calls[l] == 0 -> call = send; target = 0; thing = 4
  :: else
  fi
}
inline AT_END() { assert(terminated[0] && hasEnded[0] && !terminated[1]) }
