package import ColdProducers
package import HotSignals

/// One start of the producer that ``Action/apply(_:)`` returns.
@usableFromInline
@_fixed_layout
final class Execution<Input: Sendable, Output: Sendable, Failure: Error>: ActionUnit, StartHead,
    @unchecked Sendable
{
    // Sendable: `work` is written before the unit is admitted, and read by the thread that begins the unit. `lane` is
    // written before that too, and read after the unit has ended.

    @usableFromInline let action: Action<Input, Output, Failure>
    @usableFromInline let input: Input
    @usableFromInline let sink: ProducerSink<Output, ActionError<Failure>>
    /// The task context of the start, for work that begins later from the queue.
    @usableFromInline let taskContext = LibraryTask.captured
    /// The start of the work itself.
    @usableFromInline let workStart: Start
    /// Called when the unit is over and the action is free again, or when the unit was not allowed to begin.
    @usableFromInline let whenOver: (@Sendable () -> Void)?
    /// The work, with the state in which it was admitted. `nil` once it has begun.
    @exclusivity(unchecked) @usableFromInline var work: Action<Input, Output, Failure>.Work?
    /// The task-locals of the start, for a unit that has been queued and begins on the thread that ends another unit.
    @exclusivity(unchecked) @usableFromInline var context: CapturedContext?

    @exclusivity(unchecked) @usableFromInline var lane: Gate?

    /// For the taps of the action. Written before the start.
    @exclusivity(unchecked) @usableFromInline var waitingNote: WaitingNote?

    /// The unit as an element of `executions`, if that was observed when the unit began. Written before the work
    /// begins.
    @exclusivity(unchecked) @usableFromInline
    var relay: (output: Signal<Output, Never>, input: Signal<Output, Never>.Observer)?

    @_alwaysEmitIntoClient
    init(
        _ action: Action<Input, Output, Failure>, _ input: Input, _ sink: ProducerSink<Output, ActionError<Failure>>,
        whenOver: (@Sendable () -> Void)? = nil
    ) {
        workStart = Start(within: taskContext, of: action)
        self.whenOver = whenOver
        self.action = action
        self.input = input
        self.sink = sink
    }

    /// In the body of a `modify`, or in a closure that computes a property, the start follows, because the work can set
    /// properties. So do the ends of units.
    @_alwaysEmitIntoClient
    func start() {
        if PureSection.isCurrent { return PureSection.afterwards { self.start() } }
        guard sink.start.attach(self) else { return turnAway(.interrupted) }
        let decision = action.admission.admit(self, prepareToWait: prepareToWait) {
            work = action.prepare()
            return work != nil
        }
        switch decision {
        case .begin(let former):
            context = nil
            former?.interruptWork()
            begin(mayWait: true)
        case .beginInTurn:
            context = nil
            beginIfEnabled(mayWait: true)
        case .wait:
            // The start was disposed of before the unit was in the queue.
            if workStart.isOver, action.admission.withdraw(self) {
                turnAway(.interrupted)
                return action.admission.finish()
            }
            waitingNote?.begin()
        case .refuse:
            sink.end(.error(.disabled))
            waitingNote?.finish()
            action.inputs.disabledErrors.sendNext(())
            whenOver?()
        }
    }

    /// Prepares the unit for the queue. The work is prepared once more when it is admitted: this one is released here,
    /// where no domain is owned, because its release may call code of the user.
    @_alwaysEmitIntoClient
    func prepareToWait() {
        work = nil
        context = CapturedContext()
    }

    /// Ends a unit that has not begun.
    @_alwaysEmitIntoClient
    func turnAway(_ termination: Termination<ActionError<Failure>>) {
        sink.end(termination)
        waitingNote?.finish()
        whenOver?()
    }

    // MARK: As a unit of the action

    @usableFromInline var admission: Admission { action.admission }

    @_alwaysEmitIntoClient
    func begin(mayWait: Bool) {
        guard let work = work.take(), !workStart.isOver else { return end(.interrupted, mayWait: mayWait) }
        let workSink = ProducerSink<Output, Failure>(workStart) { event in
            switch event.pointee {
            case .next(let value): self.send(value)
            case .error(let error): self.end(.error(error))
            case .completed: self.end(.completed)
            case .interrupted: self.end(.interrupted)
            }
        }
        if !action.executions.core.isUnobserved { announce(mayWait: mayWait) }
        LibraryTask.with(taskContext) { work(input).beginWork(of: workStart, into: workSink) }
    }

    /// Sends the producer of this unit on `executions`.
    @usableFromInline
    func announce(mayWait: Bool) {
        let relay = Signal<Output, Never>.pipe()
        self.relay = (relay.output, relay.input)
        send(SignalProducer(relay.output), to: action.executions, mayWait: mayWait)
    }

    @_alwaysEmitIntoClient
    func beginInTurn(mayWait: Bool) {
        waitingNote?.end()
        if let context = context.take() {
            context.run { beginIfEnabled(mayWait: mayWait) }
        } else {
            CapturedContext.runWithout { beginIfEnabled(mayWait: mayWait) }
        }
    }

    @_alwaysEmitIntoClient
    func beginIfEnabled(mayWait: Bool) {
        if action.admission.isConditionMet { return begin(mayWait: mayWait) }
        work = nil
        end(nil, mayWait: mayWait)
    }

    @usableFromInline
    func interruptWork() { workStart.dispose() }

    /// The observer of the start receives each event first.
    @_alwaysEmitIntoClient
    func send(_ value: Output) {
        if workStart.isOver { return }
        sink.next(value)
        action.inputs.values.sendNext(value)
        action.inputs.events.sendNext(.next(value))
        if let relay { relay.input.sendNext(value) }
    }

    /// Ends the unit, and begins the next one.
    ///
    /// - Parameters:
    ///   - termination: `nil` if the work has not begun because the action is disabled.
    ///   - mayWait: `false` on a thread that disposes of another unit.
    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>?, mayWait: Bool = true) {
        if PureSection.isCurrent { return PureSection.afterwards { self.end(termination, mayWait: mayWait) } }
        guard workStart.raiseEnd() else { return }
        let mayWait = mayWait && !workStart.isCancelled
        let termination = workStart.isCancelled ? .interrupted : termination
        switch termination {
        case nil: sink.end(.error(.disabled))
        case .error(let error): sink.end(.error(.producerError(error)))
        case .completed: sink.end(.completed)
        case .interrupted: sink.end(.interrupted)
        }
        // Releases the resources of the work before the action can be started again.
        workStart.runCleanups()
        waitingNote?.finish()
        let next = action.admission.leave(self, mayWait: mayWait)
        switch termination {
        case nil: send((), to: action.disabledErrors, mayWait: mayWait)
        case .error(let error): action.inputs.errors.sendNext(error)
        case .completed: action.inputs.completed.sendNext(())
        case .interrupted: break
        }
        if let termination { send(termination.event(), to: action.events, mayWait: mayWait) }
        if let relay { end(relay, termination, mayWait: mayWait) }
        whenOver?()
        action.admission.finish()
        if let next { action.admission.begin(next, after: self, mayWait: mayWait) }
    }

    @usableFromInline
    func end(
        _ relay: (output: Signal<Output, Never>, input: Signal<Output, Never>.Observer),
        _ termination: Termination<Failure>?, mayWait: Bool
    ) {
        let isInterrupted = if case .interrupted? = termination { true } else { false }
        if mayWait {
            if isInterrupted { relay.input.sendInterrupted() } else { relay.input.sendCompleted() }
        } else {
            relay.output.core.handOverEnd(isInterrupted ? .interrupted : .completed)
        }
    }

    /// - Parameter mayWait: `false` in a disposal, which never waits for an event that another thread is sending.
    @_alwaysEmitIntoClient
    func send<Value>(_ value: Value, to signal: Signal<Value, Never>, mayWait: Bool) {
        let core = signal.core
        if mayWait { core.sendNext(value) } else { core.gate.push(WaitingEvent(.next(value), to: core)) }
    }

    // MARK: As the head of its start

    @usableFromInline
    func interrupt() -> Bool {
        let isScheduled = workStart.interrupt()
        if action.admission.withdraw(self) {
            waitingNote?.end()
            turnAway(.interrupted)
            action.admission.finish()
        }
        return isScheduled
    }

    @usableFromInline
    func cutOff() {
        workStart.dispose()
        if action.admission.withdraw(self) {
            waitingNote?.finish()
            whenOver?()
            action.admission.finish()
        }
    }
}
