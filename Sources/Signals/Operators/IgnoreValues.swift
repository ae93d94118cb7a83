extension Signal {
    /// Drops every value and forwards only the terminal event. The value type is `Never`.
    ///
    /// ```marbles
    /// source                   --1--2--3--|
    /// source.ignoreValues()    -----------|
    /// ```
    ///
    /// - SeeAlso: ``promoteValue(_:)``, which restores a value type.
    @_alwaysEmitIntoClient
    public func ignoreValues() -> Signal<Never, Failure> {
        derive("ignoreValues") { IgnoreValuesSink<Value, CoreSink<Never, Failure>>(downstream: $0) }
    }
}

@frozen @usableFromInline
package struct IgnoreValuesSink<Value: Sendable, Downstream: Sink>: OperatorSink where Downstream.Value == Never {
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(downstream: Downstream) { self.downstream = downstream }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_: Value) {}
}
