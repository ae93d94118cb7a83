extension Signal {
    /// Sends the last `count` values as an array with each value, once that many have arrived.
    ///
    /// Like ``combinePrevious()``, but for any number of values.
    ///
    /// ```marbles
    /// source                     --1--2-----3-----4-----|
    /// source.slidingWindow(2)    -----[1,2]-[2,3]-[3,4]-|
    /// ```
    ///
    /// If the source ends before that, forwards only its terminal event. Buffers one array of `count` values: the last
    /// one sent. Each value costs one allocation, for the next array, and copies `count` values.
    ///
    /// - Parameters:
    ///   - count: The number of values in each array. Traps unless positive.
    /// - SeeAlso: ``collect(count:)``, whose arrays do not overlap.
    @_alwaysEmitIntoClient
    public func slidingWindow(_ count: Int) -> Signal<[Value], Failure> {
        require(count > 0, "slidingWindow(\(count)): the count must be positive")
        return derive("slidingWindow: #", argument: count) { SlidingWindowSink(count: count, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct SlidingWindowSink<Value: Sendable, Downstream: Sink>: OperatorSink where Downstream.Value == [Value] {
    @usableFromInline let count: Int
    /// Whether the arrays at the beginning, which have fewer values, are sent, too.
    @usableFromInline let sendsShorter: Bool
    /// The array that was sent last, or, before the first one, the values that have arrived.
    @usableFromInline let window = SinkState<[Value]>([])
    @usableFromInline package let downstream: Downstream

    /// - Parameter count: At least 1.
    @_alwaysEmitIntoClient
    package init(count: Int, sendsShorter: Bool = false, downstream: Downstream) {
        self.count = count
        self.sendsShorter = sendsShorter
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Value) {
        guard sendsShorter || window.value.count == count else { return fill(value) }
        // Released when the next array has been sent.
        let former = window.value
        let kept = former.suffix(count - 1)
        var values: [Value] = []
        values.reserveCapacity(kept.count + 1)
        values.append(contentsOf: kept)
        values.append(value)
        window.value = values
        downstream.next(values)
    }

    /// Adds a value to the first array, and sends it if it is complete.
    @_alwaysEmitIntoClient
    func fill(_ value: Value) {
        // Reserves space for all values, but not for a huge count that may never be reached.
        if window.value.isEmpty { window.value.reserveCapacity(Swift.min(count, 1_024)) }
        window.value.append(value)
        if window.value.count == count { downstream.next(window.value) }
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        window.value = []
        downstream.end(termination)
    }
}
