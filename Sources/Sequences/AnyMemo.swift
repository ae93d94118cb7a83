public import HotSignals

/// The part of a ``Memo`` that does not depend on its type: its evaluation.
@_fixed_layout @usableFromInline
class AnyMemo: Awaited, @unchecked Sendable {
    // Sendable: the word determines which thread may access a memo's steps. Before the memo has been evaluated, only
    // the thread that took it may. Afterwards every thread may, and no thread changes them.

    /// 0 at first, then the thread that evaluates the memo, and finally `evaluated`.
    @usableFromInline let word: AtomicWord

    /// Set beside the thread if another thread waits.
    private static let waitersFlag: UInt = 1
    @inlinable static var evaluated: UInt { 2 }
    private static let threadMask: UInt = ~7

    /// With ``MemoRequest/advance``, executes steps until the value is known, and returns `nil`, or until another memo
    /// must be evaluated first, and returns that memo. Called only by the evaluating thread, with this memo.
    ///
    /// A closure, because the compiler specializes it where the memo is made. It would not specialize a method that a
    /// subclass overrides, nor a `deinit`.
    @usableFromInline let perform: @Sendable (AnyMemo, MemoRequest) -> AnyMemo?

    @inlinable
    init(isEvaluated: Bool, perform: @escaping @Sendable (AnyMemo, MemoRequest) -> AnyMemo?) {
        word = AtomicWord(isEvaluated ? Self.evaluated : 0)
        self.perform = perform
    }

    @inlinable @inline(__always)
    final var isEvaluated: Bool { word.load() == Self.evaluated }

    /// The thread that evaluates the memo. 0 if none does.
    final var holder: UInt { word.load() & Self.threadMask }

    /// Returns when the memo has its value, computed by this thread or by another one.
    @usableFromInline
    final func evaluate() {
        let thread = ThreadIdentity.current
        /// The memos that this evaluation has taken. Each needs the one after it.
        var taken: [AnyMemo] = []
        var needed: AnyMemo? = self
        while true {
            if let needed, needed.take(thread) { taken.append(needed) }
            guard let last = taken.last else { return }
            needed = last.perform(last, .advance)
            if needed == nil {
                taken.removeLast()
                last.finish()
            }
        }
    }

    /// Makes the caller the evaluating thread. Returns `false` if the memo has its value, possibly after waiting for
    /// it.
    private func take(_ thread: UInt) -> Bool {
        while true {
            let seen = word.load()
            if seen == Self.evaluated { return false }
            if seen == 0 {
                if word.compareExchangeAcquiring(from: 0, to: thread) { return true }
            } else {
                require(
                    seen & Self.threadMask != thread,
                    "MemoizedSequence: computing an element requires that element itself")
                require(
                    WaitingRoom.shared.wait(for: self, as: thread, while: announceWaiter),
                    "MemoizedSequence: several threads are waiting for elements that require each other")
                return false
            }
        }
    }

    private func finish() {
        if word.exchange(Self.evaluated) & Self.waitersFlag != 0 { WaitingRoom.shared.wake(for: self) }
    }

    /// Tells the evaluating thread, which has already taken the memo, that another thread waits. Returns `false` if the
    /// memo has its value.
    private func announceWaiter() -> Bool {
        while true {
            let seen = word.load()
            if seen == Self.evaluated { return false }
            if seen & Self.waitersFlag != 0 || word.compareExchangeAcquiring(from: seen, to: seen | Self.waitersFlag) {
                return true
            }
        }
    }
}

/// What a memo is asked to do.
@frozen @usableFromInline
enum MemoRequest: Sendable {
    case advance
    /// To release what it refers to.
    case release
}
