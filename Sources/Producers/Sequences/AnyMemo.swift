import HotSignals

/// A ``Memo`` of any type, as its evaluation sees it.
class AnyMemo: Awaited, @unchecked Sendable {
    // Sendable: the word says who may touch a memo's steps. Until it is evaluated that is the one thread that took it; from
    // then on everybody, and nobody changes them any more.

    /// 0 at first, then the thread that evaluates, then `evaluated` for good.
    private let word: AtomicWord

    /// Beside the thread: somebody waits.
    private static let waitersFlag: UInt = 1
    private static let evaluated: UInt = 2
    private static let threadMask: UInt = ~7

    init(isEvaluated: Bool) { word = AtomicWord(isEvaluated ? Self.evaluated : 0) }

    final var isEvaluated: Bool { word.load() == Self.evaluated }

    /// The thread that evaluates the memo; 0 if none does.
    final var holder: UInt { word.load() & Self.threadMask }

    /// Takes steps until the value is there (nil), or another memo has to be evaluated first. Called by the evaluator only.
    func advance() -> AnyMemo? { fatalError("abstract") }

    /// Returns when the memo has its value, worked out here or by another thread.
    final func evaluate() {
        let thread = ThreadIdentity.current
        /// The memos that this evaluation has taken; each needs the one after it.
        var taken: [AnyMemo] = []
        var needed: AnyMemo? = self
        while true {
            if let needed, needed.take(thread) { taken.append(needed) }
            guard let last = taken.last else { return }
            needed = last.advance()
            if needed == nil {
                taken.removeLast()
                last.finish()
            }
        }
    }

    /// Makes the caller the evaluator. False if the memo has its value, maybe after waiting for it.
    private func take(_ thread: UInt) -> Bool {
        while true {
            let seen = word.load()
            if seen == Self.evaluated { return false }
            if seen == 0 {
                if word.acquire(from: 0, to: thread) { return true }
            } else {
                require(
                    seen & Self.threadMask != thread,
                    "MemoizedSequence: computing an element requires that element itself", file: #fileID, line: #line)
                require(
                    WaitingRoom.shared.wait(for: self, as: thread, while: announceWaiter),
                    "MemoizedSequence: several threads are waiting for elements that require each other",
                    file: #fileID, line: #line)
                return false
            }
        }
    }

    private func finish() {
        if word.exchange(Self.evaluated) & Self.waitersFlag != 0 { WaitingRoom.shared.wake(for: self) }
    }

    /// Tells the evaluator, which has taken the memo already, that a thread waits. False if the value is there.
    private func announceWaiter() -> Bool {
        while true {
            let seen = word.load()
            if seen == Self.evaluated { return false }
            if seen & Self.waitersFlag != 0 || word.acquire(from: seen, to: seen | Self.waitersFlag) { return true }
        }
    }
}
