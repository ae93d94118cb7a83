import Dispatch
import HotSignals
public import ReactiveSignals

/// A scheduler and clock whose time stands still until a test advances it.
///
/// Actions run in the order of their due times, and those due at the same instant in the order in which they were
/// scheduled, also if they repeat. An action that is scheduled while the time advances also runs if it becomes due. Any
/// thread can schedule. Actions run one at a time, and never under a lock.
///
/// ```swift
/// let scheduler = TestScheduler()
/// scheduler.schedule(after: .seconds(5)) { print("five") }
/// scheduler.advance(by: .seconds(4))
/// scheduler.advance(by: .seconds(1))  // prints five
/// ```
///
/// **Async code**: the scheduler is a `Clock`, so `Task.sleep(for:clock:)` and other code that takes a clock use the
/// same time. Inside ``run(patience:isolation:file:line:_:)``, one call of `advance` drives streams and tasks, and
/// returns when nothing more can run:
///
/// ```swift
/// try await scheduler.run {
///     async let greeting = { try await Task.sleep(for: .seconds(1), clock: scheduler); return "hello" }()
///     await scheduler.advance(by: .seconds(1))
///     print(try await greeting)
/// }
/// ```
///
/// **Two forms**: each method that advances the time has a synchronous and an async form. The synchronous form runs due
/// actions on the calling thread and returns. In an async function the compiler selects the async form, which also lets
/// tasks run.
///
/// **Waiting**: an action can advance the time itself. It must not wait for another thread or task that advances the
/// time, because that one waits for the action. If a wait for the time lasts a minute of real time in which no other
/// action has begun, the process ends with a message.
///
/// **Lifetime**: a scheduled action is retained until it has run or been disposed of. Sleeping code retains nothing.
/// Memory is proportional to the actions that have yet to run: disposed actions are removed once they are more than
/// half.
public final class TestScheduler: DelayScheduler, @unchecked Sendable {
    // Sendable: `lock` guards the variables.

    /// The duration type of the standard library.
    public typealias Duration = Swift.Duration

    /// An instant of virtual time, which begins at zero.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time since the scheduler was created.
        public let offset: Swift.Duration

        /// Creates the instant `offset` after the beginning.
        public init(offset: Swift.Duration) { self.offset = offset }

        /// The instant `duration` later.
        public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time from this instant to `other`.
        public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

        /// Whether an instant is earlier than another.
        public static func < (earlier: Instant, later: Instant) -> Bool { earlier.offset < later.offset }

