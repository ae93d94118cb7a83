/* Observers come after the end of a signal whose gate another one still uses: they are interrupted at once. */
#ifdef LONG
#define THREADS 3
#else
#define THREADS 2
#endif
#define GATES 2
#define LEVELS 2
#define EVENTS 8
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = sendEnd; target = 0; thing = ENDING
  :: t == 1 && pc == 1 -> call = observe; target = 0
  :: t == 2 && pc == 0 -> call = post; target = 0; thing = 1
  :: t == 2 && pc == 1 -> call = send; target = 1; thing = 2
#ifdef LONG
  :: t == 3 && pc == 0 -> call = send; target = 0; thing = 3
#endif
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 2 && calls[l] == 0 -> call = observe; target = 0
  :: cur[l] == ENDING && calls[l] == 0 -> call = send; target = 1; thing = 4
  :: cur[l] == ENDING && calls[l] == 1 -> call = send; target = 0; thing = 5
  :: else
  fi
}
inline AT_END() { assert(terminated[0]) }
