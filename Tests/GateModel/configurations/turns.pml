/* What properties do: add under a lock of their own, settle, and wait for the turn; read; and enter only if free. */
#ifdef LONG
#define THREADS 3
#else
#define THREADS 2
#endif
#define GATES 2
#define LEVELS 3
#define EVENTS 10
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = addAndWait; target = 0; thing = 1
  :: t == 2 && pc == 0 -> call = addAndWait; target = 1; thing = 3
#ifdef LONG
  :: t == 3 && pc == 0 -> call = sendIfFree; target = 0; thing = 4
#endif
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 1 && calls[l] == 0 -> call = addAndWait; target = 1; thing = 5
  :: cur[l] == 1 && calls[l] == 1 -> call = addAndWait; target = 0; thing = 6
  :: cur[l] == 3 && calls[l] == 0 -> call = addAndWait; target = 0; thing = 7
#ifdef LONG
  :: cur[l] == 4 && calls[l] == 0 -> call = read; target = 1
#endif
  :: else
  fi
}
inline AT_END() { skip }