        /// The offset as text, such as "1.5 seconds". Exact, unlike the description of a `Duration`.
        public var description: String {
            let (seconds, attoseconds) = offset.components
            var digits = String(1_000_000_000_000_000_000 + attoseconds.magnitude).dropFirst()
            while digits.count > 1, digits.last == "0" { digits.removeLast() }
            return "\(offset < .zero ? "-" : "")\(seconds.magnitude).\(digits) seconds"
        }
    }

    /// An action that is scheduled for an instant.
    struct Entry: Sendable {
        let action: ScheduledAction
        /// `nil` for an action that runs once.
        let repetition: Repetition?

        func run() {
            if repetition == nil { action.run() } else { action.runAgain() }
        }
    }

    /// How often an action runs. An object, because few entries have one.
    final class Repetition: @unchecked Sendable {
        // Sendable: the scheduler's lock guards the variable.
        let interval: Swift.Duration
        /// The place in the timeline and the next instant, while the action runs. It is not in the timeline then.
        @exclusivity(unchecked) var place: (number: UInt, next: Instant)?

        init(interval: Swift.Duration) { self.interval = interval }
    }

    let lock = WordLock()
    /// How long a thread or task waits for its turn before it first checks whether anything happens.
    let patience: Swift.Duration
    @exclusivity(unchecked) var time = Instant(offset: .zero)
    @exclusivity(unchecked) private var timeline = PriorityQueue<Instant, Entry>()
    /// The number of disposed actions that may still be in the timeline.
    @exclusivity(unchecked) private var disposed = 0
    /// Counts the actions that have begun, to detect whether anything has happened between two checks.
    @exclusivity(unchecked) private var begun: UInt = 0
    /// The threads and tasks that are advancing the time, or waiting to do so.
    @exclusivity(unchecked) var turns = Turns()
    /// The work of the executor, and the thread that runs it.
    @exclusivity(unchecked) var work = ExecutorWork()

    /// The inputs of signals that have not ended. Retained, so that the signals do not end before the scheduler is
    /// released.
    @exclusivity(unchecked) var inputs: [ObjectIdentifier: any Sendable] = [:]

    /// The queue that runs the executor's jobs, one at a time, on a thread outside Swift's pool.
    let queue = DispatchQueue(label: "TestScheduler")

    /// Creates a scheduler at the beginning of its time.
    public convenience init() { self.init(patience: .seconds(30)) }

    /// - Parameter patience: The interval at which a waiting thread or task checks whether anything happens. Two
    ///   intervals without progress count as a hang.
    package init(patience: Swift.Duration) { self.patience = patience }

    /// The current instant.
    public var now: Instant { withLock { time } }

    /// The number of signals made from diagrams that have not ended.
    package var liveSignals: Int { withLock { inputs.count } }

    /// The number of threads that wait for their turn to advance the time.
    package var waitingThreads: Int { withLock { turns.parked.count } }

    /// The number of entries in the timeline, some of which may have been disposed of.
    package var entries: Int { withLock { timeline.count } }

    func withLock<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    // MARK: Scheduling

    /// Schedules an action for the current instant. It runs the next time the test advances, even by zero.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        schedule(after: .zero, action)
    }

    /// Schedules an action to run after a delay.
    ///
    /// - Parameters:
    ///   - delay: The delay from the current instant. Zero or less means the current instant.
    ///   - leeway: Ignored, because virtual time is exact.
    ///   - action: Runs once.
    /// - Returns: A disposable that cancels the action if it has not begun.
    @discardableResult
    public func schedule(
        after delay: Swift.Duration, leeway: Swift.Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        add(after: delay, repetition: nil, action)
    }

    /// Schedules an action to run repeatedly, without drift, until it is disposed of.
    ///
    /// The action does not run inside itself. If it advances the time by more than the interval, it runs once
    /// afterwards for all the runs that it has missed.
    ///
    /// - Parameters:
    ///   - delay: The delay before the first run. Zero or less means the current instant.
    ///   - interval: The time between two runs. Traps unless positive.
    ///   - leeway: Ignored.
    ///   - action: Runs at each of these instants.
    @discardableResult
    public func schedule(
        after delay: Swift.Duration, interval: Swift.Duration, leeway: Swift.Duration,
        _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        require(interval > .zero, "TestScheduler.schedule(interval: \(interval)): the interval must be positive")
        return add(after: delay, repetition: Repetition(interval: interval.limitedForSums), action)
    }

    private func add(
        after delay: Swift.Duration, repetition: Repetition?, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        let scheduled = TestAction(action, of: self)
        withLock {
            insert(
                Entry(action: scheduled.action, repetition: repetition), at: time.advanced(by: delay.limitedForSums))
        }
        return scheduled
    }

    /// Call under the lock.
    func insert(_ entry: Entry, at instant: Instant) { timeline.insert(entry, at: instant) }

    /// Call after an action has been disposed of. Removes all disposed actions when they are more than 16 and more than
    /// half of the timeline.
    func hasDisposed() {
        let removed = withLock { () -> [Entry] in
            disposed += 1
            guard disposed > 16, disposed > timeline.count / 2 else { return [] }
            disposed = 0
            return timeline.removeAll { $0.action.isDisposed }
        }
        // Released outside the lock.
        withExtendedLifetime(removed) {}
    }

    /// The number of actions that have yet to run, and when the first of them is due. Call under the lock.
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

    /// The progress count. Call under the lock.
    var progress: UInt { work.progress &+ begun }

    /// Takes the next action that is due by `limit`, or has become due because another one has advanced the time
    /// further, and advances the time to its instant. A disposed action does not advance the time. Call under the lock,
    /// and pass the entry to ``perform(_:)``.
    func takeNext(through limit: Instant?) -> Entry? {
        while let key = timeline.firstKey, let number = timeline.firstNumber {
            if let limit, max(limit, time) < key { return nil }
            // There is a first key, so there is a first entry.
            let (due, entry) = timeline.popFirst().unsafelyUnwrapped
            if entry.action.isDisposed {
                disposed = max(0, disposed - 1)
                continue
            }
            begun &+= 1
            if time < due { time = due }
            if let repetition = entry.repetition {
                let missed = due.duration(to: time).attoseconds / repetition.interval.attoseconds
                let delay = Swift.Duration(attosecondCount: repetition.interval.attoseconds * (missed + 1))
                repetition.place = (number, due.advanced(by: delay))
            }
            return entry
        }
        return nil
    }

    /// Runs an action that has been taken, and inserts it again if it repeats.
    func perform(_ entry: Entry) {
        entry.run()
        guard let repetition = entry.repetition else { return }
        withLock {
            guard !entry.action.isDisposed, let (number, next) = repetition.place.take() else { return }
            timeline.insert(entry, at: next, as: number)
        }
    }
}

/// The disposable of a scheduled action. Does not retain the scheduler.
final class TestAction: Disposable, @unchecked Sendable {
    // Sendable: any thread may read a weak reference, and nothing changes it.
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
