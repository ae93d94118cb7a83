/* The gate as a Promela model. README.md says what is modeled and maps each step to the Swift code.
 *
 * Each labeled `atomic` block makes at most one access to memory that other threads use at the same time. What only the
 * owner of a gate touches, or only the thread that holds the waiting room's lock, is part of the step before or after.
 * The model checker interleaves these steps in every order, under sequential consistency.
 *
 * A configuration defines the threads, the gates and what the threads do. A switch FAULT_... makes one mistake.
 */
#define ALL (THREADS + DRAINS)
#define AWAITED (GATES + MEMOS)

/* The word. A thread's identity is its number times 16, so that four bits are left for the flags. */
#define INBOX 1
#define WAITERS 2
#define RELEASES 4
#define OFFERED 8
#define EVALUATED 2         /* In the word of a memo, whose flag for waiters is 1. */
#define OWNER(w) ((w) & 240)
#define ME (t << 4)
#define G g[l]
#define WORD word[g[l]]
#define MINE (OWNER(WORD) == ME)

/* Operations: events are 1 to EVENTS - 1, and EVENTS - 1 is terminal. */
#define ENDING (EVENTS - 1)
#define INTERRUPTION 40     /* Plus the number of the thread that pushed it. */
#define OBSERVATION 56
#define OWN 64              /* The bit `isPushedByOwner`. */
#define PLAIN(operation) ((operation) & 63)

/* Calls, and why a thread enters a gate. */
mtype = { send, sendEnd, sendIfFree, post, addAndWait, dispose, observe, interrupt, read, drain, evaluate, alert,
          offer, begin, act, settling, turn, takingOver };

#include "configuration.pml"

#ifndef DRAINS
#define DRAINS 1            /* Threads that run what `leaveInbox` leaves. */
#endif
#ifndef MEMOS
#define MEMOS 0
#endif
#ifndef ROOM
#define ROOM 5              /* Operations that fit into an inbox. The model fails if one more comes. */
#endif
#ifndef NEVER_WAIT
#define NEVER_WAIT(gate) 0  /* Whether the gate is `.enqueue`. */
#endif
#ifndef HAS_OBSERVATION
#define HAS_OBSERVATION 0   /* Whether each gate has an observation, the second receiver, from the beginning. */
#endif
#ifndef STOPS
#define STOPS 0             /* How often a thread may stop performing what others have pushed. */
#endif
#ifndef OFFERS
#define OFFERS 0            /* Whether a thread offers a gate. */
#endif
#ifndef VALUES_ONLY
#define VALUES_ONLY 1       /* Whether all receivers are closures for values: `hasOnlyValueReceivers`. */
#endif

byte word[AWAITED];
byte inbox[GATES * ROOM];       byte inboxCount[GATES];
/* Owner only. What is left of the batch when a thread leaves is `rest`. */
byte batch[GATES * ROOM];       byte batchCount[GATES];
bit isFlagged[GATES];
byte owed[GATES];
bit actsForOthers[GATES];
bit releases[GATES];
bit isLocked[GATES];            /* The lock of the property's domain: events are added, and the gate is offered, under it. */
byte outgoing[GATES];           /* The event for which the thread that offers the gate has entered it. */
bit hasReceiver[GATES];         /* The first receiver, which is never disposed of and makes nested calls. */
bit hasObservation[GATES];      /* The second one, in place. */
/* Shared flags. */
bit terminated[GATES];
bit isDisposed[GATES];          /* `Observation.disposedBit` */
bit isAdding[GATES];            /* `Observation.addingBit` */
byte drains[4];                 /* Drains that were scheduled. */
/* The waiting room; guarded by `room`, which is the number of the thread that holds the lock. */
byte room;
byte waitsFor[ALL + 1];         /* The awaited gate or memo plus 1; 0 for a thread that is not registered. */
byte queue[AWAITED * ALL];      byte queueCount[AWAITED];
bit isWoken[ALL + 1];
bit mustHandOver[ALL + 1];
bit mayStop[ALL + 1];           /* `Waiter.stopsIfOffered` */
bit isAsleep[ALL + 1];          /* In `pthread_cond_wait`; the signal clears it. */

/* For the properties. */
byte fate[EVENTS];              /* 0: not sent; 1: sent; 2: handled. */
/* The event that the same thread has sent to the same gate before, if it has not been handled. */
byte before[EVENTS];
/* The last event of each thread to each gate that had not been handled when its send returned. */
byte latest[(ALL + 1) * GATES];
bit isDelivering[GATES];
bit hasEnded[GATES];            /* The receivers have got the terminal event. */
bit isDisposalOver[GATES];      /* The first call of `dispose()` has returned. */
bit isObservationQueued[GATES];
/* For an event that a thread has sent from inside a delivery of its own: the thread and the gate. */
byte sentInside[EVENTS];
byte running = THREADS;
byte stops;

