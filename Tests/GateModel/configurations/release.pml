/* The `deinit` of what a disposal removed sends to the same signal and to another one. */
#define THREADS 3
#define GATES 2
#define LEVELS 3
#define EVENTS 10
#define HAS_OBSERVATION (k == 0)
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = send; target = 0; thing = 1
  :: t == 2 && pc == 0 -> call = send; target = 1; thing = 2
  :: t == 3 && pc == 0 -> call = dispose; target = 0
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
/* What the `deinit` does. */
#define ON_RELEASE DEINIT
inline DEINIT() {
  if
  :: G == 0 && calls[l] == 0 -> call = send; target = 0; thing = 5
  :: G == 0 && calls[l] == 1 -> call = send; target = 1; thing = 6
  :: else
  fi
}
inline AT_END() { assert(fate[5] == 2 && fate[6] == 2) }
