extension Signal {
    /// Sends the values that pass a test.
    ///
    /// ```marbles
    /// source                           --1--2--3--4--|
    /// source.filter { $0 % 2 == 0 }    -----2-----4--|
    /// ```
    ///
    /// To transform the values that pass, use ``compactMap(_:)``.
    ///
    /// - Parameter isIncluded: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal {
        derive("filter:") { FilterSink(isIncluded: isIncluded, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct FilterSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let isIncluded: @Sendable (Downstream.Value) -> Bool
    @usableFromInline package let downstream: Downstream

    @inlinable
    package init(isIncluded: @escaping @Sendable (Downstream.Value) -> Bool, downstream: Downstream) {
        self.isIncluded = isIncluded
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) {
        if isIncluded(value) { downstream.next(value) }
    }
}
