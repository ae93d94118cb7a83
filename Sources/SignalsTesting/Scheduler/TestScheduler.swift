import Dispatch
import HotSignals
public import ReactiveSignals

/// A scheduler whose time stands still until a test moves it, and the same time as a clock for async code.
///
/// An action runs when the time reaches the instant at which it is due: actions in the order of their instants, and for the
/// same instant in the order in which they were scheduled. What an action schedules while the time moves runs too, if it is
/// due. Any thread may schedule; actions run one at a time, and never under a lock.
///
///     let scheduler = TestScheduler()
///     scheduler.schedule(after: .seconds(5)) { print("five") }
///     scheduler.advance(by: .seconds(4))
///     scheduler.advance(by: .seconds(1))  // prints five
///
/// **Async code**: the scheduler is a `Clock`, so that `Task.sleep(for:clock:)` and all that takes a clock wait for the same time.
/// Inside ``run(patience:isolation:_:)`` one `advance` drives streams and tasks alike, and returns when all that could run has run:
///
///     try await scheduler.run {
///         async let greeting = { try await Task.sleep(for: .seconds(1), clock: scheduler); return "hello" }()
///         await scheduler.advance(by: .seconds(1))
///         print(try await greeting)
///     }
///
/// **Two forms**: each method that moves the time exists twice. In a synchronous function it runs what falls due on the calling
/// thread and returns. In an async one the compiler picks the form that is awaited, which lets tasks run on the way.
///
/// **Waiting**: an action may move the time itself. It must not wait for another thread or task that does, as that one
/// waits for the action to be over. When the time has been waited for in vain for a minute of real time, in which no
/// other action has begun, the process ends with a message.
///
/// **Life**: an action that has not run is held until its instant, unless it is disposed of. What sleeps holds nothing.
/// The memory is bounded by what has yet to run: what has been disposed of is removed when it is more than half.
public final class TestScheduler: DelayScheduler, @unchecked Sendable {
    // Sendable: `lock` guards what changes.

    /// The time is measured in the durations of the standard library.
    public typealias Duration = Swift.Duration

    /// A moment of a test scheduler's time, which begins at zero.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time since the scheduler was made.
        public let offset: Swift.Duration

        /// The moment that lies `offset` after the beginning.
        public init(offset: Swift.Duration) { self.offset = offset }

