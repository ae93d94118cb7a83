public import HotSignals

/// A list of sequences that are split off one by one from the front. Joining two ropes takes constant time, and
/// splitting off all sequences takes linear time, however they were joined.
///
/// Immutable, so that ropes can share parts.
@frozen @usableFromInline
enum MemoRope<Element: Sendable>: Sendable {
    case link(MemoLink<Element>)
    case pair(MemoPair<Element>)

    /// This rope, followed by another.
    @inlinable
    func joined(with next: MemoRope) -> MemoRope { .pair(MemoPair(self, next)) }

    /// The first sequence, and the rest, if any.
    @inlinable
    func split() -> MemoSplit<Element> {
        switch self {
        case .link(let link): MemoSplit(first: link, rest: nil)
        case .pair(let pair): pair.split()
        }
    }
}

/// The first sequence of a rope, and the rest.
@frozen @usableFromInline
struct MemoSplit<Element: Sendable>: Sendable {
    @usableFromInline let first: MemoLink<Element>
    @usableFromInline let rest: MemoRope<Element>?

    @inlinable
    init(first: MemoLink<Element>, rest: MemoRope<Element>?) {
        self.first = first
        self.rest = rest
    }
}

/// Two ropes, one after the other.
@_fixed_layout @usableFromInline
final class MemoPair<Element: Sendable>: @unchecked Sendable {
    // Sendable: `nil` only in `deinit`.
    @usableFromInline var parts: (left: MemoRope<Element>, right: MemoRope<Element>)?
    /// The cached split of this pair, for ropes that share it.
    @usableFromInline let known = Locked<MemoSplit<Element>?>(nil)

    @inlinable
    init(_ left: MemoRope<Element>, _ right: MemoRope<Element>) { parts = (left, right) }

    // Ropes can be nested to any depth.
    @inlinable
    deinit {
        MemoRelease.release(&parts)
        var known = known.withLock { $0.take() }
        MemoRelease.release(&known)
    }

    /// Splits the left part, which caches the result, and joins the rest of it with the right part.
    @inlinable
    func split() -> MemoSplit<Element> {
        // Not `nil` until `deinit`.
        let (left, right) = parts.unsafelyUnwrapped
        switch left {
        case .link(let link): return MemoSplit(first: link, rest: right)
        case .pair(let pair):
            let split = pair.rotate()
            return MemoSplit(first: split.first, rest: split.rest.map { $0.joined(with: right) } ?? right)
        }
    }

    /// Like `split`, but the rest is nested to the right, so that it can be split in one step.
    @inlinable
    func rotate() -> MemoSplit<Element> {
        if let known = known.withLock({ $0 }) { return known }
        // Not `nil` until `deinit`.
        var (left, right) = parts.unsafelyUnwrapped
        while case .pair(let pair) = left {
            if let known = pair.known.withLock({ $0 }) {
                return remember(
                    MemoSplit(first: known.first, rest: known.rest.map { $0.joined(with: right) } ?? right))
            }
            // Not `nil` until `deinit`.
            let inner = pair.parts.unsafelyUnwrapped
            (left, right) = (inner.left, inner.right.joined(with: right))
        }
        guard case .link(let link) = left else { preconditionFailure("a rope is a link or a pair") }
        return remember(MemoSplit(first: link, rest: right))
    }

    @inlinable
    func remember(_ split: MemoSplit<Element>) -> MemoSplit<Element> {
        known.withLock { known in
            // Another thread may have stored its split first, with the same sequences in the same order.
            if known == nil { known = split }
        }
        return split
    }
}
