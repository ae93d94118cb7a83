public import ColdProducers
public import HotSignals

/// Stops calls to a dependency that fails, and tries from time to time whether it has recovered.
///
/// Share one breaker among all producers that use the dependency:
///
/// ```swift
/// struct Down: Error {}
///
/// let clock = TestScheduler()
/// let breaker = CircuitBreaker<Down, TestScheduler.Instant>(
///     failures: 2, reset: .constant(.seconds(30)), on: clock)
/// let request = SignalProducer<Int, Down>(error: Down()).on(starting: { print("calling") }).circuitBreaker(breaker)
/// for _ in 1...3 { request.startWithError { print($0) } }
/// // prints calling
/// // prints failed(…Down())
/// // prints calling
/// // prints failed(…Down())
/// // prints open(until: 30.0 seconds)
/// clock.advance(by: .seconds(30))
/// print(breaker.state.value)  // prints halfOpen
/// ```
///
/// - **Closed**: all starts do their work. After a number of failures in a row, or if a share of the last results are
///   failures, the breaker opens.
/// - **Open**: starts fail immediately with ``CircuitBreakerError/open(until:)``, and no work is done. After the reset
///   time, the breaker is half open.
/// - **Half open**: the next start is a trial. Others fail as if the breaker was open. If the trial succeeds, the
///   breaker closes, and counts from the beginning. If it fails, the breaker opens again. If it has no result after the
///   reset time, the next start is a trial as well: so a trial that hangs does not keep the breaker half open, and the
///   dependency receives one call per reset time. The first result of any trial decides.
///
/// **Results**: an error is a failure, unless `isFailure` says otherwise. Completion, another error, and disposal after
/// a value are successes. Interruption without a value is neither: after such a trial, the next start is the trial. The
/// result of work that began before the breaker last opened or closed is ignored.
///
/// **Time limits**: work that never ends has no result. Put `timeout` in front of the breaker, so that being slow is a
/// failure. A timeout behind the breaker interrupts the work, which is neither a success nor a failure:
///
/// ```swift
/// struct Slow: Error {}
///
/// let breaker = CircuitBreaker<Slow, SuspendingClock.Instant>(
///     failures: 3, reset: .constant(.seconds(10)), on: QueueScheduler())
/// let request = SignalProducer<Int, Slow>.never
///     .timeout(after: .seconds(2), raising: Slow(), on: QueueScheduler())
///     .circuitBreaker(breaker)
/// ```
///
/// **Threads**: any thread can use it. No call waits. ``state`` changes on the thread that causes the change, and on
/// the scheduler when the reset time is over. If another thread is computing what follows from it, it changes when that
/// thread is done.
///
/// **Memory**: one word per result that a share is computed from. The scheduler does not retain the breaker: once that
/// is released, ``state`` no longer changes.
public final class CircuitBreaker<Failure: Error, Instant: InstantProtocol & Sendable>: Sendable
where Instant.Duration == Duration {
    /// What a ``CircuitBreaker`` does with starts.
    public enum State: Equatable, Sendable {
        /// All starts do their work.
        case closed
        /// Starts fail, until this instant.
        case open(until: Instant)
        /// One start per reset time is a trial, and others fail.
        case halfOpen
    }

    /// The state of the breaker, for a health page or a metric. Its events follow every change, in order.
    public let state: Property<State>

    private let published: MutableProperty<State>
    private let circuit = Locked(Circuit())
    private let condition: OpeningCondition
    private let isFailure: @Sendable (Failure) -> Bool
    /// The reset times of the current series of failures. Used by one thread at a time: see `isOpening`.
    private let pacing = Locked<Pacing?>(nil)
    private let makePacing: @Sendable () -> RetryPacing<Failure>
    /// The time since the origin.
    private let elapsed: @Sendable () -> Duration
    private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> (any Disposable)?
    // Last, because its size is known only at run time.
    private let origin: Instant

    private init<S: DelayScheduler>(
        _ condition: OpeningCondition, reset: RetryPolicy<Failure>, on scheduler: S,
        isFailure: @escaping @Sendable (Failure) -> Bool
    ) where S.Instant == Instant {
        self.condition = condition
        self.isFailure = isFailure
        published = MutableProperty(.closed, contention: .enqueue)
        state = Property(capturing: published)
        let origin = scheduler.now
        self.origin = origin
        elapsed = { origin.duration(to: scheduler.now) }
        schedule = { delay, action in scheduler.schedule(after: delay, action) }
        makePacing = {
            let begin = scheduler.now
            return RetryPacing(reset.withoutReset) { begin.duration(to: scheduler.now) }
        }
    }

    /// Creates a breaker that opens after a number of failures in a row.
    ///
    /// - Parameters:
    ///   - failures: How many failures open the breaker. Traps unless positive.
    ///   - reset: The reset times: the first delay after the first opening, the next one if the trial fails, and so on,
    ///     from the beginning once the breaker has closed. If the policy gives up, the last delay is used again, and if
    ///     there is none, the breaker stays closed.
    ///   - scheduler: Measures the time.
    ///   - isFailure: Whether an error means that the dependency does not work. All errors by default.
    public convenience init<S: DelayScheduler>(
        failures: Int, reset: RetryPolicy<Failure>, on scheduler: S,
        isFailure: @escaping @Sendable (_ error: Failure) -> Bool = { _ in true }
    ) where S.Instant == Instant {
        require(failures > 0, "CircuitBreaker(failures: \(failures)): the number of failures must be positive")
        self.init(.inARow(failures), reset: reset, on: scheduler, isFailure: isFailure)
    }

    /// Creates a breaker that opens when a share of the last results are failures.
    ///
    /// A failure opens the breaker if, with it, the share of failures among the last results is large enough. A success
    /// never does, and nothing does before there are as many results since the breaker was closed.
    ///
    /// - Parameters:
    ///   - share: The share of failures that opens the breaker. Traps unless greater than 0 and at most 1.
    ///   - count: How many results to look at. Traps unless positive.
    ///   - reset: The reset times: see ``init(failures:reset:on:isFailure:)``.
    ///   - scheduler: Measures the time.
    ///   - isFailure: Whether an error means that the dependency does not work. All errors by default.
    public convenience init<S: DelayScheduler>(
        failing share: Double, ofLast count: Int, reset: RetryPolicy<Failure>, on scheduler: S,
        isFailure: @escaping @Sendable (_ error: Failure) -> Bool = { _ in true }
    ) where S.Instant == Instant {
        require(
            share > 0 && share <= 1,
            "CircuitBreaker(failing: \(share)): the share must be greater than 0 and at most 1")
        require(count > 0, "CircuitBreaker(ofLast: \(count)): the number of results must be positive")
        self.init(.share(share, ofLast: count), reset: reset, on: scheduler, isFailure: isFailure)
    }

    deinit { circuit.withLock { $0.timer.take() }?.dispose() }

    // MARK: Starts

    /// The answer to a start.
    @frozen @usableFromInline
    enum Answer {
        /// - trial: The number of the trial, or 0.
        case admitted(epoch: UInt, trial: UInt)
        case refused(until: Instant)
    }

    @usableFromInline
    func admit() -> Answer {
        let now = elapsed()
        var timer: (any Disposable)?
        let (epoch, trial, refusedUntil) = circuit.withLock { circuit -> (UInt, UInt, Duration?) in
            // The timer may be late.
            if case .open(let until) = circuit.phase, until <= now {
                circuit.change(to: .halfOpen)
                timer = circuit.timer.take()
            }
            switch circuit.phase {
            case .closed: return (circuit.epoch, 0, nil)
            case .open(let until): return (circuit.epoch, 0, until)
            case .halfOpen:
                if let trial = circuit.trial, now < trial.until { return (circuit.epoch, 0, trial.until) }
                circuit.trials &+= 1
                circuit.trial = (circuit.trials, now + circuit.resetTime)
                return (circuit.epoch, circuit.trials, nil)
            }
        }
        timer?.dispose()
        publish()
        return refusedUntil.map { .refused(until: origin.advanced(by: $0)) } ?? .admitted(epoch: epoch, trial: trial)
    }

    /// Called once per admitted start that has completed, has failed otherwise, or has been cancelled after a value.
    @usableFromInline
    func succeed(in epoch: UInt) {
        let hasClosed = circuit.withLock { circuit in
            guard circuit.epoch == epoch else { return false }
            switch circuit.phase {
            case .closed: return record(false, &circuit) && false
            case .open: return false
            case .halfOpen:
                // The trial may end while another thread computes the reset time for it.
                if circuit.isOpening { return false }
                circuit.reset()
                circuit.openings = 0
                circuit.change(to: .closed)
                return true
            }
        }
        if hasClosed { publish() }
    }

    /// Called once per admitted start that has been interrupted without a result.
    @usableFromInline
    func abandon(trial: UInt) {
        circuit.withLock { circuit in
            if circuit.trial?.number == trial { circuit.trial = nil }
        }
    }

    /// Called once per admitted start that has failed.
    @usableFromInline
    func fail(_ error: Failure, in epoch: UInt) {
        guard isFailure(error) else { return succeed(in: epoch) }
        let openings = circuit.withLock { circuit -> Int? in
            guard circuit.epoch == epoch, !circuit.isOpening else { return nil }
            switch circuit.phase {
            case .closed: guard record(true, &circuit) else { return nil }
            case .open: return nil
            case .halfOpen: break
            }
            circuit.isOpening = true
            circuit.openings += 1
            return circuit.openings
        }
        if let openings { open(after: error, openings) }
    }

    /// Counts a result. Returns whether the breaker has to open. Call under the lock.
    private func record(_ isFailure: Bool, _ circuit: inout Circuit) -> Bool {
        switch condition {
        case .inARow(let limit):
            circuit.failures = isFailure ? circuit.failures + 1 : 0
            return circuit.failures >= limit
        case .share(let share, let count):
            if circuit.results.count == count, circuit.results.popFirst() == true { circuit.failures -= 1 }
            circuit.results.append(isFailure)
            if isFailure { circuit.failures += 1 }
            return circuit.results.count == count && Double(circuit.failures) / Double(count) >= share
        }
    }

    // MARK: Transitions

    /// The policy is the user's, so it is asked outside the lock. No other thread opens the breaker meanwhile.
    private func open(after error: Failure, _ openings: Int) {
        let pacing = openings == 1 ? Pacing(makePacing()) : self.pacing.withLock { $0 } ?? Pacing(makePacing())
        let delay = pacing.delay(after: error, openings)
        let former = self.pacing.withLock { former in
            defer { former = pacing }
            return former
        }
        withExtendedLifetime(former) {}
        let until = delay.map { elapsed() + $0 }
        let epoch = circuit.withLock { circuit -> UInt? in
            circuit.isOpening = false
            guard let until else {
                circuit.openings = 0
                circuit.reset()
                return nil
            }
            circuit.reset()
            circuit.change(to: .open(until: until))
            circuit.resetTime = delay ?? .zero
            return circuit.epoch
        }
        if let epoch, let delay { setTimer(delay, epoch) }
        publish()
    }

    private func setTimer(_ delay: Duration, _ epoch: UInt) {
        let timer = schedule(delay) { [weak self] in self?.halfOpen(epoch) }
        let isLate = circuit.withLock { circuit in
            if circuit.epoch == epoch { circuit.timer = timer }
            return circuit.epoch != epoch
        }
        if isLate { timer?.dispose() }
    }

    private func halfOpen(_ epoch: UInt) {
        let timer = circuit.withLock { circuit -> (any Disposable)? in
            guard circuit.epoch == epoch else { return nil }
            circuit.change(to: .halfOpen)
            return circuit.timer.take()
        }
        withExtendedLifetime(timer) {}
        publish()
    }

    /// Gives the property the states in order. One thread at a time does so, and others leave theirs to it. Never
    /// waits, because a disposal can close the breaker.
    private func publish() {
        // In the body of a `modify`, or in a closure that computes a property, the state follows.
        if PureSection.isCurrent { return PureSection.afterwards { self.publish() } }
        let isFirst = circuit.withLock { circuit in
            defer { circuit.isPublishing = true }
            return !circuit.isPublishing
        }
        if isFirst { publishNext(mayWait: false) }
    }

    /// Publishes the states that there are, or leaves that to another thread if the property is being used.
    private func publishNext(mayWait: Bool) {
        while let next = circuit.withLock({ $0.nextToPublish() }) {
            let state: State =
                switch next {
                case .closed: .closed
                case .open(let until): .open(until: origin.advanced(by: until))
                case .halfOpen: .halfOpen
                }
            var taken: DomainGate?
            published.root.update(
                owning: [], mayWait: mayWait, current: { state }, publishLater: { taken = $0 }, { (true, ()) })
            if let taken { return taken.whenFree { self.publishNext(mayWait: $0) } }
            circuit.withLock { _ = $0.unpublished.popFirst() }
        }
    }

    /// The reset times of a series of failures.
    private final class Pacing: @unchecked Sendable {
        // Sendable: used by one thread at a time: see `isOpening`.
        private let pacing: RetryPacing<Failure>
        private var last: Duration?

        init(_ pacing: RetryPacing<Failure>) { self.pacing = pacing }

        func delay(after error: Failure, _ openings: Int) -> Duration? {
            if let delay = pacing.delay(after: error, attempt: openings) { last = delay }
            return last
        }
    }
}

