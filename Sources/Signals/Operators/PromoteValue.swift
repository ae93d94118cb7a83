extension Signal where Value == Never {
    /// Gives a stream that sends no values a value type.
    ///
    /// - Parameter value: The value type. No value is ever sent.
    @_alwaysEmitIntoClient
    public func promoteValue<NewValue>(_ value: NewValue.Type = NewValue.self) -> Signal<NewValue, Failure> {
        derive("promoteValue") { PromoteValueSink(downstream: $0) }
    }
}

@frozen @usableFromInline
package struct PromoteValueSink<Downstream: Sink>: OperatorSink {
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(downstream: Downstream) { self.downstream = downstream }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_: Never) {}
}
