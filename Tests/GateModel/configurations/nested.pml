/* An observer sends twice to its own signal, and an event of these sends to another signal. Two threads send two events
   each, and the model checks the order of each sender. */
#define THREADS 3
#define GATES 2
#define LEVELS 3
#define EVENTS 12
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = send; target = 0; thing = 1
  :: t == 1 && pc == 1 -> call = send; target = 0; thing = 2
  :: t == 2 && pc == 0 -> call = send; target = 0; thing = 3
  :: t == 2 && pc == 1 -> call = send; target = 0; thing = 4
  :: t == 3 && pc == 0 -> call = send; target = 1; thing = 5
  :: else
  fi
}
inline OBSERVER() {
  if
  :: cur[l] == 1 && calls[l] == 0 -> call = send; target = 0; thing = 6
  :: cur[l] == 1 && calls[l] == 1 -> call = send; target = 0; thing = 7
  :: cur[l] == 6 && calls[l] == 0 -> call = send; target = 1; thing = 8
  :: cur[l] == 5 && calls[l] == 0 -> call = send; target = 0; thing = 9
  :: cur[l] == 5 && calls[l] == 1 -> call = send; target = 0; thing = 10
  :: else
  fi
}
inline AT_END() { assert(fate[6] == 2 && fate[7] == 2 && fate[8] == 2 && fate[9] == 2 && fate[10] == 2) }
