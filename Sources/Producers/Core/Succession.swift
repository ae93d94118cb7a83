/// Work that is followed by work: what `concat`, `then`, `retry` and `repeat` are made of.
///
/// It takes one step after the other: begins a producer, waits for a scheduler, or ends. What a producer ends with decides on
/// the next step. One loop takes the steps: a producer that ends before its beginning returns leaves the next step to the
/// loop, so any number of them does not deepen the stack.
@usableFromInline
@_fixed_layout
final class Succession<Value: Sendable, Failure: Error>: RunHead {
    @frozen @usableFromInline
    enum Step: Sendable {
        /// Calls ``begin(_:next:then:)``.
        case begin(@Sendable (Succession) -> Void)
        /// Has the next step taken when the scheduler gets round to it.
        case wait(@Sendable (@escaping @Sendable () -> Void) -> (any Disposable)?, then: @Sendable () -> Step)
        case end(Termination<Failure>)
    }

    @frozen @usableFromInline
    struct State {
        /// The work in progress.
        @usableFromInline var current: Run?
        /// How many waits for a scheduler have begun.
        @usableFromInline var waits: UInt = 0
        /// The number of the wait in progress; 0 if there is none.
        @usableFromInline var currentWait: UInt = 0
        /// The timer of the wait in progress, once `schedule` has returned it.
        @usableFromInline var timer: (any Disposable)?
        /// The thread whose loop takes the steps; 0 if none does.
        @usableFromInline var looper: UInt = 0
        /// The step that it is to take next.
        @usableFromInline var next: Step?

        @inlinable
        init() {}
    }

    @usableFromInline let sink: ProducerSink<Value, Failure>
    @usableFromInline let state = Locked(State())
    /// Those of the start, for the work that begins later, on whichever thread.
    @usableFromInline let surroundings = LibraryTask.captured

    @inlinable
    init(_ sink: ProducerSink<Value, Failure>) { self.sink = sink }

    /// Takes the first step, unless the run is over.
    @inlinable
    static func run(into sink: ProducerSink<Value, Failure>, _ first: Step) {
        let succession = Succession(sink)
        if sink.run.attach(succession) { succession.proceed(first) } else { sink.finish(.interrupted) }
    }

    // MARK: Steps

    /// Takes a step, or leaves it to this thread's loop. The loop of another thread has nothing more to do: it has begun what
    /// this step follows from, and goes home when that returns.
    @inlinable
    func proceed(_ step: Step) {
        let thread = ThreadIdentity.current
        let isLooping = state.withLock { state in
            if state.looper == thread { state.next = step }
            defer { state.looper = thread }
            return state.looper == thread
        }
        if isLooping { return }
        var next: Step? = step
        while let step = next {
            take(step)
            next = state.withLock { state in
                guard state.looper == thread else { return nil }
                if state.next == nil { state.looper = 0 }
                return state.next.take()
            }
        }
    }

    @inlinable
    func take(_ step: Step) {
        if sink.run.isOver { return sink.finish(.interrupted) }
        switch step {
        case .begin(let begin): begin(self)
        case .wait(let schedule, let then): wait(schedule, then)
        case .end(let termination): sink.finish(termination)
        }
    }

    /// Begins work.
    ///
    /// - Parameters:
    ///   - next: Gets its values.
    ///   - then: Gets what it ends with, and says what follows. Not asked once the whole has been disposed of.
    @inlinable
    func begin<WorkValue, WorkFailure>(
        _ producer: SignalProducer<WorkValue, WorkFailure>, next: @escaping @Sendable (WorkValue) -> Void,
        then: @escaping @Sendable (Termination<WorkFailure>) -> Step
    ) {
        switch producer.work {
        case .value(let value):
            next(value)
            endWork(.completed, then)
        case .ended(let termination): endWork(termination, then)
        case .handler, .chain:
            // Counted by itself, as at the end what it used is freed only after the observer has seen the end of the whole.
            let run = Run(within: surroundings)
            state.withLock { $0.current = run }
            // Disposed of before there was something to dispose of.
            if sink.run.isOver { run.dispose() }
            let workSink = ProducerSink<WorkValue, WorkFailure>(run) { event in
                switch event {
                case .next(let value): if !run.isOver { next(value) }
                case .error(let error): self.end(run, .error(error), then)
                case .completed: self.end(run, .completed, then)
                case .interrupted: self.end(run, .interrupted, then)
                }
            }
            LibraryTask.with(surroundings) { producer.begin(run, workSink) }
        }
    }

