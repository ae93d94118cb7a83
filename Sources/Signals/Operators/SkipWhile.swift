extension Signal {
    /// Drops values as long as they pass a test, and sends all values from the first one that fails it.
    ///
    /// Like ``filter(_:)``, but the test ends with the first value that fails it.
    ///
    /// ```marbles
    /// source                            --1--2--3--1--|
    /// source.skip(while: { $0 < 3 })    --------3--1--|
    /// ```
    ///
    /// - Parameter shouldSkip: Called once per value until it returns `false`, and not afterwards.
    @_alwaysEmitIntoClient
    public func skip(while shouldSkip: @escaping @Sendable (Value) -> Bool) -> Signal {
        derive("skip(while:)") { SkipWhileSink(shouldSkip: shouldSkip, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct SkipWhileSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let isSkipping = SinkState(true)
    @usableFromInline let shouldSkip: @Sendable (Downstream.Value) -> Bool
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(shouldSkip: @escaping @Sendable (Downstream.Value) -> Bool, downstream: Downstream) {
        self.shouldSkip = shouldSkip
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) {
        if isSkipping.value {
            guard !shouldSkip(value) else { return }
            isSkipping.value = false
        }
        downstream.next(value)
    }
}
