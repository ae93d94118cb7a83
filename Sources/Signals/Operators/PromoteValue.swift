extension Signal where Value == Never {
    /// Gives a signal that sends no values the type of one that could.
    ///
    /// - Parameter value: The value that it never sends.
    @inlinable
    public func promoteValue<NewValue>(_ value: NewValue.Type = NewValue.self) -> Signal<NewValue, Failure> {
        derive("promoteValue") { PromoteValueSink(downstream: $0) }
    }
}

@frozen @usableFromInline
package struct PromoteValueSink<Downstream: Sink>: OperatorSink {
    @usableFromInline package let downstream: Downstream

    @inlinable
    package init(downstream: Downstream) { self.downstream = downstream }

    @inlinable @inline(__always)
    package func next(_: Never) {}
}
