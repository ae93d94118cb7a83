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
        return SignalProducer(name, contention: contention) { start, sink in
            if start.isOver { return sink.end(.interrupted) }
            let (errors, input) = Signal<Failure, Never>.pipe()
            let pause = RetryPause(input)
            let attempts = SignalProducer(name, contention: contention) { _, sink in
                retry(into: sink) { error, _ in .pause { pause.begin(after: error, then: $0) } }
            }
            attempts.joined("retry(when:)", trigger(errors).producer) { core, _, _ in
                (GateSink(core), RetryTrigger(pause: pause, core: core, promote: promote), nil)
            }.beginWork(of: start, into: sink)
        }
    }
}

/// Ends the pause with each value of the trigger, and the result with the trigger.
@frozen @usableFromInline
struct RetryTrigger<Trigger: Sendable, TriggerFailure: Error, Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let pause: RetryPause<Failure>
    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline let promote: @Sendable (Termination<TriggerFailure>) -> Termination<Failure>

    @_alwaysEmitIntoClient
    init(
        pause: RetryPause<Failure>, core: Core<Value, Failure>,
        promote: @escaping @Sendable (Termination<TriggerFailure>) -> Termination<Failure>
    ) {
        self.pause = pause
        self.core = core
        self.promote = promote
    }

    @_alwaysEmitIntoClient
    func next(_ value: Trigger) { pause.end() }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<TriggerFailure>) { core.sendEnd(promote(termination)) }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { core.terminated.isRaised }
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
