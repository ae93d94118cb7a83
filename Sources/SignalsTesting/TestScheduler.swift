import HotSignals
public import ReactiveSignals

/// A scheduler whose time stands still until a test moves it.
///
/// An action runs when the time reaches the instant at which it is due: actions in the order of their instants, and for the
/// same instant in the order in which they were scheduled. What an action schedules while the time moves runs too, if it is
/// due. Any thread may schedule; actions run on the thread that moves the time, one at a time, and never under a lock.
///
///     let scheduler = TestScheduler()
///     scheduler.schedule(after: .seconds(5)) { print("five") }
///     scheduler.advance(by: .seconds(4))
///     scheduler.advance(by: .seconds(1))  // prints five
public final class TestScheduler: DelayScheduler {
    /// A moment of a test scheduler's time, which begins at zero.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time since the scheduler was made.
        public let offset: Duration

        /// The moment that lies `offset` after the beginning.
        public init(offset: Duration) { self.offset = offset }

        /// The moment that lies `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// How much later `other` is.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// The order of time.
        public static func < (earlier: Instant, later: Instant) -> Bool { earlier.offset < later.offset }

        /// The offset as text.
        public var description: String { offset.description }
    }

    private struct Entry {
        let due: Instant
        let action: ScheduledAction
        /// Nil for an action that runs once.
        let interval: Duration?
    }

    private struct State {
        var now = Instant(offset: .zero)
        /// In the order in which they will run.
        var entries: [Entry] = []
        /// The thread that moves the time.
        var mover: UInt?

        /// Adds an entry behind all that are due at the same instant, which are older.
        mutating func insert(_ entry: Entry) {
            var low = 0
            var high = entries.count
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].due <= entry.due { low = middle + 1 } else { high = middle }
            }
            entries.insert(entry, at: low)
        }
    }

    private let state = Locked(State())
    /// Signalled when the time stops moving.
    private let stopped = Condition()

    /// A scheduler at the beginning of its time.
    public init() {}

    /// The present moment.
    public var now: Instant { state.withLock { $0.now } }

    /// Schedules an action for now. It runs when the time is moved next, even by nothing.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        schedule(after: .zero, action)
    }

    /// Schedules an action.
    ///
    /// - Parameters:
    ///   - delay: How long after the present moment; traps if negative.
    ///   - leeway: Without meaning here, as virtual time is exact.
    ///   - action: Run once.
    /// - Returns: A disposable that keeps the action from running if it has not begun.
    @discardableResult
    public func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        add(after: delay, interval: nil, action)
    }

    /// Schedules an action that repeats, without drift, until it is disposed of.
    ///
    /// - Parameters:
    ///   - delay: How long after the present moment it runs first; traps if negative.
    ///   - interval: The time between two runs; traps unless it is positive.
    ///   - leeway: Without meaning here.
    ///   - action: Run at each of these moments.
    @discardableResult
    public func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        require(
            interval > .zero, "TestScheduler.schedule(interval: \(interval)): the interval must be positive")
        return add(after: delay, interval: interval, action)
    }

    private func add(
        after delay: Duration, interval: Duration?, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        require(delay >= .zero, "TestScheduler.schedule(after: \(delay)): the delay must not be negative")
        let scheduled = ScheduledAction(action)
        state.withLock { $0.insert(Entry(due: $0.now.advanced(by: delay), action: scheduled, interval: interval)) }
        return scheduled
    }

    /// Runs what is due now.
    public func advance() { advance(by: .zero) }

    /// Moves the time on, running what falls due on the way at its own instant.
    ///
    /// - Parameter duration: Traps if negative.
    public func advance(by duration: Duration) {
        require(duration >= .zero, "TestScheduler.advance(by: \(duration)): the time cannot go back")
        // Counted from when it is this thread's turn, as another one may be moving the time.
        move { runAll(until: now.advanced(by: duration)) }
    }

    /// Moves the time on to a moment, running what falls due on the way at its own instant.
    ///
    /// - Parameter instant: Traps if it lies in the past.
    public func advance(to instant: Instant) {
        require(instant >= now, "TestScheduler.advance(to: \(instant)): the time cannot go back from \(now)")
        move { runAll(until: instant) }
    }

    /// Moves the time on until nothing is scheduled any more. With an action that repeats it does not return.
    public func run() {
        move {
            while runNext(until: nil) {}
        }
    }

    /// Moves the time as the only thread that does; another one waits. An action may move the time itself.
    private func move(_ body: () -> Void) {
        let thread = ThreadIdentity.current
        let isNested: Bool = state.withLock(waitingOn: stopped) { state in
            if state.mover == thread { return true }
            guard state.mover == nil else { return nil }
            state.mover = thread
            return false
        }
        body()
        guard !isNested else { return }
        state.withLock { $0.mover = nil }
        stopped.signal()
    }

    private func runAll(until instant: Instant) {
        while runNext(until: instant) {}
        state.withLock { $0.now = max($0.now, instant) }
    }

    /// Runs the first action, at its time, if that is not beyond `limit`.
    private func runNext(until limit: Instant?) -> Bool {
        let entry: Entry? = state.withLock { state in
            guard let first = state.entries.first, limit.map({ first.due <= $0 }) ?? true else { return nil }
            state.now = max(state.now, first.due)
            let entry = state.entries.removeFirst()
            if let interval = entry.interval, !entry.action.isDisposed {
                // In place before the action runs, so that the action can dispose of it.
                state.insert(
                    Entry(due: entry.due.advanced(by: interval), action: entry.action, interval: interval))
            }
            return entry
        }
        guard let entry else { return false }
        CurrentScheduler.run(on: self) {
            if entry.interval == nil { entry.action.run() } else { entry.action.runAgain() }
        }
        return true
    }
}
