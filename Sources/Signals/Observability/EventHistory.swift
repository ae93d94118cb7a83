/// The last events of a stream, with their times: see ``Signal/recordEvents(last:)``.
///
/// Any thread can read it at any time.
@_fixed_layout
public final class EventHistory<Value: Sendable, Failure: Error, Instant: Sendable>: Sendable {
    /// An event and the instant at which it arrived.
    @frozen
    public struct Entry: Sendable {
        /// The event.
        public let event: Event<Value, Failure>
        /// When it arrived.
        public let instant: Instant

        @_alwaysEmitIntoClient
        init(event: Event<Value, Failure>, instant: Instant) {
            self.event = event
            self.instant = instant
        }
    }

    /// The entries. Not the history itself, so that a stream does not retain what observes it.
    @usableFromInline
    @_fixed_layout
    package final class Ring: Sendable {
        @frozen @usableFromInline
        struct State {
            @usableFromInline var entries = Queue<Entry>()
            @usableFromInline var total = 0

            @inlinable
            init() {}
        }

        @usableFromInline let limit: Int
        @usableFromInline let now: @Sendable () -> Instant
        @usableFromInline let state = Locked(State())

        @_alwaysEmitIntoClient
        package init(last limit: Int, now: @escaping @Sendable () -> Instant) {
            require(limit > 0, "recordEvents(last: \(limit)): the number of events must be positive")
            self.limit = limit
            self.now = now
        }

        @_alwaysEmitIntoClient
        package func record(_ event: Event<Value, Failure>) {
            let entry = Entry(event: event, instant: now())
            // What is forgotten is released outside the lock.
            let forgotten = state.withLock { state in
                state.total += 1
                let forgotten = state.entries.count == limit ? state.entries.popFirst() : nil
                state.entries.append(entry)
                return forgotten
            }
            withExtendedLifetime(forgotten) {}
        }

        fileprivate var entries: [Entry] {
            state.withLock { state in (0..<state.entries.count).map { state.entries[$0] } }
        }

        fileprivate var total: Int { state.withLock { $0.total } }
    }

    @usableFromInline let ring: Ring
    @usableFromInline let observation: ScopedDisposable<AnyDisposable>?

    /// - Parameter observation: Disposed of when the history is released.
    @_alwaysEmitIntoClient
    package init(_ ring: Ring, _ observation: (any Disposable)? = nil) {
        self.ring = ring
        self.observation = observation.map { ScopedDisposable($0) }
    }

    /// How many events are stored at most.
    public var limit: Int { ring.limit }

    /// The last events, the oldest first.
    public var entries: [Entry] { ring.entries }

    /// How many events there have been, with those that are no longer stored.
    public var total: Int { ring.total }
}

extension EventHistory: CustomStringConvertible {
    /// A line for each event: the instant, and the event.
    public var description: String { entries.map { "\($0.instant) \($0.event)" }.joined(separator: "\n") }
}
