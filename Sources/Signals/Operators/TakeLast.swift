extension Signal {
    /// Sends the last `count` values when the source completes.
    ///
    /// Like ``take(first:)``, but from the end, so nothing is sent before it.
    ///
    ///     source          --1--2--3--|
    ///     take(last: 2)   -----------23|
    ///
    /// An error or an interruption discards what is held. With a count of 0 only the terminal event is sent. Buffers up to
    /// `count` values.
    ///
    /// - Parameter count: How many values; traps if negative.
    @inlinable
    public func take(last count: Int) -> Signal {
        require(count >= 0, "take(last: \(count)): the count must not be negative")
        return derive("take(last: #)", argument: count) { TakeLastSink(count: count, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct TakeLastSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let count: Int
    @usableFromInline let recent = SinkState(Queue<Downstream.Value>())
    @usableFromInline package let downstream: Downstream

    @inlinable
    package init(count: Int, downstream: Downstream) {
        self.count = count
        self.downstream = downstream
    }

    @inlinable
    package func next(_ value: Downstream.Value) {
        guard count > 0 else { return }
        if recent.value.count == count { recent.value.popFirst() }
        recent.value.append(value)
    }

    @inlinable
    package func end(_ termination: Termination<Downstream.Failure>) {
        var last = recent.value
        recent.value = Queue()
        if case .completed = termination {
            while !downstream.hasEnded, let value = last.popFirst() { downstream.next(value) }
        }
        downstream.end(termination)
    }
}
