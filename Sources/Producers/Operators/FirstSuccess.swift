/// The error of ``SignalProducer/firstSuccess(_:)``: no producer has sent a value.
public struct AllFailed<Failure: Error>: Error {
    /// The errors, in the order of the producers. Producers that completed or were interrupted are left out.
    public let errors: [Failure]

    /// Creates the error.
    public init(errors: [Failure]) { self.errors = errors }
}

extension AllFailed: Equatable where Failure: Equatable {}
extension AllFailed: Hashable where Failure: Hashable {}

extension SignalProducer {
    /// Starts all producers, and sends the events of the first one that sends a value.
    ///
    /// Like ``race(_:)-(SignalProducer<Value,Failure>...)``, but a producer that ends without a value has not won.
    ///
    /// ```marbles
    /// cold a                                                   --X
    /// cold b                                                   ----1--2--|
    /// SignalProducer.firstSuccess([a, b.promoteError()])       ----1--2--|
    /// SignalProducer.firstSuccess([b, .init(value: 3)])        3|
    /// ```
    ///
    /// The first value selects a producer, and the others are disposed of. The result ends in the same way as that
    /// producer. If it fails, its error is the only one in ``AllFailed``. If all producers end without a value, fails
    /// with their errors: an error of a single producer is not sent. Without producers, completes immediately. Buffers
    /// nothing, and stores one error per producer that has failed.
    ///
    /// - Parameter producers: The work begins in the order of the collection, until one sends a value.
    @_alwaysEmitIntoClient
    public static func firstSuccess(
        _ producers: some Collection<SignalProducer> & Sendable
    ) -> SignalProducer<Value, AllFailed<Failure>> {
        firstSuccess(Array(producers), stagger: nil)
    }

    /// Starts producers one after another, each after an interval or when the previous one has failed, and sends the
    /// events of the first one that sends a value.
    ///
    /// Use it for hedged requests: the next server is asked if the previous one is slow.
    ///
    /// ```marbles
    /// cold slow                                                                         ---------1|
    /// cold fast                                                                         --2|
    /// SignalProducer.firstSuccess([slow, fast], staggeredBy: .seconds(3), on: clock)    -----2|
    /// ```
    ///
    /// Like ``firstSuccess(_:)``, but the first producer starts alone. Each other one starts on the scheduler when
    /// `interval` has passed since the start of the previous one. It starts earlier, on the sender's thread, if the
    /// previous one ends without a value. All that have started run at the same time. If the scheduler releases the
    /// action that would start the next one, the result is interrupted: see ``/HotSignals/Scheduler``.
    ///
    /// - Parameters:
    ///   - producers: In the order in which to start them.
    ///   - interval: Traps if negative.
    ///   - scheduler: Measures the time, and starts the producers after the first.
    @_alwaysEmitIntoClient
    public static func firstSuccess(
        _ producers: some Collection<SignalProducer> & Sendable, staggeredBy interval: Duration,
        on scheduler: some DelayScheduler
    ) -> SignalProducer<Value, AllFailed<Failure>> {
        require(interval >= .zero, "firstSuccess(staggeredBy: \(interval)): the interval must not be negative")
        return firstSuccess(Array(producers)) { action in
            let action: @Sendable () -> Void = { scheduler.runWithoutTaskLocals(action) }
            return interval > .zero
                ? scheduler.schedule(after: interval, action) : scheduler.schedule(action)
        }
    }

    @_alwaysEmitIntoClient
    static func firstSuccess(
        _ producers: [SignalProducer], stagger: FirstSuccessSink<Value, Failure>.Stagger?
    ) -> SignalProducer<Value, AllFailed<Failure>> {
        let name = StreamName("+firstSuccess:", parent: OperatorInputs(producers.map { $0.streamName }))
        guard !producers.isEmpty else { return SignalProducer<Value, AllFailed<Failure>>(name, .ended(.completed)) }
        let contention = producers.lazy.map { $0.contention }.joined()
        let first = SignalProducer<Void, Never>(name, .value(()), contention: contention)
            .derive("firstSuccess") { FirstSuccessSink($0, producers, stagger: stagger) }
        return SignalProducer<Value, AllFailed<Failure>>(name, first.work, contention: contention)
    }
}

/// Starts producers until one of them sends a value. Begins when it receives the only value of its source.
///
/// Decides under a lock, and acts outside it. A producer that ends while it is being started leaves the next start to
/// the loop that starts it, so any number of them does not deepen the stack.
@usableFromInline
@_fixed_layout
final class FirstSuccessSink<Element: Sendable, ElementFailure: Error>: WorkingSink, InnerOwner {
    @usableFromInline typealias Value = Void
    @usableFromInline typealias Failure = Never
    /// Schedules the start of the next producer.
    @usableFromInline typealias Stagger = @Sendable (@escaping @Sendable () -> Void) -> (any Disposable)?

    @frozen @usableFromInline
    struct State {
        /// The number of producers that have started, and of the one that started last.
        @usableFromInline var last: UInt = 0
        /// Whether the start of the last one has not returned.
        @usableFromInline var isStarting = false
        /// Whether the last one has ended without a value, or need not be waited for.
        @usableFromInline var mayStartNext = false
        @usableFromInline var starts = NumberedStarts()
        @usableFromInline var errors: [(number: UInt, error: ElementFailure)] = []
        /// The number of producers that have ended without a value.
        @usableFromInline var ended = 0
        /// Rings when the next producer may start although the last one still runs.
        @usableFromInline var alarm = Alarm()
        @usableFromInline var isStopped = false

        @inlinable
        init() {}
    }

