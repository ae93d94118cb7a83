/* A thread makes the owner of a gate check its inbox, beside a sender and an interruption. */
/* Finds: ALERT_WITHOUT_OWNER */
#define THREADS 3
#define GATES 1
#define LEVELS 2
#define EVENTS 4
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = send; target = 0; thing = 1
  :: t == 1 && pc == 1 -> call = post; target = 0; thing = 2
  :: t == 2 && pc == 0 -> call = alert; target = 0
  :: t == 2 && pc == 1 -> call = alert; target = 0
  :: t == 3 && pc == 0 -> call = interrupt; target = 0
  :: else
  fi
}
inline OBSERVER() { skip }
inline AT_END() { assert(terminated[0]) }
