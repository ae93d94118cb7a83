extension Signal {
    /// Sends each value transformed, and fails with the first error that the transformation throws.
    ///
    /// Like ``map(_:)-((Value)->NewValue)``, for a transformation that can fail.
    ///
    ///     source                --"1"--"2"--"x"--"4"--|
    ///     attemptMap(parse)     --1----2----X
    ///
    /// The error ends the signal and lets go of the source. A closure literal states its error,
    /// `{ value throws(MyError) in ... }`, as the compiler takes it for `any Error` otherwise; a named function need not.
    ///
    /// - Parameter transform: Called once a value, whatever the number of observers.
    @inlinable
    public func attemptMap<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) throws(Failure) -> NewValue
    ) -> Signal<NewValue, Failure> {
        derive("attemptMap:") { AttemptMapSink(transform: transform, downstream: $0) }
    }

    /// Like ``attemptMap(_:)``, for a transformation that returns a result.
    ///
    /// - Parameter transform: Called once a value, whatever the number of observers.
    @inlinable
    public func attemptMapResult<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Result<NewValue, Failure>
    ) -> Signal<NewValue, Failure> {
        derive("attemptMapResult:") {
            AttemptMapSink(transform: { (value) throws(Failure) in try transform(value).get() }, downstream: $0)
        }
    }
}

@frozen @usableFromInline
package struct AttemptMapSink<Value: Sendable, Downstream: Sink>: OperatorSink {
    @usableFromInline let transform: @Sendable (Value) throws(Downstream.Failure) -> Downstream.Value
    @usableFromInline package let downstream: Downstream

    @inlinable
    package init(
        transform: @escaping @Sendable (Value) throws(Downstream.Failure) -> Downstream.Value, downstream: Downstream
    ) {
        self.transform = transform
        self.downstream = downstream
    }

    @inlinable @inline(__always)
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
