public import HotSignals

/// The elements of a sequence, followed by those of other sequences.
///
/// The sequences that follow are in a rope beside the current one. A concatenation that begins with a concatenation
/// takes over its parts instead of its elements. So an element costs the same however the sequences were joined, and
/// `((a + b) + c) + d` costs no more than `a + (b + (c + d))`. The parts are memos, which compute an element once,
/// whichever concatenation requests it.
@_fixed_layout @usableFromInline
final class MemoConcatenation<Element: Sendable>: Memo<MemoNode<Element>?>, @unchecked Sendable {
    // Sendable: for the same reason as the base class.

    @frozen @usableFromInline
    struct Parts: Sendable {
        /// The current sequence.
        @usableFromInline let first: MemoLink<Element>
        @usableFromInline let rest: MemoRope<Element>

        @inlinable
        init(first: MemoLink<Element>, rest: MemoRope<Element>) {
            self.first = first
            self.rest = rest
        }
    }

    /// `nil` once the value is known or is that of the last sequence. Changed only by the evaluating thread, and read
    /// by others.
    @usableFromInline let parts: Locked<Parts?>

    @inlinable
    init(_ first: MemoLink<Element>, followedBy rest: MemoRope<Element>) {
        parts = Locked(Parts(first: first, rest: rest))
        super.init { memo, request in
            let memo = unsafeDowncast(memo, to: MemoConcatenation.self)
            return request == .advance ? memo.advanceParts() : memo.handle(request)
        }
    }

    @inlinable
    deinit {
        var parts = replaceParts(with: nil)
        MemoRelease.release(&parts)
    }

    @inlinable
    override var isConcatenation: Bool { true }

    /// Returns the previous parts, to be released outside the lock.
    @inlinable
    func replaceParts(with new: Parts?) -> Parts? {
        parts.withLock { parts in
            defer { parts = new }
            return parts
        }
    }

    @inlinable
    func advanceParts() -> AnyMemo? {
        while true {
            guard let parts = parts.withLock({ $0 }) else {
                guard let needed = takeSteps() else { return nil }
                // The last sequence is itself a concatenation, from a `flatMap`. Takes over all of its parts.
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
    /// The parts, if this is a concatenation that has no value yet.
    @inlinable
    func availableParts<Element>() -> MemoConcatenation<Element>.Parts? where Value == MemoNode<Element>? {
        isConcatenation ? unsafeDowncast(self, to: MemoConcatenation<Element>.self).parts.withLock { $0 } : nil
    }

    /// The elements from here on, followed by those of other sequences.
    @inlinable
    func followed<Element>(by rest: MemoRope<Element>) -> MemoLink<Element> where Value == MemoNode<Element>? {
        guard let parts = availableParts() else { return MemoConcatenation(self, followedBy: rest) }
        return MemoConcatenation(parts.first, followedBy: parts.rest.joined(with: rest))
    }
}
