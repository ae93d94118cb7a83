import HotSignals

extension SignalProducer {
    /// Starts this producer again when it fails, as determined by a stream that is made of the errors.
    ///
    /// ```marbles
    /// source                                                             --1--X
    /// source.retry { errors in errors.delay(.seconds(3), on: clock) }    --1-------1-------1--...
    /// ```
    ///
    /// A value of that stream, the trigger, begins the next attempt. Its completion completes the result, its error
    /// fails the result, and its interruption interrupts the result. This happens immediately, even while an attempt
    /// is in progress, which is then disposed of. A value that the trigger sends during an attempt is dropped.
    ///
    /// So `errors.take(first: 3)` allows two additional attempts: its completion, with the third error, completes the
    /// result. Use ``retry(upTo:)`` to limit the attempts, or a ``RetryPolicy`` for delays.
    ///
    /// Values of failed attempts are not held back. Completion and interruption are not retried: they end the result,
    /// and the trigger is disposed of. Synchronous attempts do not deepen the stack. Buffers nothing.
    ///
    /// - Parameter trigger: Called once per start, before the first attempt, with a signal of the errors of all
    ///   attempts. Returns the trigger, which is started immediately: a signal, or a producer. Attempts after the first
    ///   begin on the thread that sends the trigger's value. If the trigger never sends an event, a failed start waits
    ///   until it is disposed of.
    @_alwaysEmitIntoClient
    public func retry<Trigger: SignalProducerConvertible>(
        when trigger: @escaping @Sendable (_ errors: Signal<Failure, Never>) -> Trigger
    ) -> SignalProducer where Trigger.Failure == Failure {
        retry(when: trigger, promote: { $0 })
    }

    /// Starts this producer again when it fails, as determined by a stream that is made of the errors and cannot fail:
    /// see ``retry(when:)-((Signal<Failure,Never>)->Trigger)``.
    ///
    /// - Parameter trigger: Called once per start, before the first attempt, with a signal of the errors of all
    ///   attempts. Returns the trigger, which is started immediately: a signal, or a producer.
    @_alwaysEmitIntoClient
    public func retry<InfallibleTrigger: SignalProducerConvertible>(
        when trigger: @escaping @Sendable (_ errors: Signal<Failure, Never>) -> InfallibleTrigger
    ) -> SignalProducer where InfallibleTrigger.Failure == Never {
        retry(when: trigger, promote: { $0.promoted() })
    }

    /// Accepts leading-dot syntax: `retry { _ in .timer(after: .seconds(1), on: queue) }`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func retry<Trigger>(
        when trigger: @escaping @Sendable (_ errors: Signal<Failure, Never>) -> SignalProducer<Trigger, Never>
    ) -> SignalProducer {
        retry(when: trigger)
    }

    /// - Parameter promote: Converts the terminal event of the trigger into one of the result.
    @_alwaysEmitIntoClient
    func retry<Trigger: SignalProducerConvertible>(
        when trigger: @escaping @Sendable (_ errors: Signal<Failure, Never>) -> Trigger,
        promote: @escaping @Sendable (Termination<Trigger.Failure>) -> Termination<Failure>
    ) -> SignalProducer {
        let name = derivedName("retry(when:)")
        return SignalProducer(name, contention: contention) { subscription, sink in
            if subscription.isOver { return sink.end(.interrupted) }
            let (errors, input) = Signal<Failure, Never>.pipe()
            let pause = RetryPause(input)
            let attempts = SignalProducer(name, contention: contention) { _, sink in
                retry(into: sink) { error, _ in .pause { pause.begin(after: error, then: $0) } }
            }
            attempts.machine(
                "retry(when:)", trigger(errors).producer, make: { RetryWhenMachine(core: $0) }
            ) { machine, _, _ in
                (
                    MachineInput(machine, value: { .next($0) }, termination: { $0.event() }),
                    MachineInput(
                        machine,
                        value: { _ in
                            pause.end()
                            return nil
                        }, termination: { promote($0).event() })
                )
            }.beginWork(of: subscription, into: sink)
        }
    }
}

/// Forwards the attempts, and ends with the trigger if that ends first.
@usableFromInline
@_fixed_layout
final class RetryWhenMachine<Value: Sendable, Failure: Error>: StateMachine {
    @usableFromInline let core: Core<Value, Failure>

    @_alwaysEmitIntoClient
    init(core: Core<Value, Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    func handle(_ event: Event<Value, Failure>) { core.deliver(event) }

    @_alwaysEmitIntoClient
    func clear() {}
}

/// The time between a failed attempt and the next one, which the trigger ends.
@usableFromInline
@_fixed_layout
final class RetryPause<Failure: Error>: Sendable {
    @usableFromInline let errors: Signal<Failure, Never>.Observer
    /// The number of pauses that have begun, and what begins the next attempt: `nil` while one is in progress.
    @usableFromInline let state = Locked<(pauses: UInt, resume: (@Sendable () -> Void)?)>((0, nil))

    @_alwaysEmitIntoClient
    init(_ errors: Signal<Failure, Never>.Observer) { self.errors = errors }

    /// Begins a pause, and sends the error. The trigger may end the pause before this method returns.
    ///
    /// - Returns: A disposable that cancels the pause.
    @_alwaysEmitIntoClient
    func begin(after error: Failure, then resume: @escaping @Sendable () -> Void) -> any Disposable {
        let number = state.withLock { state in
            state.pauses += 1
            state.resume = resume
            return state.pauses
        }
        errors.sendNext(error)
        return AnyDisposable { self.cancel(number) }
    }

    @_alwaysEmitIntoClient
    func end() {
        let resume = state.withLock { $0.resume.take() }
        resume?()
    }

    @_alwaysEmitIntoClient
    func cancel(_ number: UInt) {
        let resume = state.withLock { $0.pauses == number ? $0.resume.take() : nil }
        withExtendedLifetime(resume) {}
    }
}
