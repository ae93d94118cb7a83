package import ColdProducers
package import HotSignals

/// One start of what ``Action/apply(_:)`` returns.
@usableFromInline
@_fixed_layout
final class Execution<Input: Sendable, Output: Sendable, Failure: Error>: ActionUnit, RunHead, @unchecked Sendable {
    // Sendable: `work` is written before the unit is admitted, and read by the one who begins it.

    @usableFromInline let action: Action<Input, Output, Failure>
    @usableFromInline let input: Input
    @usableFromInline let sink: ProducerSink<Output, ActionError<Failure>>
    /// Those of the start, for the work that begins later, when it is its turn.
    @usableFromInline let surroundings = LibraryTask.captured
    /// The start of the work itself.
    @usableFromInline let run: Run
    /// Called once the unit is over and the action free again, or it was not let begin.
    @usableFromInline let whenOver: (@Sendable () -> Void)?
    /// The work, with the state with which it was admitted.
    @exclusivity(unchecked) @usableFromInline var work: Action<Input, Output, Failure>.Work?

    @inlinable
    init(
        _ action: Action<Input, Output, Failure>, _ input: Input, _ sink: ProducerSink<Output, ActionError<Failure>>,
        whenOver: (@Sendable () -> Void)? = nil
    ) {
        run = Run(within: surroundings)
        self.whenOver = whenOver
        self.action = action
        self.input = input
        self.sink = sink
    }

    @inlinable
    func start() {
        guard sink.run.attach(self) else { return turnAway(.interrupted) }
        let verdict = action.admission.admit(self) {
            work = action.prepare()
            return work != nil
        }
        switch verdict {
        case .begin(let former):
            former?.interruptWork()
            begin()
        case .wait:
            // Disposed of before it was in the queue.
            if run.isOver, action.admission.withdraw(self) { turnAway(.interrupted) }
        case .refuse:
            sink.finish(.error(.disabled))
            action.inputs.disabledErrors.sendNext(())
            whenOver?()
        }
    }

    /// Ends what has not begun.
    @inlinable
    func turnAway(_ termination: Termination<ActionError<Failure>>) {
        sink.finish(termination)
        whenOver?()
    }

    // MARK: As a unit of the action

    @inlinable
    func begin() {
        guard let work = work.take(), !run.isOver else { return end(.interrupted) }
        let workSink = ProducerSink<Output, Failure>(run) { event in
            switch event {
            case .next(let value): self.send(value)
            case .error(let error): self.end(.error(error))
            case .completed: self.end(.completed)
            case .interrupted: self.end(.interrupted)
            }
        }
        LibraryTask.with(surroundings) { work(input).begin(run, workSink) }
    }

    @usableFromInline
    func interruptWork() { run.dispose() }

    /// The one who has started it hears of everything first.
    @inlinable
    func send(_ value: Output) {
        if run.isOver { return }
        sink.next(value)
        action.inputs.values.sendNext(value)
        action.inputs.events.sendNext(.next(value))
    }

    @inlinable
    func end(_ termination: Termination<Failure>) {
        guard run.raiseEnd() else { return }
        let termination = run.isCancelled ? .interrupted : termination
        switch termination {
        case .error(let error): sink.finish(.error(.producerError(error)))
        case .completed: sink.finish(.completed)
        case .interrupted: sink.finish(.interrupted)
        }
        // What the work has used is free before the action can be started again.
        run.finish()
        let next = action.admission.leave(self, mayWait: !run.isCancelled)
        switch termination {
        case .error(let error): action.inputs.errors.sendNext(error)
        case .completed: action.inputs.completed.sendNext(())
        case .interrupted: break
        }
        if run.isCancelled {
            // A disposal never waits for an event that another thread is sending.
            let core = action.events.core
            core.gate.push(EventOperation(.next(termination.event()), to: core))
        } else {
            action.inputs.events.sendNext(termination.event())
        }
        whenOver?()
        if let next { action.admission.begin(next) }
    }

    // MARK: As the head of its run

    @usableFromInline
    func interrupt() {
        run.dispose()
        if action.admission.withdraw(self) { turnAway(.interrupted) }
    }

    @usableFromInline
    func cutOff() {
        run.dispose()
        if action.admission.withdraw(self) { whenOver?() }
    }
}
