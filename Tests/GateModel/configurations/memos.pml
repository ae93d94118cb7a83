/* A thread that computes a memo sends to a signal whose observer asks for the memo. A third thread asks for it, too. */
/* Finds: NO_HAND_OVER */
#define THREADS 3
#define GATES 2
#define MEMOS 1
#define LEVELS 4
#define EVENTS 8
inline PROGRAM() {
  if
  :: t == 1 && pc == 0 -> call = evaluate; target = GATES
  :: t == 2 && pc == 0 -> call = send; target = 0; thing = 1
  :: t == 3 && pc == 0 -> call = send; target = 1; thing = 2
  :: else
  fi
}
inline OBSERVER() {
  if
  :: kind[l] == evaluate && calls[l] == 0 -> call = send; target = 0; thing = 3 + 2 * (t > 1) + (t > 2)
  :: kind[l] != evaluate && cur[l] == 1 && calls[l] == 0 -> call = send; target = 1; thing = 4
  :: kind[l] != evaluate && cur[l] == 2 && calls[l] == 0 -> call = evaluate; target = GATES
  :: else
  fi
}
inline AT_END() { assert(word[GATES] == EVALUATED) }
