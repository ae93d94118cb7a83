import Dispatch
import HotSignals
public import ReactiveSignals

/// A scheduler and clock whose time stands still until a test advances it.
///
/// Actions run in the order of their due times, and those due at the same instant in the order in which they were
/// scheduled. An action that is scheduled while the time advances also runs if it becomes due. Any thread can schedule.
/// Actions run one at a time, and never under a lock.
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
    // Sendable: `lock` guards what changes.

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

    /// Creates a scheduler at the beginning of its time.
    public convenience init() { self.init(patience: .seconds(30)) }

    /// - Parameter patience: How long to wait for a turn until nothing seems to happen. It counts as a hang after twice
    ///   this.
    package init(patience: Swift.Duration) { self.patience = patience }

    /// The current instant.
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

    /// Schedules an action for the current instant. It runs the next time the test advances, even by zero.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        schedule(after: .zero, action)
    }

    /// Schedules an action to run after a delay.
    ///
    /// - Parameters:
    ///   - delay: The delay from the current instant. Traps if negative.
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
    /// - Parameters:
    ///   - delay: The delay before the first run. Traps if negative.
    ///   - interval: The time between two runs. Traps unless positive.
    ///   - leeway: Ignored.
    ///   - action: Runs at each of these instants.
    @discardableResult
    public func schedule(
        after delay: Swift.Duration, interval: Swift.Duration, leeway: Swift.Duration,
        _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        require(
            interval > .zero, "TestScheduler.schedule(interval: \(interval)): the interval must be positive",
            file: #fileID, line: #line)
        return add(after: delay, repetition: Repetition(interval: interval), action)
    }

    private func add(
        after delay: Swift.Duration, repetition: Repetition?, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        require(
            delay >= .zero, "TestScheduler.schedule(after: \(delay)): the delay must not be negative",
            file: #fileID, line: #line)
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
