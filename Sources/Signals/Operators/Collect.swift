extension Signal {
    /// Sends all values as one array when the source completes.
    ///
    /// ```marbles
    /// source              --1--2--3--|
    /// source.collect()    -----------[1,2,3]|
    /// ```
    ///
    /// Sends `[]` if there were none. An error or an interruption discards the collected values. Buffers every value.
    @_alwaysEmitIntoClient
    public func collect() -> Signal<[Value], Failure> {
        derive("collect") { CollectSink(flush: .atEnd, downstream: $0) }
    }

    /// Sends the values in arrays of `count`.
    ///
    /// ```marbles
    /// source                      --1--2-----3--|
    /// source.collect(count: 2)    -----[1,2]----[3]|
    /// ```
    ///
    /// On completion, sends the remaining values if there are any, or `[]` if the source sent no value at all. An error
    /// or an interruption discards the collected values.
    ///
    /// - Parameters:
    ///   - count: Traps unless positive.
    @_alwaysEmitIntoClient
    public func collect(count: Int) -> Signal<[Value], Failure> {
        require(count > 0, "collect(count: \(count)): the count must be positive")
        return derive("collect(count: #)", argument: count) {
            CollectCountSink(count: count, downstream: $0)
        }
    }

    /// Sends the values in arrays, each ending with the value for which `shouldEmit` returns `true`.
    ///
    /// ```marbles
    /// source                                     --1--2--3-------4--|
    /// source.collect { $0.reduce(0, +) >= 5 }    --------[1,2,3]----[4]|
    /// ```
    ///
    /// Remaining values are sent and discarded as with ``collect(count:)``.
    ///
    /// - Parameter shouldEmit: Receives the collected values, including the new one. Called once per value.
    @_alwaysEmitIntoClient
    public func collect(
        _ shouldEmit: @escaping @Sendable (_ values: [Value]) -> Bool
    ) -> Signal<[Value], Failure> {
        derive("collect:") { CollectSink(flush: .after(shouldEmit), downstream: $0) }
    }

    /// Sends the values in arrays, each ending before the value for which `shouldEmit` returns `true`.
    ///
    /// ```marbles
    /// source                                  --1--3--2----------4--|
    /// source.collect { $1 < $0.last ?? 0 }    --------[1,3]---------[2,4]|
    /// ```
    ///
    /// That value begins the next array. Remaining values are sent and discarded as with ``collect(count:)``.
    ///
    /// - Parameter shouldEmit: Receives the collected values and the new one, which is not among them yet. Called once
    ///   per value.
    @_alwaysEmitIntoClient
    public func collect(
        _ shouldEmit: @escaping @Sendable (_ values: [Value], _ next: Value) -> Bool
    ) -> Signal<[Value], Failure> {
        derive("collect:") { CollectSink(flush: .before(shouldEmit), downstream: $0) }
    }
}

/// The values of the array that is sent next.
@frozen @usableFromInline
struct Collected<Value: Sendable> {
    @usableFromInline var values: [Value] = []
    /// The number of values that the array still takes, if it has a limit. 0 before its first value.
    @usableFromInline var room = 0
    @usableFromInline var hasSent = false

    @_alwaysEmitIntoClient
    init() {}
}

extension SinkState {
    @_alwaysEmitIntoClient @inline(never)
    func send<Value, Downstream: Sink>(to downstream: Downstream)
    where State == Collected<Value>, Downstream.Value == [Value] {
        value.hasSent = true
        let values = value.values
        value.values = []
        downstream.next(values)
    }

    /// Sends what has been collected if the source has completed, also an empty array if nothing has been sent.
    @_alwaysEmitIntoClient
    func end<Value, Downstream: Sink>(_ termination: Termination<Downstream.Failure>, to downstream: Downstream)
    where State == Collected<Value>, Downstream.Value == [Value] {
        if case .completed = termination {
            if !value.values.isEmpty || !value.hasSent { send(to: downstream) }
        } else {
            value.values = []
        }
        downstream.end(termination)
    }
}

@frozen @usableFromInline
package struct CollectSink<Value: Sendable, Downstream: Sink>: OperatorSink where Downstream.Value == [Value] {
    /// When an array is sent.
    @frozen @usableFromInline
    package enum Flush: Sendable {
        case atEnd
        case after(@Sendable ([Value]) -> Bool)
        case before(@Sendable ([Value], Value) -> Bool)
    }

    @usableFromInline let flush: Flush
    @usableFromInline let state = SinkState(Collected<Value>())
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(flush: Flush, downstream: Downstream) {
        self.flush = flush
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Value) {
        switch flush {
        case .atEnd:
            state.value.values.append(value)
        case .after(let shouldEmit):
            state.value.values.append(value)
            if shouldEmit(state.value.values) { state.send(to: downstream) }
        case .before(let shouldEmit):
            if shouldEmit(state.value.values, value) { state.send(to: downstream) }
            state.value.values.append(value)
        }
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) { state.end(termination, to: downstream) }
}

@frozen @usableFromInline
package struct CollectCountSink<Value: Sendable, Downstream: Sink>: OperatorSink where Downstream.Value == [Value] {
    @usableFromInline let count: Int
    @usableFromInline let state = SinkState(Collected<Value>())
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(count: Int, downstream: Downstream) {
        self.count = count
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) {
        if state.value.room == 0 { begin() }
        state.value.values.append(value)
        state.value.room &-= 1
        if state.value.room == 0 { state.send(to: downstream) }
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) { state.end(termination, to: downstream) }

    @_alwaysEmitIntoClient @inline(never)
    func begin() {
        state.value.room = count
        // Reserves space for all values, but not for a huge count that may never be reached.
        state.value.values.reserveCapacity(Swift.min(count, 1_024))
    }
}
