extension SignalProducer {
    /// Starts another producer when this one fails.
    ///
    /// ```marbles
    /// source                                --1--2--X
    /// other                                 --8--9--|
    /// source.flatMapError { _ in other }    --1--2----8--9--|
    /// ```
    ///
    /// Values sent before the error are unaffected. Completion and interruption are forwarded.
    ///
    /// - Parameter handler: Called with the error, at most once per start. The stream that it returns can have another
    ///   error type, or be unable to fail.
    @_alwaysEmitIntoClient
    public func flatMapError<Next: SignalProducerConvertible>(
        _ handler: @escaping @Sendable (Failure) -> Next
    ) -> SignalProducer<Value, Next.Failure> where Next.Value == Value {
        SignalProducer<Value, Next.Failure>(derivedName("flatMapError:"), of: self) { _, sink in
            SerialStart.run(
                into: sink,
                step { termination in
                    switch termination {
                    case .error(let error): handler(error).producer.step { .end($0) }
                    case .completed: .end(.completed)
                    case .interrupted: .end(.interrupted)
                    }
                })
        }
    }

    /// Accepts leading-dot syntax: `flatMapError { _ in .empty }`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMapError(
        _ handler: @escaping @Sendable (Failure) -> SignalProducer<Value, Never>
    ) -> SignalProducer<Value, Never> {
        flatMapError(handler)
    }

    /// Accepts leading-dot syntax: `flatMapError { _ in .init(error: other) }`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMapError<NewFailure>(
        _ handler: @escaping @Sendable (Failure) -> SignalProducer<Value, NewFailure>
    ) -> SignalProducer<Value, NewFailure> {
        flatMapError(handler)
    }
}

extension SignalProducer where Failure == Never {
    /// A producer that cannot fail has no error to handle.
    @available(*, unavailable, message: "this producer cannot fail: its Failure is Never")
    public func flatMapError<Next: SignalProducerConvertible>(
        _ handler: @escaping @Sendable (Failure) -> Next
    ) -> SignalProducer<Value, Next.Failure> where Next.Value == Value {
        fatalError("unavailable")
    }
}

extension Signal {
    /// Starts a producer when this signal fails: see ``SignalProducer/flatMapError(_:)``.
    @_alwaysEmitIntoClient
    public func flatMapError<Next: SignalProducerConvertible>(
        _ handler: @escaping @Sendable (Failure) -> Next
    ) -> Signal<Value, Next.Failure> where Next.Value == Value {
        derive(
            "flatMapError:",
            headed: { core in
                FallbackSink(core) { termination, _ in
                    switch termination {
                    case .error(let error): .start(handler(error).producer)
                    case .completed: .end(.completed)
                    case .interrupted: .end(.interrupted)
                    }
                }
            })
    }

    /// Accepts leading-dot syntax: `flatMapError { _ in .empty }`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMapError(
        _ handler: @escaping @Sendable (Failure) -> SignalProducer<Value, Never>
    ) -> Signal<Value, Never> {
        flatMapError(handler)
    }

    /// Accepts leading-dot syntax: `flatMapError { _ in .init(error: other) }`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMapError<NewFailure>(
        _ handler: @escaping @Sendable (Failure) -> SignalProducer<Value, NewFailure>
    ) -> Signal<Value, NewFailure> {
        flatMapError(handler)
    }
}
