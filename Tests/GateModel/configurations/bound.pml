/* Two threads send to a signal for which nobody waits. One of them may stop performing what the other one has sent, and
   leave it to a drain, but not before it has performed what an observer of its own event sends. */
/* Finds: STOPS_THOUGH_OWING */
#define THREADS 2
#define GATES 1
#define LEVELS 2
#define EVENTS 6
#define NEVER_WAIT(gate) 1
#ifdef LONG
#define STOPS 2
#else
#define STOPS 1
#endif
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = send; target = 0; thing = 1
  :: t == 2 && pc == 0 -> call = send; target = 0; thing = 2
#ifdef LONG
  :: t == 2 && pc == 1 -> call = send; target = 0; thing = 4
#endif
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 1 && calls[l] == 0 -> call = send; target = 0; thing = 3
  :: else
  fi
}
inline AT_END() { assert(fate[3] == 2) }
