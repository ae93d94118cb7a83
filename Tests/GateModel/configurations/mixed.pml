/* A late observer, and an interruption and a terminal event whose observers read and send. */
/* Long. */
#define THREADS 3
#define GATES 2
#define LEVELS 3
#define EVENTS 12
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = sendEnd; target = 0; thing = ENDING
  :: t == 1 && pc == 1 -> call = observe; target = 0
  :: t == 2 && pc == 0 -> call = send; target = 1; thing = 1
  :: t == 3 && pc == 0 -> call = interrupt; target = 1
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 1 && calls[l] == 0 -> call = observe; target = 0
  :: cur[l] == INTERRUPTION + 3 && calls[l] == 0 -> call = read; target = 0
  :: cur[l] == INTERRUPTION + 3 && calls[l] == 1 -> call = send; target = 0; thing = 3
  :: cur[l] == ENDING && calls[l] == 0 -> call = send; target = 1; thing = 2
  :: cur[l] == ENDING && calls[l] == 1 -> call = read; target = 1
  :: else
  fi
}
inline AT_END() { skip }
