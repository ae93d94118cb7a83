extension Signal {
    /// Drops the first `count` values, and sends the others.
    ///
    /// ```marbles
    /// source                   --1--2--3--4--|
    /// source.skip(first: 2)    --------3--4--|
    /// ```
    ///
    /// If the source sends fewer values, only its terminal event is sent.
    ///
    /// - Parameters:
    ///   - count: The number of values. With 0, none are dropped. Traps if negative.
    @_alwaysEmitIntoClient
    public func skip(first count: Int) -> Signal {
        require(count >= 0, "skip(first: \(count)): the count must not be negative")
        return derive("skip: #", argument: count) { SkipFirstSink(count: count, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct SkipFirstSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let remaining: SinkState<Int>
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(count: Int, downstream: Downstream) {
        remaining = SinkState(count)
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) {
        if remaining.value == 0 { downstream.next(value) } else { remaining.value -= 1 }
    }
}
