import HotSignals

/// The elements of a sequence, and then those of others.
///
/// The sequences that follow are in a rope beside the one in progress. A concatenation that begins with a concatenation
/// takes over its parts instead of its elements: so an element costs the same however the sequences were joined, and
/// `((a + b) + c) + d` costs no more than `a + (b + (c + d))`. What is taken over are memos, which work out an element
/// once, whoever asks for it.
final class MemoConcatenation<Element: Sendable>: Memo<MemoNode<Element>?>, @unchecked Sendable {
    // Sendable: as the base class.

    struct Parts: Sendable {
        /// The one in progress.
        let first: MemoLink<Element>
        let rest: MemoRope<Element>
    }

    /// Nil once the value is known, or is that of the last sequence. Changed by the evaluator only; others look at it.
    fileprivate let parts: Locked<Parts?>

    init(_ first: MemoLink<Element>, followedBy rest: MemoRope<Element>) {
        parts = Locked(Parts(first: first, rest: rest))
        super.init()
    }

    deinit {
        var parts = replaceParts(with: nil)
        MemoRelease.release(&parts)
    }

    override var isConcatenation: Bool { true }

    /// Returns the former parts, to be released outside the lock.
    private func replaceParts(with new: Parts?) -> Parts? {
        parts.withLock { parts in
            defer { parts = new }
            return parts
        }
    }

    override func advance() -> AnyMemo? {
        while true {
            guard let parts = parts.withLock({ $0 }) else {
                guard let needed = super.advance() else { return nil }
                // The last sequence is a concatenation in turn: of a `flatMap`, of which this takes over all.
                guard case .same(let last)? = step, let inner = last.availableParts() else {
                    return needed
                }
                step = nil
                _ = replaceParts(with: inner)
                continue
            }
            if let inner = parts.first.availableParts() {
                _ = replaceParts(with: Parts(first: inner.first, rest: inner.rest.joined(with: parts.rest)))
                continue
            }
            guard parts.first.isEvaluated else { return parts.first }
            if let node = parts.first.value {
                step = .known(MemoNode(head: node.head, tail: node.tail.followed(by: parts.rest)))
                _ = replaceParts(with: nil)
                return nil
            }
            let split = parts.rest.split()
            if split.rest == nil { step = .same(split.first) }
            _ = replaceParts(with: split.rest.map { Parts(first: split.first, rest: $0) })
        }
    }
}

extension Memo {
    /// The parts of this, if it is a concatenation that has not come to its value.
    fileprivate func availableParts<Element>() -> MemoConcatenation<Element>.Parts? where Value == MemoNode<Element>? {
        isConcatenation ? unsafeDowncast(self, to: MemoConcatenation<Element>.self).parts.withLock { $0 } : nil
    }

    /// The elements from here on, and then those of others.
    func followed<Element>(by rest: MemoRope<Element>) -> MemoLink<Element> where Value == MemoNode<Element>? {
        guard let parts = availableParts() else { return MemoConcatenation(self, followedBy: rest) }
        return MemoConcatenation(parts.first, followedBy: parts.rest.joined(with: rest))
    }
}
