/// Runs producers one after another: the engine of `concat`, `then`, `retry` and `repeat`.
///
/// A step starts a producer, waits on a scheduler, or terminates. How a producer terminates determines the next step. A
/// single loop executes the steps: a producer that terminates before the call that starts it returns leaves the next
/// step to the loop, so producers that terminate synchronously never deepen the stack.
@usableFromInline
@_fixed_layout
package final class SerialStart<Value: Sendable, Failure: Error>: StartHead, @unchecked Sendable {
    // Sendable: the loop, which runs on one thread at a time, owns the only field that no lock guards.

    @frozen @usableFromInline
    package enum Step: Sendable {
        /// Starts a producer: the closure calls ``begin(_:next:then:)``.
        case begin(@Sendable (SerialStart) -> Void)
        /// Does once more what ``repeated`` does.
        case again
        /// Schedules an action that continues with the step that `then` returns.
        case wait(@Sendable (@escaping @Sendable () -> Void) -> (any Disposable)?, then: @Sendable () -> Step)
        case end(Termination<Failure>)
    }

    @frozen @usableFromInline
    struct State {
        /// The start of the current producer, or of the last one until the next begins.
        @usableFromInline var current: Start?
        /// Ends the current wait.
        @usableFromInline var alarm = Alarm()
        /// The thread whose loop executes the steps. 0 if there is none.
        @usableFromInline var loopThread: UInt = 0
        /// The next step for that loop.
        @usableFromInline var next: Step?

        @inlinable
        init() {}
    }

    @usableFromInline let sink: ProducerSink<Value, Failure>
    @usableFromInline let state = Locked(State())
    /// The task context of the start. Work that begins later, on any thread, runs within it.
    @usableFromInline let taskContext = LibraryTask.captured
    /// Starts a producer, as in ``Step/begin(_:)``. Made once, for a serial start that starts it often.
    @usableFromInline let repeated: (@Sendable (SerialStart) -> Void)?
    /// Only for the loop. The start of a producer that has ended.
    @exclusivity(unchecked) @usableFromInline var ended: Start?

    @_alwaysEmitIntoClient
    init(_ sink: ProducerSink<Value, Failure>, repeating repeated: (@Sendable (SerialStart) -> Void)?) {
        self.sink = sink
        self.repeated = repeated
    }

    /// Executes the first step. If the start is already over, interrupts the sink instead.
    ///
    /// - Parameter repeated: What ``Step/again`` starts, for a serial start that starts it often.
    @_alwaysEmitIntoClient @inline(__always)
    package static func run(
        into sink: ProducerSink<Value, Failure>, _ first: Step = .again,
        repeating repeated: (@Sendable (SerialStart) -> Void)? = nil
    ) {
        let serial = SerialStart(sink, repeating: repeated)
        if sink.start.attach(serial) { serial.proceed(first) } else { sink.end(.interrupted) }
    }

    // MARK: Steps

    /// Executes a step, or leaves it to the loop if that runs on this thread. A loop on another thread has nothing left
    /// to do: it has started the producer that led to this step, and stops when that call returns.
    @_alwaysEmitIntoClient
    func proceed(_ step: consuming Step) {
        let thread = ThreadIdentity.current
        var next: Step? = consume step
        let isLooping = state.withLock { state in
            if state.loopThread == thread { swap(&state.next, &next) }
            defer { state.loopThread = thread }
            return state.loopThread == thread
        }
        if !isLooping { loop(next, on: thread) }
    }

    /// The loop. `state` says that it runs on this thread. Other threads cannot keep it here: one that adds a step runs
    /// it itself, and ends this loop.
    @_alwaysEmitIntoClient
    func loop(_ first: consuming Step?, on thread: UInt) {
        var next = consume first
        while let step = next.take() {
            take(step)
            let former: Start? = state.withLock { state in
                guard state.loopThread == thread else { return nil }
                if state.next == nil {
                    state.loopThread = 0
                    return nil
                }
                swap(&state.next, &next)
                return state.current.take()
            }
            // Otherwise the loop is over, and another one may have begun.
            if next != nil { ended = former }
        }
    }

    @_alwaysEmitIntoClient
    func take(_ step: consuming Step) {
        if sink.start.isOver { return sink.end(.interrupted) }
        switch consume step {
        case .begin(let begin): begin(self)
        case .again: repeated?(self)
        case .wait(let schedule, let then): wait(schedule, then)
        case .end(let termination): sink.end(termination)
        }
    }

    /// Starts a producer.
    ///
    /// - Parameters:
    ///   - next: Receives the values.
    ///   - then: Receives the terminal event and returns the next step. Not called if the start has been disposed of.
    @_alwaysEmitIntoClient
    func begin<WorkValue, WorkFailure>(
        _ producer: SignalProducer<WorkValue, WorkFailure>, next: @escaping @Sendable (WorkValue) -> Void,
        then: @escaping @Sendable (Termination<WorkFailure>) -> Step
    ) {
        switch producer.work {
        case .value(let value):
            next(value)
            end(nil, .completed, then)
        case .ended(let termination): end(nil, termination, then)
        case .handler, .chain:
            let start = makeStart()
            // What suspends the result suspends each producer that can be suspended.
            if let senders = sink.start.senders { start.senders = senders }
            let former = state.withLock { state in
                defer { state.current = start }
                return state.current.take()
            }
            withExtendedLifetime(former) {}
            // The start was disposed of before there was anything to cancel.
            if sink.start.isOver { start.dispose() }
            let workSink = ProducerSink<WorkValue, WorkFailure>(start) { event in
                if case .next(let value) = event.pointee {
                    if !start.isOver { next(value) }
                } else if let termination = Termination(event.pointee) {
                    self.end(start, termination, then)
                }
            }
            LibraryTask.with(taskContext) { producer.beginWork(of: start, into: workSink) }
        }
    }

    /// Returns the start of the next producer: the last one, if nothing refers to that any more.
    ///
    /// It is counted separately in the caller's counter: the resources of the last producer are released only after the
    /// observer has received the final terminal event.
    @_alwaysEmitIntoClient
    func makeStart() -> Start {
        if var start = ended.take(), isKnownUniquelyReferenced(&start),
            start.renew(within: taskContext)
        {
            return start
        }
        return Start(within: taskContext, of: sink.start)
    }

    /// - Parameter start: `nil` for a producer that needs none.
    @_alwaysEmitIntoClient
    func end<WorkFailure>(
        _ start: Start?, _ termination: Termination<WorkFailure>,
        _ then: (Termination<WorkFailure>) -> Step
    ) {
        if let start, !start.raiseEnd() { return }
        if sink.start.isOver {
            sink.end(.interrupted)
            start?.runCleanups()
            return
        }
        let step = then(termination)
        var isLast = false
        if case .end = step { isLast = true }
        // When the last producer ends, the observer receives the terminal event before this start is cleaned up.
        // Otherwise the start is cleaned up first, so that its resources are free before the next producer
        // starts.
        if !isLast { start?.runCleanups() }
        proceed(consume step)
        if isLast { start?.runCleanups() }
    }

    /// Waits on a scheduler.
    @_alwaysEmitIntoClient
    func wait(
        _ schedule: @Sendable (@escaping @Sendable () -> Void) -> (any Disposable)?,
        _ then: @escaping @Sendable () -> Step
    ) {
        let number = state.withLock { $0.alarm.set() }
        // The start was disposed of before there was anything to cancel.
        if sink.start.isOver {
            if stopWaiting(number) { sink.end(.interrupted) }
            return
        }
        let released = ReleasedAction {
            if self.stopWaiting(number) { LibraryThread.run { self.sink.end(.interrupted) } }
        }
        let action = schedule {
            if self.stopWaiting(number) { self.proceed(then()) }
            withExtendedLifetime(released) {}
        }
        state.withLock { $0.alarm.keep(action, for: number) }?.dispose()
    }

    /// Ends a wait. Returns `false` if it has already ended.
    @_alwaysEmitIntoClient
    func stopWaiting(_ number: UInt) -> Bool {
        let (wasWaiting, action) = state.withLock { state -> (Bool, (any Disposable)?) in
            state.alarm.isSet(as: number) ? (true, state.alarm.clear()) : (false, nil)
        }
        withExtendedLifetime(action) {}
        return wasWaiting
    }

    // MARK: StartHead conformance

    @usableFromInline
    package func interrupt() -> Bool {
        let isScheduled = state.withLock { $0.current }?.interrupt() == true
        if stopTimer() { sink.end(.interrupted) }
        return isScheduled
    }

    @usableFromInline
    package func cutOff() {
        state.withLock { $0.current.take() }?.cutOff()
        _ = stopTimer()
    }

    private func stopTimer() -> Bool {
        let (wasWaiting, action) = state.withLock { state in (state.alarm.isSet, state.alarm.clear()) }
        action?.dispose()
        return wasWaiting
    }
}

extension SignalProducer {
    /// Returns a step that starts this producer and forwards its values.
    @_alwaysEmitIntoClient
    package func step<NewFailure>(
        then: @escaping @Sendable (Termination<Failure>) -> SerialStart<Value, NewFailure>.Step
    ) -> SerialStart<Value, NewFailure>.Step {
        .begin { serial in serial.begin(self, next: { serial.sink.next($0) }, then: then) }
    }
}
