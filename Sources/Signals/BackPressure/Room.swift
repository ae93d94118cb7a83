/// The room of a consumer that suspends senders. Guarded by the lock of the consumer.
@frozen @usableFromInline
package struct Room: Sendable {
    @frozen @usableFromInline
    enum Level: Sendable {
        case open, behind, full
    }

    @usableFromInline package let senders: SenderQueue
    /// Whether there may be other consumers, and senders that outlive this one.
    @usableFromInline let isShared: Bool
    /// The consumer's own share: when it holds no more, senders that have been suspended go on.
    @usableFromInline let share: Int
    /// The number of values with which it is full.
    @usableFromInline package let limit: Int
    @usableFromInline var level = Level.open

    @inlinable
    package init(share: Int, of senders: SenderQueue, isShared: Bool = true) {
        self.senders = senders
        self.isShared = isShared
        self.share = share
        let (sum, overflows) = share.addingReportingOverflow(senders.capacity)
        // Less than the greatest number, which means that there is no limit.
        limit = overflows || sum == .max ? .max - 1 : sum
    }

    /// Creates the room of an operator that is the only consumer of its source.
    ///
    /// - Parameters:
    ///   - limit: The number of values at which the source is suspended.
    ///   - share: The number at which it goes on. Less than `limit`.
    ///   - downstream: What suspends the operator's result, and so the source, too.
    @inlinable
    package init(limit: Int, goingOnAt share: Int, downstream: SenderQueue? = nil) {
        self.init(share: share, of: SenderQueue(capacity: limit - share, downstream: downstream), isShared: false)
    }

    /// Called under the consumer's lock, when the number of values that it holds has changed.
    ///
    /// - Returns: What to resume with `true`, after the lock has been released.
    @_alwaysEmitIntoClient @inline(__always)
    package mutating func update(_ count: Int) -> SenderQueue.Sender? {
        if count >= limit { return level == .full ? nil : move(to: .full) }
        if count <= share { return level == .open ? nil : move(to: .open) }
        return level == .full ? move(to: .behind) : nil
    }

    /// Like ``update(_:)``, for a consumer that wants no more values. A sender that it has for itself is cancelled, and
    /// makes no other value.
    @_alwaysEmitIntoClient
    package mutating func leave() -> SenderQueue.Sender? { isShared ? update(0) : nil }

    @usableFromInline @inline(never)
    mutating func move(to new: Level) -> SenderQueue.Sender? {
        let old = exchange(&level, with: new)
        return senders.changeCounts(
            full: (new == .full ? 1 : 0) - (old == .full ? 1 : 0),
            behind: (new == .open ? 0 : 1) - (old == .open ? 0 : 1))
    }
}

extension Room {
    /// How many values wait in an operator whose queue has no limit, before it suspends its source: as many as Reactor
    /// prefetches. Enough to deliver in batches, and few enough to hold.
    @inlinable package static var queueLimit: Int { 256 }
}
