extension Signal {
    /// Sends the first `count` values, then completes.
    ///
    /// ```marbles
    /// source                   --1--2--3--4--|
    /// source.take(first: 2)    --1--2|
    /// ```
    ///
    /// Completes, and releases the source, during the delivery of the last value. With a count of 0, completes
    /// immediately without observing the source. An earlier error or interruption is forwarded.
    ///
    /// - Parameters:
    ///   - count: The number of values. Traps if negative.
    @_alwaysEmitIntoClient
    public func take(first count: Int) -> Signal {
        require(count >= 0, "take(first: \(count)): the count must not be negative")
        if count == 0 { return deriveCompleted("take: #", argument: 0) }
        return derive("take: #", argument: count) { TakeFirstSink(count: count, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct TakeFirstSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let remaining: SinkState<Int>
    @usableFromInline package let downstream: Downstream

    /// - Parameter count: At least 1.
    @inlinable
    package init(count: Int, downstream: Downstream) {
        remaining = SinkState(count)
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) {
        guard remaining.value > 0 else { return }
        // Decremented before the value is sent, so that a source that is called re-entrantly cannot send one value too
        // many.
        remaining.value -= 1
        let isLast = remaining.value == 0
        downstream.next(value)
        if isLast { downstream.end(.completed) }
    }
}
