extension Signal {
    /// Sends values as long as they pass a test, then completes.
    ///
    /// ```marbles
    /// source                            --1--2--3--1--|
    /// source.take(while: { $0 < 3 })    --1--2--|
    /// ```
    ///
    /// The first value that fails the test is not sent. It completes the signal and releases the source.
    ///
    /// - Parameter shouldContinue: Called once per value until it returns `false`, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func take(while shouldContinue: @escaping @Sendable (Value) -> Bool) -> Signal {
        derive("take(while:)") { TakeWhileSink(shouldContinue: shouldContinue, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct TakeWhileSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let shouldContinue: @Sendable (Downstream.Value) -> Bool
    /// Whether the value for which the closure returns `false` is sent, too.
    @usableFromInline let includesLast: Bool
    @usableFromInline package let downstream: Downstream

    @inlinable
    package init(
        shouldContinue: @escaping @Sendable (Downstream.Value) -> Bool, includesLast: Bool = false,
        downstream: Downstream
    ) {
        self.shouldContinue = shouldContinue
        self.includesLast = includesLast
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) {
        let isLast = !shouldContinue(value)
        if !isLast || includesLast { downstream.next(value) }
        if isLast { downstream.end(.completed) }
    }
}
