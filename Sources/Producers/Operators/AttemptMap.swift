extension SignalProducer {
    /// Sends each value transformed, and fails with the first error that the transformation throws.
    ///
    /// Like ``/HotSignals/Signal/attemptMap(_:)-91lp7`` of signals, separately for each start.
    ///
    /// - Parameter transform: Called once per value, whatever the number of observers.
    @_disfavoredOverload  // A closure that returns a `Result` uses the overload below.
    @_alwaysEmitIntoClient
    public func attemptMap<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) throws(Failure) -> NewValue
    ) -> SignalProducer<NewValue, Failure> {
        derive("attemptMap:") { AttemptMapSink(transform: transform, downstream: $0) }
    }

    /// Sends the success that a transformation returns for each value, and fails with the first failure that it
    /// returns.
    ///
    /// Like ``/HotSignals/Signal/attemptMap(_:)-13efv`` of signals, separately for each start.
    ///
    /// - Parameter transform: Called once per value.
    @_alwaysEmitIntoClient
    public func attemptMap<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Result<NewValue, Failure>
    ) -> SignalProducer<NewValue, Failure> {
        attemptMap { (value) throws(Failure) in try transform(value).get() }
    }
}

extension SignalProducer where Failure == Never {
    /// Sends each value transformed, and fails with the first error that the transformation throws. Overload for a
    /// producer that cannot fail itself.
    ///
    /// ```swift
    /// lines.attemptMap { try parse($0) }  // fails with any Error
    /// ```
    ///
    /// - Parameter transform: Called once per value.
    @_disfavoredOverload  // A transformation that does not throw keeps the error type.
    @_alwaysEmitIntoClient
    public func attemptMap<NewValue: Sendable, NewFailure>(
        _ transform: @escaping @Sendable (Value) throws(NewFailure) -> NewValue
    ) -> SignalProducer<NewValue, NewFailure> {
        promoteError(NewFailure.self).attemptMap(transform)
    }

    /// Sends each value transformed. Overload for a transformation that cannot fail, for which the other overloads
    /// would be ambiguous.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func attemptMap<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> SignalProducer<NewValue, Never> {
        derive("attemptMap:") { AttemptMapSink(transform: transform, downstream: $0) }
    }

    /// Sends the success that a transformation returns for each value, and fails with the first failure that it
    /// returns. Overload for a producer that cannot fail itself.
    ///
    /// - Parameter transform: Called once per value.
    @_alwaysEmitIntoClient
    public func attemptMap<NewValue: Sendable, NewFailure>(
        _ transform: @escaping @Sendable (Value) -> Result<NewValue, NewFailure>
    ) -> SignalProducer<NewValue, NewFailure> {
        promoteError(NewFailure.self).attemptMap(transform)
    }
}