// Not in the class: code that is generic looks types up at run time.

/// What opens the breaker.
private enum OpeningCondition {
    case inARow(Int)
    case share(Double, ofLast: Int)
}

/// The state in terms of the time since the breaker was created. The instants are the scheduler's, whose code must
/// not run under the lock.
private enum CircuitPhase: Equatable {
    case closed
    case open(until: Duration)
    case halfOpen
}

private struct Circuit {
    var phase = CircuitPhase.closed
    /// Counts the transitions, so that late results can be recognized.
    var epoch: UInt = 0
    /// Whether a thread is computing the reset time. It then makes the next transition.
    var isOpening = false
    /// The trial that began last, and until when it has no successor. `nil` if the next start is a trial.
    var trial: (number: UInt, until: Duration)?
    var trials: UInt = 0
    /// How long the breaker was last open.
    var resetTime = Duration.zero
    /// The number of times that the breaker has opened since it was closed.
    var openings = 0
    /// The failures in a row, or among the last results.
    var failures = 0
    /// The last results, true for a failure, oldest first.
    var results = Queue<Bool>()
    var timer: (any Disposable)?
    /// What `state` has yet to become.
    var unpublished = Queue<CircuitPhase>()
    var isPublishing = false

    mutating func change(to new: CircuitPhase) {
        phase = new
        epoch &+= 1
        trial = nil
        unpublished.append(new)
    }

    /// The state to publish. `nil` if there is none, and then the caller no longer publishes.
    mutating func nextToPublish() -> CircuitPhase? {
        isPublishing = !unpublished.isEmpty
        return unpublished.first
    }

    mutating func reset() {
        failures = 0
        results = Queue()
    }
}
