extension Signal {
    /// Sends the last values as an array with each value, from the first one on.
    ///
    /// Like ``slidingWindow(_:)``, but does not wait for the first array to be complete: the first arrays are shorter.
    ///
    /// ```marbles
    /// source                           --1----2--------3-------|
    /// source.slidingWindow(upTo: 2)    --[1]--[1,2]----[2,3]---|
    /// ```
    ///
    /// Forwards terminal events. Buffers one array: the last one sent. Each value costs one allocation, for the next
    /// array, and copies at most `count` values.
    ///
    /// - Parameters:
    ///   - count: The largest number of values in an array. Traps unless positive.
    /// - SeeAlso: ``slidingWindow(for:on:)``, which limits the age of the values.
    @_alwaysEmitIntoClient
    public func slidingWindow(upTo count: Int) -> Signal<[Value], Failure> {
        require(count > 0, "slidingWindow(upTo: \(count)): the count must be positive")
        return derive("slidingWindow(upTo: #)", argument: count) {
            SlidingWindowUpToSink(count: count, downstream: $0)
        }
    }
}

@frozen @usableFromInline
package struct SlidingWindowUpToSink<Value: Sendable, Downstream: Sink>: OperatorSink
where Downstream.Value == [Value] {
    @usableFromInline let count: Int
    /// The array that was sent last.
    @usableFromInline let window = SinkState<[Value]>([])
    @usableFromInline package let downstream: Downstream

    /// - Parameter count: At least 1.
    @_alwaysEmitIntoClient
    package init(count: Int, downstream: Downstream) {
        self.count = count
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Value) {
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

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        window.value = []
        downstream.end(termination)
    }
}
