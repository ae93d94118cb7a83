extension Signal {
    /// Sends each value transformed, and fails with the first error that the transformation throws.
    ///
    /// Like ``map(_:)-((Value)->NewValue)``, for a transformation that can fail.
    ///
    /// ```marbles
    /// source                      --1--2--x--4--|
    /// source.attemptMap(parse)    --1--2--X
    /// ```
    ///
    /// Here `parse` throws for any text that is not a number.
    ///
    /// The error ends the signal and releases the source. A closure literal must state its error type,
    /// `{ value throws(MyError) in ... }`; otherwise the compiler infers `any Error`. A named function need not.
    ///
    /// - Parameter transform: Called once per value, whatever the number of observers.
    @_disfavoredOverload  // A closure that returns a `Result` uses the overload below.
    @_alwaysEmitIntoClient
    public func attemptMap<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) throws(Failure) -> NewValue
    ) -> Signal<NewValue, Failure> {
        derive("attemptMap:") { AttemptMapSink(transform: transform, downstream: $0) }
    }

    /// Sends the success that a transformation returns for each value, and fails with the first failure that it
    /// returns.
    ///
    /// - Parameter transform: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func attemptMap<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Result<NewValue, Failure>
    ) -> Signal<NewValue, Failure> {
        attemptMap { (value) throws(Failure) in try transform(value).get() }
    }
}

extension Signal where Failure == Never {
    /// Sends each value transformed, and fails with the first error that the transformation throws. Overload for a
    /// signal that cannot fail itself.
    ///
    /// ```swift
    /// lines.attemptMap { try parse($0) }  // fails with any Error
    /// ```
    ///
    /// - Parameter transform: Called once per value, whatever the number of observers.
    @_disfavoredOverload  // A transformation that does not throw keeps the error type.
    @_alwaysEmitIntoClient
    public func attemptMap<NewValue: Sendable, NewFailure>(
        _ transform: @escaping @Sendable (Value) throws(NewFailure) -> NewValue
    ) -> Signal<NewValue, NewFailure> {
        promoteError(NewFailure.self).attemptMap(transform)
    }

    /// Sends each value transformed. Overload for a transformation that cannot fail, for which the other overloads
    /// would be ambiguous.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func attemptMap<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> Signal<NewValue, Never> {
        derive("attemptMap:") { AttemptMapSink(transform: transform, downstream: $0) }
    }

    /// Sends the success that a transformation returns for each value, and fails with the first failure that it
    /// returns. Overload for a signal that cannot fail itself.
    ///
    /// - Parameter transform: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func attemptMap<NewValue: Sendable, NewFailure>(
        _ transform: @escaping @Sendable (Value) -> Result<NewValue, NewFailure>
    ) -> Signal<NewValue, NewFailure> {
        promoteError(NewFailure.self).attemptMap(transform)
    }
}

@frozen @usableFromInline
package struct AttemptMapSink<Value: Sendable, Downstream: Sink>: OperatorSink {
    @usableFromInline let transform: @Sendable (Value) throws(Downstream.Failure) -> Downstream.Value
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(
        transform: @escaping @Sendable (Value) throws(Downstream.Failure) -> Downstream.Value, downstream: Downstream
    ) {
        self.transform = transform
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) {
        let transformed: Downstream.Value
        do throws(Downstream.Failure) {
            transformed = try transform(value)
        } catch {
            return downstream.end(.error(error))
        }
        downstream.next(transformed)
    }
}
