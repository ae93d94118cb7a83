extension SignalProducer {
    /// Runs an action with each value, and fails with the first error that it throws.
    ///
    /// Like ``/HotSignals/Signal/attempt(_:)-8psgx`` of signals, separately for each start.
    ///
    /// - Parameter action: Called once per value.
    @_alwaysEmitIntoClient
    public func attempt(_ action: @escaping @Sendable (Value) throws(Failure) -> Void) -> SignalProducer {
        derive("attempt:") {
            AttemptMapSink(
                transform: { (value) throws(Failure) in
                    try action(value)
                    return value
                }, downstream: $0)
        }
    }

    /// Runs an action with each value, and fails with the first failure that it returns.
    ///
    /// Like ``/HotSignals/Signal/attempt(_:)-6opyq`` of signals, separately for each start.
    ///
    /// - Parameter action: Called once per value.
    @_alwaysEmitIntoClient
    public func attempt(_ action: @escaping @Sendable (Value) -> Result<Void, Failure>) -> SignalProducer {
        attempt { (value) throws(Failure) in try action(value).get() }
    }

    /// Runs an action with each value, and fails with the first failure that it returns. Its successes are ignored.
    @_documentation(visibility: internal)  // Without this overload, the closure would be treated as returning nothing.
    @_alwaysEmitIntoClient
    public func attempt<Success>(_ action: @escaping @Sendable (Value) -> Result<Success, Failure>) -> SignalProducer {
        attempt { (value) throws(Failure) in _ = try action(value).get() }
    }
}

extension SignalProducer where Failure == Never {
    /// Runs an action with each value, and fails with the first error that it throws. Overload for a producer that
    /// cannot fail itself.
    ///
    /// ```swift
    /// numbers.attempt { try check($0) }  // fails with any Error
    /// ```
    ///
    /// - Parameter action: Called once per value.
    @_disfavoredOverload  // An action that does not throw keeps the error type.
    @_alwaysEmitIntoClient
    public func attempt<NewFailure>(
        _ action: @escaping @Sendable (Value) throws(NewFailure) -> Void
    ) -> SignalProducer<Value, NewFailure> {
        promoteError(NewFailure.self).attempt(action)
    }

    /// Runs an action with each value, and fails with the first failure that it returns. Overload for a producer that
    /// cannot fail itself.
    ///
    /// - Parameter action: Called once per value.
    @_alwaysEmitIntoClient
    public func attempt<NewFailure>(
        _ action: @escaping @Sendable (Value) -> Result<Void, NewFailure>
    ) -> SignalProducer<Value, NewFailure> {
        promoteError(NewFailure.self).attempt(action)
    }

    /// Runs an action with each value, and fails with the first failure that it returns. Its successes are ignored.
    @_documentation(visibility: internal)  // Without this overload, the closure would be treated as returning nothing.
    @_alwaysEmitIntoClient
    public func attempt<Success, NewFailure>(
        _ action: @escaping @Sendable (Value) -> Result<Success, NewFailure>
    ) -> SignalProducer<Value, NewFailure> {
        promoteError(NewFailure.self).attempt(action)
    }
}
