extension Signal {
    /// Sends the last `count` values when the source completes.
    ///
    /// Like ``take(first:)``, but from the end, so nothing is sent before the completion.
    ///
    /// ```marbles
    /// source                  --1--2--3--|
    /// source.take(last: 2)    -----------23|
    /// ```
    ///
    /// An error or an interruption discards the buffered values. With a count of 0, only the terminal event is sent.
    /// Buffers up to `count` values.
    ///
    /// - Parameters:
    ///   - count: The number of values. Traps if negative.
    @_alwaysEmitIntoClient
    public func take(last count: Int) -> Signal {
        require(count >= 0, "take(last: \(count)): the count must not be negative")
        return derive("take(last: #)", argument: count) { TakeLastSink(count: count, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct TakeLastSink<Downstream: Sink>: OperatorSink {
    /// A ring buffer once it is full. The oldest value is then at index `oldest`.
    @frozen @usableFromInline
    struct State {
        @usableFromInline var values: ContiguousArray<Downstream.Value> = []
        @usableFromInline var oldest = 0

        @inlinable
        init() {}
    }

    @usableFromInline let count: Int
    @usableFromInline let state = SinkState(State())
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(count: Int, downstream: Downstream) {
        self.count = count
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Downstream.Value) {
        guard state.value.values.count == count else { return state.value.values.append(value) }
        guard count > 0 else { return }
        let oldest = state.value.oldest
        state.value.values[oldest] = value
        state.value.oldest = oldest &+ 1 == count ? 0 : oldest &+ 1
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        let (values, oldest) = (state.value.values, state.value.oldest)
        state.value.values = []
        if case .completed = termination {
            for part in [oldest..<values.count, 0..<oldest] {
                for position in part where !downstream.hasEnded { downstream.next(values[position]) }
            }
        }
        downstream.end(termination)
    }
}