    /// After work that has no run.
    @inlinable
    func endWork<WorkFailure>(
        _ termination: Termination<WorkFailure>, _ then: (Termination<WorkFailure>) -> Step
    ) {
        if sink.run.isOver { sink.finish(.interrupted) } else { proceed(then(termination)) }
    }

    @inlinable
    func end<WorkFailure>(
        _ run: Run, _ termination: Termination<WorkFailure>, _ then: (Termination<WorkFailure>) -> Step
    ) {
        guard run.raiseEnd() else { return }
        let ended = state.withLock { $0.current.take() }
        if sink.run.isOver {
            sink.finish(.interrupted)
            run.finish()
        } else {
            let step = then(termination)
            // At the end the observer comes first, otherwise what this work used is free before the next begins.
            if case .end = step {
                proceed(step)
                run.finish()
            } else {
                run.finish()
                proceed(step)
            }
        }
        withExtendedLifetime(ended) {}
    }

    /// Waits for a scheduler.
    ///
    /// The timer may fire before `schedule` returns, and the next wait may begin then. So each wait has a number, and a
    /// timer is kept only while its own wait is in progress.
    @inlinable
    func wait(
        _ schedule: @Sendable (@escaping @Sendable () -> Void) -> (any Disposable)?,
        _ then: @escaping @Sendable () -> Step
    ) {
        let number = state.withLock { state in
            state.waits += 1
            state.currentWait = state.waits
            return state.waits
        }
        // Disposed of before there was something to dispose of.
        if sink.run.isOver {
            if stopWaiting(number) { sink.finish(.interrupted) }
            return
        }
        let timer = schedule {
            if self.stopWaiting(number) { self.proceed(then()) }
        }
        let isLate = state.withLock { state in
            if state.currentWait == number { state.timer = timer }
            return state.currentWait != number
        }
        if isLate { timer?.dispose() }
    }

    /// Ends a wait, unless it has ended already. Returns whether it has not.
    @inlinable
    func stopWaiting(_ number: UInt) -> Bool {
        let (wasWaiting, timer) = state.withLock { state -> (Bool, (any Disposable)?) in
            guard state.currentWait == number else { return (false, nil) }
            state.currentWait = 0
            return (true, state.timer.take())
        }
        withExtendedLifetime(timer) {}
        return wasWaiting
    }

    // MARK: As the head of the run

    @usableFromInline
    func interrupt() -> Bool {
        let isScheduled = state.withLock { $0.current }?.interrupt() == true
        stopTimer { self.sink.finish(.interrupted) }
        return isScheduled
    }

    @usableFromInline
    func cutOff() {
        state.withLock { $0.current.take() }?.cutOff()
        stopTimer {}
    }

    private func stopTimer(_ then: () -> Void) {
        let (wasWaiting, timer) = state.withLock { state in
            defer { state.currentWait = 0 }
            return (state.currentWait != 0, state.timer.take())
        }
        timer?.dispose()
        if wasWaiting { then() }
    }
}

extension SignalProducer {
    /// Begins this as a step whose values are passed on.
    @inlinable
    func step<NewFailure>(
        then: @escaping @Sendable (Termination<Failure>) -> Succession<Value, NewFailure>.Step
    ) -> Succession<Value, NewFailure>.Step {
        .begin { succession in succession.begin(self, next: { succession.sink.next($0) }, then: then) }
    }
}