/* The register of the waiting room. */
inline REGISTER(target) {
  if
  :: waitsFor[t] == 0 -> waitsFor[t] = target + 1; queue[target * ALL + queueCount[target]] = t; queueCount[target]++
  :: else
  fi
}
inline UNREGISTER() {
  if
  :: waitsFor[t] != 0 ->
     x = waitsFor[t] - 1; waitsFor[t] = 0; i = 0;
     do :: queue[x * ALL + i] != t -> i++ :: else -> break od;
     do :: i + 1 < queueCount[x] -> queue[x * ALL + i] = queue[x * ALL + i + 1]; i++ :: else -> break od;
     queueCount[x]--; queue[x * ALL + queueCount[x]] = 0; i = 0; x = 0
  :: else
  fi;
  isWoken[t] = 0; mustHandOver[t] = 0
}
/* Takes the inbox: `inbox.exchange(0)`, and the operations in order of arrival behind those of the batch. */
inline TAKE() {
  i = 0;
  do
  :: i < inboxCount[G] ->
     assert(batchCount[G] < ROOM);
     batch[G * ROOM + batchCount[G]] = inbox[G * ROOM + i]; batchCount[G]++;
     inbox[G * ROOM + i] = 0; i++
  :: else -> break
  od;
  inboxCount[G] = 0; i = 0
}
/* Whether and how a thread may wait: the beginning of `enterSlowly`. */
inline CLASSIFY() {
  isPassive = (why[l] == settling || kind[l] == read || why[l] == turn -> isInSection && kind[l] != read
               : isInSection || kind[l] == dispose || kind[l] == observe || kind[l] == interrupt);
  maySleep = why[l] != settling && !NEVER_WAIT(G) &&
             (kind[l] == read ||
              (!isInSection && (kind[l] == send || kind[l] == sendEnd || why[l] == turn)));
  isExcused[l] = isInSection || NEVER_WAIT(G) || kind[l] == sendIfFree
}
/* Whether a thread waits no longer if the gate is offered. */
#define STOPS_IF_OFFERED (OFFERS && why[l] == turn && !isInSection)
/* Lets the other threads that stop waiting when the gate is offered check it again. */
inline WAKE_OTHERS() {
  i = 0;
  do
  :: i < queueCount[G] ->
     if
     :: queue[G * ALL + i] != t && mayStop[queue[G * ALL + i]] ->
        isWoken[queue[G * ALL + i]] = 1; isAsleep[queue[G * ALL + i]] = 0
     :: else
     fi;
     i++
  :: else -> break
  od;
  i = 0
}
#define HERE (1 + t * GATES + G)
/* Whether the first operation may exceed the number that a thread performs for others. */
#define MAY_STOP (stops < STOPS && !(batch[G * ROOM] & OWN) && owed[G] == 0 && \
                  (isLeaving[l] -> !leavesPassively[l] && kind[l] != drain : mayGiveUp[l]))
/* Whether a passive owner leaves the first operation to others. */
#define IS_OTHERS (isLeaving[l] && leavesPassively[l] && !(batch[G * ROOM] & OWN) && \
                   !(isPushed[l] && batch[G * ROOM] == item[l]))
/* Shows a step in a counterexample. */
#define SHOW printf("| thread %d, level %d, gate %d, item %d\n", t, l, g[l], item[l])

