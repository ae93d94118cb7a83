import HotSignals

/// Where threads sleep that wait for another thread's evaluation, and where cycles among them are found.
///
/// A sleeping thread gets nothing done, so a cycle of threads that wait for each other's elements is complete, and stays,
/// once its last thread is about to sleep. Since all of them register under one lock, that thread sees it.
final class MemoWaitingRoom: Sendable {
    static let shared = MemoWaitingRoom()

    private final class Waiter {
        let memo: AnyMemo
        let condition = Condition()

        init(for memo: AnyMemo) { self.memo = memo }
    }

    private let byThread = Locked<[UInt: Waiter]>([:])

    /// Waits for the value of a memo that another thread evaluates. Traps if that thread waits for the caller.
    func wait(for memo: AnyMemo, as thread: UInt) {
        let waiter = Waiter(for: memo)
        byThread.withLock(waitingOn: waiter.condition) { byThread in
            // Under the lock from here until asleep: `wake` finds whoever has announced itself.
            guard memo.announceWaiter() else {
                byThread[thread] = nil
                return ()
            }
            byThread[thread] = waiter
            require(
                !Self.isCycle(from: memo, to: thread, byThread),
                "MemoizedSequence: several threads wait for elements that need each other")
            return nil
        }
    }

    func wake(for memo: AnyMemo) {
        byThread.withLock { byThread in
            for waiter in byThread.values where waiter.memo === memo { waiter.condition.signal() }
        }
    }

    /// Whether the evaluator of `memo` waits, directly or through others, for `thread`.
    private static func isCycle(from memo: AnyMemo, to thread: UInt, _ byThread: [UInt: Waiter]) -> Bool {
        var memo = memo
        // A cycle that the caller is not part of would have trapped; the count bounds the search all the same.
        for _ in 0...byThread.count {
            let evaluator = memo.evaluator
            if evaluator == thread { return true }
            // Nobody evaluates what is evaluated; such a memo's waiters are on their way out.
            guard let waiter = byThread[evaluator] else { return false }
            memo = waiter.memo
        }
        return false
    }
}