    @usableFromInline let core: Core<Element, AllFailed<ElementFailure>>
    @usableFromInline let producers: [SignalProducer<Element, ElementFailure>]
    @usableFromInline let stagger: Stagger?
    @usableFromInline let state = Locked(State())
    /// The number of the winner, or 0. Written under the lock.
    @usableFromInline let winner = AtomicWord(0)
    @usableFromInline let taskContext = LibraryTask.captured

    @_alwaysEmitIntoClient
    init(
        _ core: Core<Element, AllFailed<ElementFailure>>, _ producers: [SignalProducer<Element, ElementFailure>],
        stagger: Stagger?
    ) {
        self.core = core
        self.producers = producers
        self.stagger = stagger
    }

    @_alwaysEmitIntoClient
    func next(_: Void) { start(state.withLock { takeNext(&$0) }) }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Never>) {
        if !termination.isCompletion { core.sendEnd(.interrupted) }
    }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { core.terminated.isRaised }

    // MARK: Starting

    /// - alarm: The number of the alarm to set for the producer after this one.
    @usableFromInline typealias Beginning = (
        number: UInt, start: Start, formerAction: (any Disposable)?, alarm: UInt?
    )

    /// Call only under the lock. Returns the producer that starts next, if there is one.
    @_alwaysEmitIntoClient
    func takeNext(_ state: inout State) -> Beginning? {
        guard !state.isStopped, winner.load() == 0, Int(state.last) < producers.count, !core.terminated.isRaised else {
            return nil
        }
        state.last += 1
        state.isStarting = true
        state.mayStartNext = stagger == nil
        let start = makeStart()
        state.starts.add(start, state.last)
        let formerAction = state.alarm.clear()
        let isStaggered = stagger != nil && Int(state.last) < producers.count
        return (state.last, start, formerAction, isStaggered ? state.alarm.set() : nil)
    }

    /// The loop: starts a producer, and then the next ones for as long as they need not wait.
    @_alwaysEmitIntoClient
    func start(_ first: Beginning?) {
        var next = first
        while let (number, start, formerAction, alarm) = next {
            formerAction?.dispose()
            if let alarm { schedule(alarm) }
            begin(producers[Int(number) - 1], number, of: start)
            next = state.withLock { state in
                guard number == state.last else { return nil }
                state.isStarting = false
                return state.mayStartNext ? takeNext(&state) : nil
            }
        }
    }

    /// Lets the next producer start when the interval is over.
    @_alwaysEmitIntoClient
    func schedule(_ alarm: UInt) {
        let released = ReleasedAction { [self] in
            guard awaits(alarm) else { return }
            LibraryThread.run { if self.awaits(alarm) { self.core.sendEnd(.interrupted) } }
        }
        let action = stagger? { [self] in
            start(state.withLock { $0.alarm.isSet(as: alarm) ? takeNext(&$0) : nil })
            withExtendedLifetime(released) {}
        }
        state.withLock { $0.alarm.keep(action, for: alarm) }?.dispose()
    }

    @_alwaysEmitIntoClient
    func awaits(_ alarm: UInt) -> Bool { state.withLock { $0.alarm.isSet(as: alarm) } }

    // MARK: Producers

    @_alwaysEmitIntoClient
    func send(_ value: Element, from number: UInt, _: Start?) {
        if wins(number) { core.sendNext(value) }
    }

    /// Returns whether a producer is the winner. Makes it the winner, and disposes of the others, if there is none yet.
    @_alwaysEmitIntoClient
    func wins(_ number: UInt) -> Bool {
        let winner = winner.load()
        if winner != 0 { return winner == number }
        let losers = state.withLock { state -> (starts: NumberedStarts, action: (any Disposable)?)? in
            guard self.winner.load() == 0, !state.isStopped else { return nil }
            self.winner.store(number)
            return (state.starts.removeAll(but: number), state.alarm.clear())
        }
        guard let losers else { return self.winner.load() == number }
        losers.action?.dispose()
        losers.starts.disposeOfAll()
        return true
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<ElementFailure>, of number: UInt, _ start: Start?) {
        // The start is released outside the lock.
        let (removed, end, next) = state.withLock { state in
            let removed = state.starts.remove(number)
            let end = decide(termination, of: number, &state)
            // The loop that starts this producer takes the next one.
            let mayStart = end == nil && number == state.last && state.mayStartNext && !state.isStarting
            return (removed, end, mayStart ? takeNext(&state) : nil)
        }
        if let end { core.sendEnd(end) }
        start?.runCleanups()
        self.start(next)
        withExtendedLifetime(removed) {}
    }

    /// Call only under the lock. Returns the terminal event of the result, if it follows.
    @_alwaysEmitIntoClient
    func decide(
        _ termination: Termination<ElementFailure>, of number: UInt, _ state: inout State
    ) -> Termination<AllFailed<ElementFailure>>? {
        guard !state.isStopped else { return nil }
        let winner = winner.load()
        if winner != 0 {
            guard winner == number else { return nil }
            return termination.mapError { AllFailed(errors: [$0]) }
        }
        if case .error(let error) = termination { state.errors.append((number, error)) }
        state.ended += 1
        if number == state.last { state.mayStartNext = true }
        guard state.ended == producers.count else { return nil }
        return .error(AllFailed(errors: state.errors.sorted { $0.number < $1.number }.map { $0.error }))
    }

    // MARK: The end

    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { { self.stop() } }

    @_alwaysEmitIntoClient
    func stop() {
        let (starts, action, errors) = state.withLock { state in
            state.isStopped = true
            return (state.starts.removeAll(), state.alarm.clear(), exchange(&state.errors, with: []))
        }
        action?.dispose()
        starts.disposeOfAll()
        withExtendedLifetime(errors) {}
    }
}
