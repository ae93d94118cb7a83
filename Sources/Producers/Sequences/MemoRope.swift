import HotSignals

/// Sequences in a row, of which the first is taken off one by one. Joining two ropes takes constant time, and taking all
/// apart linear time, whatever way they were joined.
///
/// Immutable, so that ropes can share parts.
enum MemoRope<Element: Sendable>: Sendable {
    case link(MemoLink<Element>)
    case pair(MemoPair<Element>)

    /// This rope, and then another.
    func joined(with next: MemoRope) -> MemoRope { .pair(MemoPair(self, next)) }

    /// The first sequence, and the rest, if there is one.
    func split() -> MemoSplit<Element> {
        switch self {
        case .link(let link): MemoSplit(first: link, rest: nil)
        case .pair(let pair): pair.split()
        }
    }
}

/// The first sequence of a rope, and the rest.
struct MemoSplit<Element: Sendable>: Sendable {
    let first: MemoLink<Element>
    let rest: MemoRope<Element>?
}

/// Two ropes, one after the other.
final class MemoPair<Element: Sendable>: @unchecked Sendable {
    // Sendable: nil only in `deinit`.
    private var parts: (left: MemoRope<Element>, right: MemoRope<Element>)?
    /// What `split` has returned, for ropes that share this one.
    private let known = Locked<MemoSplit<Element>?>(nil)

    init(_ left: MemoRope<Element>, _ right: MemoRope<Element>) { parts = (left, right) }

    // Ropes are nested to any depth.
    deinit {
        MemoRelease.release(&parts)
        var known = known.withLock { $0.take() }
        MemoRelease.release(&known)
    }

    /// Splits the left part, which remembers that, and joins what is left of it with the right one.
    func split() -> MemoSplit<Element> {
        // There until `deinit`.
        let (left, right) = parts.unsafelyUnwrapped
        switch left {
        case .link(let link): return MemoSplit(first: link, rest: right)
        case .pair(let pair):
            let split = pair.rotate()
            return MemoSplit(first: split.first, rest: split.rest.map { $0.joined(with: right) } ?? right)
        }
    }

    /// As `split`, with a rest that is nested to the right, so that it splits at once.
    private func rotate() -> MemoSplit<Element> {
        if let known = known.withLock({ $0 }) { return known }
        // There until `deinit`.
        var (left, right) = parts.unsafelyUnwrapped
        while case .pair(let pair) = left {
            if let known = pair.known.withLock({ $0 }) {
                return remember(
                    MemoSplit(first: known.first, rest: known.rest.map { $0.joined(with: right) } ?? right))
            }
            // There until `deinit`.
            let inner = pair.parts.unsafelyUnwrapped
            (left, right) = (inner.left, inner.right.joined(with: right))
        }
        guard case .link(let link) = left else { preconditionFailure("a rope is a link or a pair") }
        return remember(MemoSplit(first: link, rest: right))
    }

    private func remember(_ split: MemoSplit<Element>) -> MemoSplit<Element> {
        known.withLock { known in
            // Another thread may have come first, with the same sequences in the same order.
            if known == nil { known = split }
        }
        return split
    }
}
