/* Four threads send to one signal, the first of them twice. Several wait at the same time. */
/* Finds: NO_WAKE_UP OTHERS_FORGOTTEN NO_LOOK_IN_ROOM PLAIN_STORE */
#ifdef LONG
#define THREADS 4
#else
#define THREADS 3
#endif
#define GATES 1
#define LEVELS 2
#define EVENTS 7
inline PROGRAM() {
  if
  :: pc == 0 -> call = send; target = 0; thing = t
  :: t == 1 && pc == 1 -> call = send; target = 0; thing = 5
  :: else
  fi
}
inline OBSERVER() { skip }
inline AT_END() { assert(fate[1] + fate[2] + fate[3] + fate[5] == 8) }
