/* A thread observes and disposes while another one sends and ends the signal: additions through the inbox, and
   disposals before the addition. */
#define THREADS 3
#define GATES 2
#define LEVELS 3
#define EVENTS 8
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = send; target = 0; thing = 1
  :: t == 1 && pc == 1 -> call = sendEnd; target = 0; thing = ENDING
  :: t == 2 && pc == 0 -> call = observe; target = 0
  :: t == 2 && pc == 1 -> call = dispose; target = 0
  :: t == 3 && pc == 0 -> call = send; target = 1; thing = 3
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 1 && calls[l] == 0 -> call = send; target = 1; thing = 2
#ifdef LONG
  :: cur[l] == 3 && calls[l] == 0 -> call = send; target = 0; thing = 4
  :: cur[l] == ENDING && calls[l] == 0 -> call = send; target = 0; thing = 5
#endif
  :: else
  fi
}
inline AT_END() { assert(terminated[0] && !hasObservation[0]) }