proctype Thread(byte t) {
  /* The calls that the thread is in: the first by the program, each further one by a receiver that is being called. */
  mtype kind[LEVELS];
  mtype why[LEVELS];
  byte g[LEVELS];               /* The gate, or GATES plus the number of a memo. */
  byte item[LEVELS];            /* The event, or the operation. */
  byte cur[LEVELS];             /* The operation that is being performed. */
  byte calls[LEVELS];           /* Calls that the receiver has made meanwhile. */
  byte seenOnExit[LEVELS];      /* `seen` in `leaveSlowly`. */
  bit isFromInbox[LEVELS];      /* Performed by `performInbox`. */
  bit isLeaving[LEVELS];        /* `performInbox` was called by `leaveSlowly`. */
  bit leavesPassively[LEVELS];
  bit isPushed[LEVELS];         /* `pushed` is the call's operation. */
  bit hasTaken[LEVELS];         /* `performInbox` has emptied the inbox. */
  bit mayGiveUp[LEVELS];        /* `mayLeave` in `performEarlierOperations`. */
  bit givesUp[LEVELS];          /* That leaves the gate, and returns false. */
  bit left[LEVELS];
  bit beganSection[LEVELS];
  bit isExcused[LEVELS];        /* The call may return before its event has been handled. */
  bit removed[LEVELS];          /* There is something to release after leaving. */
  bit isReleasing[LEVELS];
  /* The thread. */
  byte l = 0;
  byte pc = 0;
  bit isInSection = 0;          /* `PassiveSection.isCurrent` */
  bit isPassive; bit maySleep;  /* In `enterSlowly`. */
  byte seen;
  byte holder; byte hops; byte candidate; byte next;  /* In the search for cycles. */
  mtype call; byte target; byte thing;
  byte i; byte x;

Program:
  atomic {
    call = 0;
    if
    :: t <= THREADS ->
       PROGRAM(); pc++;
       if :: call == 0 -> running--; goto Finished :: else fi
    :: t > THREADS && drains[0] > 0 -> drains[0]--; call = drain; target = 0; running++
#if GATES > 1
    :: t > THREADS && drains[1] > 0 -> drains[1]--; call = drain; target = 1; running++
#endif
#if GATES > 2
    :: t > THREADS && drains[2] > 0 -> drains[2]--; call = drain; target = 2; running++
#endif
#if GATES > 3
    :: t > THREADS && drains[3] > 0 -> drains[3]--; call = drain; target = 3; running++
#endif
    :: t > THREADS && running == 0 && drains[0] + drains[1] + drains[2] + drains[3] == 0 -> goto Finished
    fi;
    goto Begin
  }

Begin:
  /* A call begins. No access to shared memory, except by a thread that takes back a gate that it has offered. */
  atomic {
    kind[l] = call; g[l] = target; item[l] = thing; why[l] = act;
    call = 0; target = 0; thing = 0;
    SHOW;
    if
    :: kind[l] == send || kind[l] == sendEnd || kind[l] == sendIfFree || kind[l] == post || kind[l] == addAndWait ||
       kind[l] == offer ->
       assert(fate[item[l]] == 0);
       fate[item[l]] = 1;
       x = latest[t * GATES + G];
       before[item[l]] = (x != 0 && fate[x] == 1 -> x : 0); x = 0
    :: kind[l] == interrupt -> item[l] = INTERRUPTION + t
    :: kind[l] == dispose || kind[l] == observe -> item[l] = OBSERVATION
    :: else
    fi;
#ifndef FAULT_NOT_TAKEN_BACK
    if
    :: OFFERS && kind[l] != begin && kind[l] != evaluate && OWNER(WORD) == ME && (WORD & OFFERED) ->
       WORD = WORD & ~OFFERED
    :: else
    fi;
#endif
    if
    :: kind[l] == offer -> goto Offer
    :: kind[l] == begin -> goto BeginOffered
    :: kind[l] == post -> goto Push
    :: kind[l] == addAndWait -> goto Add
    :: kind[l] == dispose -> goto Dispose
    :: kind[l] == interrupt -> goto Interrupt
    :: kind[l] == drain -> goto Settle
    :: kind[l] == evaluate -> goto TakeMemo
    :: kind[l] == alert -> goto Alert
    :: else -> goto Enter
    fi
  }

/* ---- Entering ---- */

Enter:
  atomic {
    SHOW;
    if
    :: WORD == 0 -> WORD = ME; goto Act
    :: else -> CLASSIFY(); goto Look
    fi
  }

Look:
  /* Looking again without a change is no step. The number of looks is not modeled: a thread may give up at any time. */
  atomic {
    SHOW;
    if
    :: MINE -> isExcused[l] = 1; goto NotEntered
    :: OWNER(WORD) == 0 ->
       if
       :: isPassive && !maySleep && WORD != 0 -> goto NotEntered
       :: else -> seen = WORD; goto LookSwap
       fi
    :: else ->
#ifdef FAULT_GIVE_UP
       goto NotEntered
#else
       if
       :: STOPS_IF_OFFERED && (WORD & OFFERED) -> goto NotEntered
       :: else -> if :: maySleep -> goto Wait :: else -> goto NotEntered fi
       fi
#endif
    fi
  }
LookSwap:
  atomic {
    SHOW;
    if
    :: WORD == seen -> WORD = seen | ME; seen = 0; goto Entered
    :: else ->
       seen = 0;
       if :: goto Look :: maySleep -> goto Wait :: !maySleep -> goto NotEntered fi
    fi
  }

Entered:
  /* The way out of `enterSlowly` with true. */
  atomic {
#ifdef FAULT_NO_INBOX_ON_ENTRY
    goto Act
#else
    mayGiveUp[l] = !maySleep; maySleep = 0;
    if
    :: isPassive -> isPassive = 0; mayGiveUp[l] = 0; goto Act
    :: else -> isLeaving[l] = 0; leavesPassively[l] = 0; goto ClearInbox
    fi
#endif
  }

NotEntered:
  atomic {
    isPassive = 0; maySleep = 0;
    if
    :: why[l] == settling -> goto Settled
    :: why[l] == turn -> goto Return
    :: why[l] == act && kind[l] == read -> assert(isExcused[l]); goto Return
    :: why[l] == act && kind[l] == dispose && MINE && !VALUES_ONLY -> goto RemoveInside
    :: why[l] == act && kind[l] == observe -> goto ObserveLate
    :: else ->
       if :: kind[l] == dispose && !isInSection -> isInSection = 1; beganSection[l] = 1 :: else fi;
       goto Push
    fi
  }

Act:
  /* The caller owns the gate, and what others pushed before has been performed unless it is passive. */
  atomic {
    assert(MINE);
    leavesPassively[l] = kind[l] == dispose || kind[l] == observe || kind[l] == interrupt || isInSection;
    if
    :: why[l] == settling -> goto Leave
    :: why[l] == turn -> assert(fate[item[l]] == 2); goto Leave
    :: why[l] == act && kind[l] == read -> goto Leave
    :: why[l] == act && kind[l] == dispose ->
       removed[l] = hasObservation[G]; hasObservation[G] = 0; goto Leave
    :: why[l] == act && kind[l] == observe ->
       if
       :: terminated[G] -> assert(!isDelivering[G]); goto Leave
       :: else -> hasObservation[G] = 1; goto Leave
       fi
    :: else -> cur[l] = item[l]; isFromInbox[l] = 0; goto Perform
    fi
  }

/* ---- The waiting room ---- */

Wait:
  atomic {
    room == 0 -> room = t;
    SHOW;
    assert(!isInSection || kind[l] == read);
    assert(kind[l] != dispose && kind[l] != interrupt);
    isWoken[t] = 1; mayStop[t] = STOPS_IF_OFFERED;
    REGISTER(G);
#ifdef FAULT_NO_LOOK_IN_ROOM
    WORD = WORD | WAITERS; isWoken[t] = 0; isAsleep[t] = 1; room = 0; goto Sleep
#else
    goto TryToEnter
#endif
  }
TryToEnter:
  atomic {
    seen = WORD;
    SHOW;
    if
    :: OWNER(seen) != 0 && (seen & WAITERS) ->
       seen = 0; holder = 0; next = G; hops = 0; candidate = 0; goto Search
    :: else -> goto TryToSwap
    fi
  }
TryToSwap:
  atomic {
    SHOW;
    if
    :: WORD == seen && OWNER(seen) == 0 ->
#ifdef FAULT_OTHERS_FORGOTTEN
       WORD = (seen & ~WAITERS) | ME;
#else
       WORD = (seen & ~WAITERS) | (queueCount[G] > 1 -> WAITERS : 0) | ME;
#endif
       seen = 0; UNREGISTER(); room = 0; goto Entered
    :: WORD == seen && OWNER(seen) != 0 ->
       WORD = seen | WAITERS; seen = 0; next = G; hops = 0; candidate = 0; goto Search
    :: else -> seen = 0; goto TryToEnter
    fi
  }

Search:
  /* One turn of the loop in `Register.cycle`: loads the holder of `next`. */
  atomic {
    holder = OWNER(word[next]) >> 4;
    SHOW;
#ifdef FAULT_NO_SEARCH
    goto SearchFailed;
#endif
    if
    :: holder == t -> goto SearchFound
    :: holder != t && (waitsFor[holder] == 0 || mustHandOver[holder] || hops > ALL) -> goto SearchFailed
    :: else ->
       next = waitsFor[holder] - 1; hops++;
       if :: candidate == 0 && next < GATES -> candidate = holder :: else fi;
       goto Search
    fi
  }
SearchFound:
  atomic {
    SHOW;
    holder = 0; hops = 0; next = 0;
    if
    :: kind[l] != evaluate ->
       candidate = 0;
#ifndef FAULT_STAYS_REGISTERED
       UNREGISTER();
#endif
       isExcused[l] = 1; room = 0; goto NotEntered
    :: kind[l] == evaluate ->
       assert(candidate != 0);
#ifndef FAULT_NO_HAND_OVER
       mustHandOver[candidate] = 1; isWoken[candidate] = 1; isAsleep[candidate] = 0;
#endif
       candidate = 0; isAsleep[t] = 1; room = 0; goto Sleep
    fi
  }
SearchFailed:
  atomic {
    SHOW;
    holder = 0; hops = 0; candidate = 0; next = 0;
    if
    :: kind[l] != evaluate && (mustHandOver[t] || STOPS_IF_OFFERED && (WORD & OFFERED)) ->
       if :: WORD & OFFERED -> WAKE_OTHERS() :: else fi;
       isExcused[l] = isExcused[l] || mustHandOver[t];
       UNREGISTER(); room = 0; goto NotEntered
    :: kind[l] != evaluate && !mustHandOver[t] && !STOPS_IF_OFFERED && (WORD & OFFERED) ->
       WAKE_OTHERS(); isWoken[t] = 0; isAsleep[t] = 1; room = 0; goto Sleep
    :: else -> isWoken[t] = 0; isAsleep[t] = 1; room = 0; goto Sleep
    fi
  }
Sleep:
  atomic {
    room == 0 && !isAsleep[t] -> room = t;
    SHOW;
    if
    :: kind[l] == evaluate -> goto AnnounceWaiter
    :: kind[l] != evaluate && isWoken[t] -> goto TryToEnter
    :: else -> isAsleep[t] = 1; room = 0; goto Sleep  /* unreachable, because the model has no spurious wake-ups */
    fi
  }

/* ---- Leaving ---- */

Leave:
  atomic {
    SHOW;
    assert(MINE);
#ifdef FAULT_PLAIN_STORE
    WORD = 0; goto Left;
#endif
    if
    :: WORD == ME -> WORD = 0; goto Left
    :: else -> isPushed[l] = 0; goto LeaveSlowly
    fi
  }
LeaveSlowly:
  atomic {
    seen = WORD;
    SHOW;
    left[l] = 0;
    if
    :: seen & INBOX ->
       seenOnExit[l] = seen; seen = 0; isLeaving[l] = 1; goto ClearInbox
    :: else -> goto LeaveWithoutInbox
    fi
  }
LeaveWithoutInbox:
  atomic {
    SHOW;
    if
    :: seen & RELEASES ->
       removed[l] = 1; releases[G] = 0; seen = 0;
       if
       :: !left[l] && WORD == (ME | RELEASES) -> WORD = 0; goto Left
       :: else -> goto ClearReleases
       fi
    :: !(seen & RELEASES) && (seen & WAITERS) -> seen = 0; goto LeaveRoom
    :: else ->
       seen = 0;
       if
       :: WORD == (ME | left[l]) ->
          WORD = left[l];
#ifndef FAULT_NO_DRAIN
          drains[G] = drains[G] + left[l];
#endif
          goto Left
       :: else -> goto LeaveSlowly
       fi
    fi
  }
ClearReleases:
  atomic { SHOW; WORD = WORD & ~RELEASES; goto LeaveSlowly }
LeaveRoom:
  /* The lock, one access to the word, and the wake-up are one step: others see nothing of it before its end. */
  atomic {
#ifndef FAULT_NO_LOCK_ON_LEAVING
    room == 0 ->
#endif
    SHOW;
    if
    :: WORD == (ME | WAITERS | left[l]) ->
       WORD = left[l];
       if
       :: queueCount[G] > 0 ->
#ifndef FAULT_NO_WAKE_UP
          isWoken[queue[G * ALL]] = 1; isAsleep[queue[G * ALL]] = 0
#else
          skip
#endif
       :: else ->
#ifndef FAULT_NO_DRAIN_AFTER_HAND_OVER
          drains[G] = drains[G] + left[l]
#else
          skip
#endif
       fi;
       goto Left
    :: else -> goto LeaveSlowly
    fi
  }
Left:
  /* Releases what was removed. The user's `deinit` may call. */
  atomic {
    assert(!MINE);
    i = 1;
    do
    :: i < EVENTS ->
       assert(leavesPassively[l] || kind[l] == drain || sentInside[i] != HERE || fate[i] == 2); i++
    :: else -> break
    od;
    i = 0;
    leavesPassively[l] = 0; left[l] = 0; seenOnExit[l] = 0; isLeaving[l] = 0; cur[l] = 0; isFromInbox[l] = 0;
    if
    :: removed[l] ->
#ifdef ON_RELEASE
       ON_RELEASE();
       if
       :: call != 0 -> calls[l]++; isReleasing[l] = 1; l++; goto Begin
       :: else -> calls[l] = 0; isReleasing[l] = 0
       fi;
#endif
       removed[l] = 0
    :: else
    fi;
    if
    :: givesUp[l] -> givesUp[l] = 0; goto NotEntered
    :: !givesUp[l] && why[l] == settling -> goto Settled
    :: !givesUp[l] && why[l] == takingOver -> why[l] = act; goto Settle
    :: else -> goto Return
    fi
  }

/* ---- The inbox ---- */

Push:
  /* `enterIfIdle`, and the operation is performed at once. */
  atomic {
    SHOW;
    if
    :: WORD == 0 ->
       WORD = ME; why[l] = act; leavesPassively[l] = isInSection; cur[l] = item[l]; isFromInbox[l] = 0; goto Perform
    :: else -> goto Add
    fi
  }
#ifdef FAULT_FLAG_BEFORE_PUSH
Add:
  atomic { seen = WORD; WORD = WORD | INBOX; goto AddFlag }
AddFlag:
  atomic {
    inbox[G * ROOM + inboxCount[G]] = item[l] | (MINE && !actsForOthers[G] -> OWN : 0); inboxCount[G]++;
    if :: MINE && !actsForOthers[G] -> owed[G]++ :: else fi;
    if
    :: MINE -> isExcused[l] = 1; seen = 0; goto Added
    :: !MINE && kind[l] != addAndWait && seen != 0 && isInSection -> seen = 0; goto Return
    :: else -> isPushed[l] = kind[l] != addAndWait; seen = 0; goto Settle
    fi
  }
#else
Add:
  atomic {
#ifndef FAULT_ADDS_WITHOUT_LOCK
    !(OFFERS && kind[l] == addAndWait && isLocked[G]);
    if :: OFFERS && kind[l] == addAndWait -> isLocked[G] = 1 :: else fi;
#endif
    SHOW;
    assert(inboxCount[G] < ROOM);
    if
    :: item[l] == OBSERVATION -> assert(!isObservationQueued[G]); isObservationQueued[G] = 1
    :: else
    fi;
    inbox[G * ROOM + inboxCount[G]] = item[l] | (MINE && !actsForOthers[G] -> OWN : 0);
    inboxCount[G]++;
    if
    :: MINE && !actsForOthers[G] ->
       owed[G]++;
       if :: item[l] < EVENTS -> sentInside[item[l]] = HERE :: else fi
    :: else
    fi;
    goto AddFlag
  }
AddFlag:
  atomic {
    seen = WORD; WORD = WORD | INBOX;
    SHOW;
    if :: OFFERS && (kind[l] == addAndWait || kind[l] == offer) -> isLocked[G] = 0 :: else fi;
    if
    :: OWNER(seen) == ME -> isExcused[l] = 1; seen = 0; goto Added
    :: OWNER(seen) != ME && kind[l] != addAndWait && kind[l] != offer && seen != 0 && isInSection ->
       seen = 0; goto Return
    :: OWNER(seen) != ME && kind[l] == offer -> seen = 0; isExcused[l] = 1; goto Return
    :: OFFERS && OWNER(seen) != ME && kind[l] == addAndWait && (seen & OFFERED) -> seen = 0; goto TakeOver
    :: else -> isPushed[l] = kind[l] != addAndWait; seen = 0; goto Settle
    fi
  }
#endif
Added:
  /* From inside: the thread performs it before it leaves. */
  atomic { goto Return }

Settle:
  atomic {
    SHOW;
#ifdef FAULT_NO_SETTLE
    if :: kind[l] != drain -> goto Settled :: else fi;
#endif
    if
    :: OWNER(WORD) != 0 || !(WORD & INBOX) -> goto Settled
    :: else ->
       why[l] = settling;
       if
       :: isInSection || kind[l] == drain -> seen = WORD; goto SettleSwap
       :: else -> x = isExcused[l]; CLASSIFY(); isExcused[l] = x; x = 0; goto Look
       fi
    fi
  }
SettleSwap:
  atomic {
    SHOW;
    if
    :: WORD == seen -> WORD = seen | ME; seen = 0; leavesPassively[l] = (kind[l] != drain); goto LeaveSlowly
    :: else -> seen = 0; goto Settled
    fi
  }
Settled:
  atomic {
    isPushed[l] = 0;
    if
    :: kind[l] == addAndWait || kind[l] == begin -> why[l] = turn; goto Enter
    :: else -> goto Return
    fi
  }

/* ---- Offering ---- */

Offer:
  /* `publish` enters if the gate is idle. Otherwise it adds the event. */
  atomic {
    !isLocked[G] -> isLocked[G] = 1;
    SHOW;
    if
    :: WORD == 0 -> WORD = ME; outgoing[G] = item[l]; isExcused[l] = 1; goto Offered
    :: else -> goto Add
    fi
  }
Offered:
  atomic {
    SHOW;
    seen = WORD; WORD = WORD | OFFERED; isLocked[G] = 0;
    if :: seen & WAITERS -> seen = 0; goto AlertWaiters :: else -> seen = 0; goto Return fi
  }
AlertWaiters:
  atomic { room == 0; SHOW; WAKE_OTHERS(); goto Return }
BeginOffered:
  /* The turn of the thread that has offered, or has added. */
  atomic {
    SHOW;
    if
#ifndef FAULT_DELIVERS_WHAT_OTHERS_TOOK
    :: OWNER(WORD) == ME ->
#else
    :: WORD != 0 ->
#endif
       WORD = WORD & ~OFFERED; cur[l] = outgoing[G]; outgoing[G] = 0; isFromInbox[l] = 0; goto Perform
    :: else -> goto Settle
    fi
  }
TakeOver:
  /* Delivers what the owner has entered for, and leaves. */
  atomic {
    SHOW;
    if
    :: (WORD & OFFERED) && !isInSection ->
       WORD = (WORD & 7) | ME; cur[l] = outgoing[G]; outgoing[G] = 0; isFromInbox[l] = 0; why[l] = takingOver;
       goto Perform
    :: else -> goto Settle
    fi
  }

Alert:
  atomic {
    SHOW;
    if
#ifndef FAULT_ALERT_WITHOUT_OWNER
    :: OWNER(WORD) == 0 -> goto Return
#endif
    :: else -> seen = WORD; goto AlertSwap
    fi
  }
AlertSwap:
  atomic {
    SHOW;
    if
    :: WORD == seen -> WORD = seen | INBOX; seen = 0; goto Return
    :: else -> seen = 0; goto Alert
    fi
  }

#ifdef FAULT_CLEAR_AFTER_TAKING
ClearInbox:
  atomic {
    if
    :: batchCount[G] > 0 -> isFlagged[G] = 1; hasTaken[l] = 0; goto NextOperation
    :: batchCount[G] == 0 && (WORD & INBOX) -> goto TakeInbox
    :: else -> goto Performed
    fi
  }
TakeInbox:
  atomic { TAKE(); isFlagged[G] = 0; hasTaken[l] = 1; goto ClearAfterTaking }
ClearAfterTaking:
  atomic { WORD = WORD & ~INBOX; goto NextOperation }
#else
ClearInbox:
  atomic {
    SHOW;
    assert(MINE);
    if
    :: batchCount[G] > 0 -> assert(WORD & INBOX); isFlagged[G] = 1; hasTaken[l] = 0; goto NextOperation
    :: batchCount[G] == 0 && (WORD & INBOX) -> WORD = WORD & ~INBOX; goto TakeInbox
    :: else -> goto Performed
    fi
  }
TakeInbox:
  atomic { SHOW; TAKE(); isFlagged[G] = 0; hasTaken[l] = 1; goto NextOperation }
#endif
NextOperation:
  atomic {
    SHOW;
    assert(MINE);
    if
    :: batchCount[G] == 0 -> goto Performed
    :: batchCount[G] == 1 && isFlagged[G] && (isLeaving[l] || !hasTaken[l]) ->
       WORD = WORD & ~INBOX; isFlagged[G] = 0; goto TakeMore
    :: batchCount[G] > 1 && !isFlagged[G] ->
#ifndef FAULT_NO_FLAG_IN_BATCH
       WORD = WORD | INBOX;
#endif
       isFlagged[G] = 1; goto FirstOperation
    :: else -> goto FirstOperation
    fi
  }
TakeMore:
  atomic {
    SHOW;
    TAKE(); hasTaken[l] = 1;
    if :: batchCount[G] > 1 -> goto NextOperation :: else -> goto FirstOperation fi
  }
FirstOperation:
  atomic {
    SHOW;
    if
#ifndef FAULT_PERFORMS_OTHERS
    :: IS_OTHERS -> isFlagged[G] = 0; goto PutBack
#endif
    /* A drain has performed enough, and enters again. */
    :: isLeaving[l] && kind[l] == drain && !(batch[G * ROOM] & OWN) -> isFlagged[G] = 0; goto PutBack
    /* The thread has performed enough. How much that is is not modeled. */
#ifdef FAULT_STOPS_THOUGH_OWING
    :: stops < STOPS && isLeaving[l] && !leavesPassively[l] && kind[l] != drain && !(batch[G * ROOM] & OWN) ->
       stops++; isFlagged[G] = 0; goto PutBack
#else
    :: MAY_STOP -> stops++; isFlagged[G] = 0; goto PutBack
#endif
#ifndef FAULT_PERFORMS_OTHERS
    :: !IS_OTHERS ->
#else
    :: true ->
#endif
       cur[l] = batch[G * ROOM]; i = 0;
       do
       :: i + 1 < batchCount[G] -> batch[G * ROOM + i] = batch[G * ROOM + i + 1]; i++
       :: else -> break
       od;
       batchCount[G]--; batch[G * ROOM + batchCount[G]] = 0; i = 0;
       assert(!(isInSection && kind[l] != read && !(cur[l] & OWN) && !(isPushed[l] && cur[l] == item[l])));
       assert(!(cur[l] & OWN) || PLAIN(cur[l]) >= EVENTS || sentInside[PLAIN(cur[l])] == HERE);
       if
       :: cur[l] & OWN -> owed[G]--
       :: !(cur[l] & OWN) && kind[l] != drain && !(isLeaving[l] && leavesPassively[l]) -> actsForOthers[G] = 1
       :: else
       fi;
       cur[l] = PLAIN(cur[l]); isFromInbox[l] = 1; goto Perform
    fi
  }
PutBack:
  /* `leave(_:before:)`. If the owner's own operations are behind, takes them all: they belong to nobody now. */
  atomic {
    SHOW;
    if
    :: owed[G] > 0 ->
       TAKE();
       do
       :: i < batchCount[G] -> batch[G * ROOM + i] = PLAIN(batch[G * ROOM + i]); i++
       :: else -> break
       od;
       i = 0; owed[G] = 0
    :: else
    fi;
    goto PutBackFlag
  }
PutBackFlag:
  atomic {
    SHOW;
#ifndef FAULT_PUT_BACK_WITHOUT_FLAG
    WORD = WORD | INBOX;
#endif
    if
    :: isLeaving[l] ->
       left[l] = INBOX; seen = seenOnExit[l]; seenOnExit[l] = 0; isLeaving[l] = 0; goto LeaveWithoutInbox
    :: else ->
       givesUp[l] = 1; mayGiveUp[l] = 0; isPushed[l] = 0; leavesPassively[l] = 1; goto LeaveSlowly
    fi
  }
Performed:
  /* `performInbox` returns true. */
  atomic {
    seenOnExit[l] = 0; cur[l] = 0; isFromInbox[l] = 0; mayGiveUp[l] = 0; hasTaken[l] = 0;
    if
    :: isLeaving[l] -> isLeaving[l] = 0; goto LeaveSlowly
    :: else -> goto Act
    fi
  }

/* ---- Performing: Core.deliver, Core.deliverEnd, Observation.perform ---- */

Perform:
  atomic {
    SHOW;
    assert(MINE);
    if
    :: cur[l] < ENDING ->
       assert(fate[cur[l]] == 1);
       assert(before[cur[l]] == 0 || fate[before[cur[l]]] == 2);
       assert(!isDelivering[G]);
       fate[cur[l]] = 2;
       if
       :: hasReceiver[G] -> isDelivering[G] = 1; calls[l] = 0; goto Receiver
       :: else -> goto Delivered
       fi
    :: cur[l] == ENDING || (cur[l] >= INTERRUPTION && cur[l] < OBSERVATION) ->
       if
       :: cur[l] == ENDING ->
          assert(fate[cur[l]] == 1);
          assert(before[cur[l]] == 0 || fate[before[cur[l]]] == 2);
          fate[cur[l]] = 2
       :: else
       fi;
       if
       :: terminated[G] -> goto Delivered
       :: else -> assert(!isDelivering[G]); terminated[G] = 1; isDelivering[G] = 1; calls[l] = 0; goto Receiver
       fi
    :: cur[l] == OBSERVATION -> goto PerformObservation
    fi
  }
Receiver:
  /* The first receiver has been called, and makes a call of its own or returns. */
  atomic {
    assert(hasReceiver[G] && !hasEnded[G]);
    OBSERVER();
    if
    :: call != 0 -> calls[l]++; l++; assert(l < LEVELS); goto Begin
    :: else -> calls[l] = 0
    fi;
    if
    :: hasObservation[G] && cur[l] < ENDING -> goto CheckInbox
    :: hasObservation[G] && cur[l] >= ENDING && !VALUES_ONLY -> goto CheckDisposed
    :: else -> goto AfterReceivers
    fi
  }
CheckInbox:
  /* The second receiver. Its call begins with the check that lets it through. */
  atomic {
    SHOW;
    if
#ifndef FAULT_NO_LOOK_AT_FLAG
    :: VALUES_ONLY && !(WORD & INBOX) -> assert(!isDisposalOver[G]); goto AfterReceivers
#else
    :: VALUES_ONLY -> assert(!isDisposalOver[G]); goto AfterReceivers
#endif
    :: else -> goto CheckDisposed
    fi
  }
CheckDisposed:
  atomic {
    SHOW;
    assert(!hasEnded[G]);
    if
    :: isDisposed[G] -> goto AfterReceivers
    :: else -> assert(!isDisposalOver[G]); goto AfterReceivers
    fi
  }
AfterReceivers:
  atomic {
    SHOW;
    isDelivering[G] = 0;
    if
    :: cur[l] >= ENDING ->
       hasEnded[G] = 1; hasReceiver[G] = 0; hasObservation[G] = 0;
       releases[G] = 1; WORD = WORD | RELEASES
    :: else
    fi;
    goto Delivered
  }
Delivered:
  atomic {
    cur[l] = 0; actsForOthers[G] = 0;
    if
    :: isFromInbox[l] -> goto NextOperation
    :: else -> goto Leave
    fi
  }
PerformObservation:
  atomic {
    SHOW;
    isObservationQueued[G] = 0;
    if
    :: isAdding[G] ->
       isAdding[G] = 0;
       if
       :: isDisposed[G] || terminated[G] -> goto Remove
       :: else -> hasObservation[G] = 1; goto Delivered
       fi
    :: !isAdding[G] && hasObservation[G] -> hasObservation[G] = 0; goto Remove
    :: else -> goto Delivered
    fi
  }
Remove:
  /* `releaseAfterLeaving` */
  atomic {
    SHOW;
    releases[G] = 1; WORD = WORD | RELEASES;
    if
    :: cur[l] == OBSERVATION -> goto Delivered
    :: else -> goto Return
    fi
  }

/* ---- Calls that are not sends ---- */

Dispose:
  atomic {
    SHOW;
    if
    :: isDisposed[G] -> item[l] = 0; goto Return
    :: !isDisposed[G] && isAdding[G] -> isDisposed[G] = 1; goto Return
    :: else ->
#ifndef FAULT_NO_DISPOSED_BIT
       isDisposed[G] = 1;
#endif
       goto DisposeLook
    fi
  }
DisposeLook:
  atomic {
    SHOW;
    if
    :: terminated[G] -> goto Return
    :: else -> goto Enter
    fi
  }
RemoveInside:
  /* From inside a delivery, where a receiver is not a closure for values. */
  atomic {
    if
    :: hasObservation[G] -> hasObservation[G] = 0; cur[l] = 0; goto Remove
    :: else -> goto Return
    fi
  }
ObserveLate:
  /* `observe` after `enterPassively` failed. */
  atomic {
    SHOW;
    if
    :: terminated[G] -> goto Return
    :: else -> goto PushAddition
    fi
  }
PushAddition:
  atomic {
    SHOW;
    isAdding[G] = 1;
    if :: !isInSection -> isInSection = 1; beganSection[l] = 1 :: else fi;
    goto Push
  }
Interrupt:
  /* `releaseInput`: the look before the passive section. */
  atomic {
    SHOW;
    if
    :: terminated[G] -> goto Return
    :: else ->
       if :: !isInSection -> isInSection = 1; beganSection[l] = 1 :: else fi;
       goto Enter
    fi
  }

Return:
  atomic {
    SHOW;
    if
    :: item[l] > 0 && item[l] < EVENTS && fate[item[l]] == 1 -> latest[t * GATES + G] = item[l]
    :: else
    fi;
    if
    :: (kind[l] == send || kind[l] == sendEnd || kind[l] == addAndWait || kind[l] == begin) && !isExcused[l] ->
       assert(fate[item[l]] == 2)
    :: kind[l] == dispose && item[l] != 0 -> isDisposalOver[G] = 1
    :: kind[l] == drain -> running--
    :: else
    fi;
    if :: beganSection[l] -> isInSection = 0; beganSection[l] = 0 :: else fi;
    kind[l] = 0; why[l] = 0; g[l] = 0; item[l] = 0; isExcused[l] = 0; isPushed[l] = 0; leavesPassively[l] = 0;
    hasTaken[l] = 0;
    if
    :: l == 0 -> goto Program
    :: else -> l--
    fi;
    if
    :: isReleasing[l] -> goto Left
    :: !isReleasing[l] && kind[l] == evaluate -> goto Evaluate
    :: else -> goto Receiver
    fi
  }

/* ---- Memos: AnyMemo ---- */

#if MEMOS > 0
TakeMemo:
  atomic {
    SHOW;
    if
    :: WORD == EVALUATED -> goto Return
    :: WORD == 0 -> WORD = ME; calls[l] = 0; goto Evaluate
    :: else -> assert(!MINE); goto WaitForMemo
    fi
  }
Evaluate:
  atomic {
    OBSERVER();
    if
    :: call != 0 -> calls[l]++; l++; assert(l < LEVELS); goto Begin
    :: else -> calls[l] = 0; goto FinishMemo
    fi
  }
FinishMemo:
  atomic {
    SHOW;
    seen = WORD; WORD = EVALUATED;
    if
    :: seen & 1 -> seen = 0; goto WakeForMemo
    :: else -> seen = 0; goto Return
    fi
  }
WakeForMemo:
  atomic {
    room == 0 ->
    SHOW;
    i = 0;
    do
    :: i < queueCount[G] -> isAsleep[queue[G * ALL + i]] = 0; i++
    :: else -> break
    od;
    i = 0; goto Return
  }
WaitForMemo:
  atomic { room == 0 -> room = t; SHOW; goto AnnounceWaiter }
AnnounceWaiter:
  atomic {
    SHOW;
    if
    :: WORD == EVALUATED -> UNREGISTER(); room = 0; goto Return
    :: else ->
       WORD = WORD | 1; REGISTER(G);
       holder = 0; next = G; hops = 0; candidate = 0; goto Search
    fi
  }
#else
TakeMemo:
Evaluate:
AnnounceWaiter:
  assert(0)  /* unreachable */;
#endif

Finished:
  skip
}

init {
  byte k = 0;
  atomic {
    do
    :: k < GATES -> hasReceiver[k] = 1; hasObservation[k] = HAS_OBSERVATION; k++
    :: else -> break
    od;
    k = 1;
    do
    :: k <= ALL -> run Thread(k); k++
    :: else -> break
    od
  };
  /* Everything has ended: the other processes have gone. */
  atomic {
    _nr_pr == 1;
    k = 0;
    do
    :: k < GATES ->
       assert(word[k] == 0 && inboxCount[k] == 0 && batchCount[k] == 0 && releases[k] == 0);
       assert(outgoing[k] == 0);
       assert(!isAdding[k] && !(isDisposed[k] && hasObservation[k]));
       k++
    :: else -> break
    od;
    k = 0;
    do
    :: k < AWAITED -> assert(queueCount[k] == 0); k++
    :: else -> break
    od;
    k = 0;
    do
    :: k < EVENTS -> assert(fate[k] != 1); k++
    :: else -> break
    od;
    AT_END();
    k = 0
  }
}
