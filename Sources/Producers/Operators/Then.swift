extension SignalProducer {
    /// Ignores the values of this producer, and starts another one when it has completed.
    ///
    /// ```marbles
    /// source                --1--2--|
    /// other                 --8--9--|
    /// source.then(other)    ----------8--9--|
    /// ```
    ///
    /// An error or an interruption is forwarded, and the other producer is not started.
    ///
    /// - Parameter next: A producer, which is started on completion, or a signal, which is observed from then on.
    @_alwaysEmitIntoClient
    public func then<NewValue>(
        _ next: some SignalProducerConvertible<NewValue, Failure>
    ) -> SignalProducer<NewValue, Failure> {
        let next = next.producer
        return then(
            promote: { $0 }, next: { next }, promoteNext: { $0 }, nextContention: next.contention,
            isNextSuspendable: next.isSuspendable)
    }

    /// Accepts leading-dot syntax: `then(.empty)`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func then(_ next: SignalProducer) -> SignalProducer { then(next) }

    /// Accepts leading-dot syntax: `then(.init(value: "done"))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func then<NewValue>(_ next: SignalProducer<NewValue, Failure>) -> SignalProducer<NewValue, Failure> {
        then(next)
    }

    /// Ignores the values of this producer, and starts another one, which cannot fail, when it has completed.
    ///
    /// - Parameter next: A producer, which is started on completion, or a signal, which is observed from then on.
    @_alwaysEmitIntoClient
    public func then<NewValue>(
        _ next: some SignalProducerConvertible<NewValue, Never>
    ) -> SignalProducer<NewValue, Failure> {
        let next = next.producer
        return then(
            promote: { $0 }, next: { next }, promoteNext: { $0.promoted() }, nextContention: next.contention,
            isNextSuspendable: next.isSuspendable)
    }

    /// Ignores the values of this producer, and creates and starts another one when it has completed.
    ///
    /// - Parameter next: Called after completion, at most once per start.
    @_alwaysEmitIntoClient
    public func then<Next: SignalProducerConvertible>(
        _ next: @escaping @Sendable () -> Next
    ) -> SignalProducer<Next.Value, Failure> where Next.Failure == Failure {
        then(promote: { $0 }, next: { next().producer }, promoteNext: { $0 })
    }

    /// Accepts leading-dot syntax: `then { isDone ? .empty : work }`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func then<NewValue>(
        _ next: @escaping @Sendable () -> SignalProducer<NewValue, Failure>
    ) -> SignalProducer<NewValue, Failure> {
        then(next)
    }

    @_alwaysEmitIntoClient
    func then<NewValue, NextFailure, NewFailure>(
        promote: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        next: @escaping @Sendable () -> SignalProducer<NewValue, NextFailure>,
        promoteNext: @escaping @Sendable (Termination<NextFailure>) -> Termination<NewFailure>,
        nextContention: Contention = .wait, isNextSuspendable: Bool = true
    ) -> SignalProducer<NewValue, NewFailure> {
        SignalProducer<NewValue, NewFailure>(
            derivedName("then:"), contention: contention.joined(with: nextContention),
            isSuspendable: isSuspendable && isNextSuspendable
        ) { _, sink in
            SerialStart.run(
                into: sink,
                .begin { serial in
                    serial.begin(self, next: { _ in }) { termination in
                        guard termination.isCompletion else { return .end(promote(termination)) }
                        return next().step { .end(promoteNext($0)) }
                    }
                })
        }
    }
}

extension SignalProducer where Failure == Never {
    /// Ignores the values of this producer, which cannot fail, and starts another one when it has completed.
    ///
    /// - Parameter next: A producer, which is started on completion, or a signal, which is observed from then on.
    @_alwaysEmitIntoClient
    public func then<NewValue, NewFailure>(
        _ next: some SignalProducerConvertible<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        let next = next.producer
        return then(
            promote: { $0.promoted() }, next: { next }, promoteNext: { $0 }, nextContention: next.contention,
            isNextSuspendable: next.isSuspendable)
    }

    /// Ignores the values of this producer, and starts another one when it has completed. Neither can fail.
    ///
    /// - Parameter next: A producer, which is started on completion, or a signal, which is observed from then on.
    @_alwaysEmitIntoClient
    public func then<NewValue>(
        _ next: some SignalProducerConvertible<NewValue, Never>
    ) -> SignalProducer<NewValue, Never> {
        let next = next.producer
        return then(
            promote: { $0 }, next: { next }, promoteNext: { $0 }, nextContention: next.contention,
            isNextSuspendable: next.isSuspendable)
    }

    /// Accepts leading-dot syntax: `then(.init(result: result))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func then<NewValue, NewFailure>(
        _ next: SignalProducer<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        then(next)
    }

    /// Accepts leading-dot syntax: `then(.init(value: "done"))`, where the overload above is as good.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func then<NewValue>(_ next: SignalProducer<NewValue, Never>) -> SignalProducer<NewValue, Never> {
        then(next)
    }
}