        /// The moment that lies `duration` later.
        public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }

        /// How much later `other` is.
        public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

        /// The order of time.
        public static func < (earlier: Instant, later: Instant) -> Bool { earlier.offset < later.offset }

        /// The offset as text.
        public var description: String { offset.description }
    }

    /// What is to run at an instant.
    struct Entry: Sendable {
        let action: ScheduledAction
        /// Nil for an action that runs once.
        let repetition: Repetition?

        func run() {
            if repetition == nil { action.run() } else { action.runAgain() }
        }
    }

    /// How often an action runs. An object, as few entries have one.
    final class Repetition: Sendable {
        let interval: Swift.Duration

        init(interval: Swift.Duration) { self.interval = interval }
    }

    let lock = WordLock()
    /// How long a thread or task waits for its turn before it looks, for the first time, whether something happens.
    let patience: Swift.Duration
    @exclusivity(unchecked) var time = Instant(offset: .zero)
    @exclusivity(unchecked) private var timeline = PriorityQueue<Instant, Entry>()
    /// How much has been disposed of and may still be in the timeline.
    @exclusivity(unchecked) private var disposed = 0
    /// Counts the actions that have begun, to tell whether something has happened between two moments.
    @exclusivity(unchecked) private var begun: UInt = 0
    /// Who moves the time, and who waits for that.
    @exclusivity(unchecked) var turns = Turns()
    /// What is to run on the executor, and the thread that does.
    @exclusivity(unchecked) var work = ExecutorWork()

    /// The inputs of signals that have not ended, and are not to end before the scheduler is released.
    @exclusivity(unchecked) var inputs: [ObjectIdentifier: any Sendable] = [:]

    /// Where the executor's jobs run: one after the other, on a thread that does not belong to Swift's pool.
    let queue = DispatchQueue(label: "TestScheduler")

    /// A scheduler at the beginning of its time.
    public convenience init() { self.init(patience: .seconds(30)) }

    /// - Parameter patience: How long to wait for a turn until nothing seems to happen. It counts as a hang after twice
    ///   this.
    package init(patience: Swift.Duration) { self.patience = patience }

    /// The present moment.
    public var now: Instant { withLock { time } }

    /// How many signals made of diagrams have not ended.
    package var liveSignals: Int { withLock { inputs.count } }

    /// How many entries the timeline has, of which some may have been disposed of.
    package var entries: Int { withLock { timeline.count } }

    func withLock<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    // MARK: Scheduling

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
        after delay: Swift.Duration, leeway: Swift.Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        add(after: delay, repetition: nil, action)
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
        after delay: Swift.Duration, interval: Swift.Duration, leeway: Swift.Duration,
        _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        require(
            interval > .zero, "TestScheduler.schedule(interval: \(interval)): the interval must be positive")
        return add(after: delay, repetition: Repetition(interval: interval), action)
    }

    private func add(
        after delay: Swift.Duration, repetition: Repetition?, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        require(delay >= .zero, "TestScheduler.schedule(after: \(delay)): the delay must not be negative")
        let scheduled = TestAction(action, of: self)
        withLock { insert(Entry(action: scheduled.action, repetition: repetition), at: time.advanced(by: delay)) }
        return scheduled
    }

    /// Under the lock.
    func insert(_ entry: Entry, at instant: Instant) { timeline.insert(entry, at: instant) }

    /// To be called when an action has been disposed of: removes all of those when they are more than half of the
    /// timeline.
    func hasDisposed() {
        let removed = withLock { () -> [Entry] in
            disposed += 1
            guard disposed > 16, disposed > timeline.count / 2 else { return [] }
            disposed = 0
            return removeDisposed()
        }
        // Released outside the lock.
        withExtendedLifetime(removed) {}
    }

    /// Under the lock. Gives the memory back as well.
    private func removeDisposed() -> [Entry] {
        var (kept, removed) = (PriorityQueue<Instant, Entry>(), [Entry]())
        while let (due, entry) = timeline.popFirst() {
            if entry.action.isDisposed { removed.append(entry) } else { kept.insert(entry, at: due) }
        }
        timeline = kept
        return removed
    }

    /// Under the lock: how much has yet to run, and when the first of it is due.
    var pending: (count: Int, next: Instant?) {
        var (count, next) = (0, nil as Instant?)
        timeline.descend { due, entry in
            if !entry.action.isDisposed {
                count += 1
                next = min(next ?? due, due)
            }
            return true
        }
        return (count, next)
    }

    /// Under the lock: how much has been done.
    var progress: UInt { work.progress &+ begun }

    /// Under the lock: takes the next action that is due by `limit`, and moves the time to its instant. What has been disposed of
    /// does not move the time.
    func takeNext(through limit: Instant?) -> Entry? {
        while let key = timeline.firstKey {
            if let limit, limit < key { return nil }
            // The first key was there.
            let (due, entry) = timeline.popFirst().unsafelyUnwrapped
            if entry.action.isDisposed {
                disposed = max(0, disposed - 1)
                continue
            }
            begun &+= 1
            if time < due { time = due }
            if let repetition = entry.repetition {
                // In place before the action runs, so that the action can dispose of it.
                timeline.insert(entry, at: due.advanced(by: repetition.interval))
            }
            return entry
        }
        return nil
    }
}

/// An action of a test scheduler, for the one who has scheduled it. Does not hold the scheduler.
final class TestAction: Disposable, @unchecked Sendable {
    // Sendable: a weak reference may be read by any thread, and is not changed.
    let action: ScheduledAction
    private weak var scheduler: TestScheduler?

    init(_ action: @escaping @Sendable () -> Void, of scheduler: TestScheduler) {
        self.action = ScheduledAction(action)
        self.scheduler = scheduler
    }

    var isDisposed: Bool { action.isDisposed }

    func dispose() {
        if action.isDisposed { return }
        action.dispose()
        scheduler?.hasDisposed()
    }
}
