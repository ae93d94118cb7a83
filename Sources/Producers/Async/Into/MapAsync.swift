extension SignalProducer {
    /// Sends each value transformed by an async function, with a concurrency limit.
    ///
    /// Like ``/HotSignals/Signal/mapAsync(maxConcurrent:ordered:_:)`` of signals, separately for each start.
    ///
    /// ```swift
    /// let (ids, continuation) = AsyncStream<Int>.makeStream()
    /// for id in 1...5 { continuation.yield(id) }
    /// continuation.finish()
    /// let pages = SignalProducer(ids).mapAsync(maxConcurrent: 2) { id in "page \(id)" }
    /// print(await pages.collectAll()?.count ?? 0)  // prints 5
    /// ```
    ///
    /// **Buffering**: a source that is made of async code is suspended while the results of `maxConcurrent` values have
    /// not been sent, so at most `maxConcurrent` elements have been taken ahead of the results.
    /// ``SignalProducer/buffer(upTo:whenFull:on:)`` says which sources can be suspended. Values of other
    /// sources wait in an unbounded queue.
    ///
    /// A consumer or an operator downstream that suspends its source, such as `values(buffering: .suspending(n))`,
    /// suspends the source of this operator. The transformations that are running then are completed, and their
    /// results are sent.
    ///
    /// - Parameters:
    ///   - maxConcurrent: The maximum number of transformations that run at the same time. Traps unless positive.
    ///   - ordered: Whether to send the results in the order of the values.
    ///   - transform: Called once per value. Its task is cancelled when the start ends or is disposed of.
    @_alwaysEmitIntoClient
    public func mapAsync<NewValue: Sendable>(
        maxConcurrent: Int, ordered: Bool = true,
        _ transform: @escaping @Sendable (Value) async throws(Failure) -> NewValue
    ) -> SignalProducer<NewValue, Failure> {
        require(
            maxConcurrent > 0,
            "mapAsync(maxConcurrent: \(maxConcurrent)): the number of transformations must be positive")
        let name = derivedName("mapAsync:")
        return SignalProducer<NewValue, Failure>(name, of: self) {
            start, downstream in
            let core = Core<NewValue, Failure>(rootNamed: name, contention: contention)
            var stock: Stock?
            if isSuspendable {
                let room = Room(limit: maxConcurrent, goingOnAt: maxConcurrent - 1, downstream: start.senders)
                let counting = Stock(room)
                core.adopt(ResultSink(stock: counting, downstream: downstream))
                stock = counting
            } else {
                core.adopt(downstream)
            }
            core.beHeldByNobody()
            let mapping = AsyncMapping(core, limit: maxConcurrent, isOrdered: ordered, room: nil, transform)
            core.state = mapping
            beginUpstream(of: start, into: AsyncMappingSink(mapping: mapping, stock: stock), headedBy: core)
        }
    }
}

/// Forwards a result, and then notes that it has been sent: until then the source must not send another value.
@frozen @usableFromInline
struct ResultSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let stock: Stock
    @usableFromInline let downstream: Downstream

    @_alwaysEmitIntoClient
    init(stock: Stock, downstream: Downstream) {
        self.stock = stock
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    func next(_ value: Downstream.Value) {
        downstream.next(value)
        stock.change(by: -1)
    }
}

/// Passes the events of a producer to its `mapAsync`, and counts the values whose results have not been sent.
@frozen @usableFromInline
struct AsyncMappingSink<Value: Sendable, NewValue: Sendable, Failure: Error>: WorkingSink {
    @usableFromInline let mapping: AsyncMapping<Value, NewValue, Failure>
    /// `nil` if the source cannot be suspended.
    @usableFromInline let stock: Stock?

    @_alwaysEmitIntoClient
    init(mapping: AsyncMapping<Value, NewValue, Failure>, stock: Stock?) {
        self.mapping = mapping
        self.stock = stock
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        stock?.change(by: 1)
        mapping.next(value)
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) { mapping.end(termination) }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { mapping.core.terminated.isRaised }

    /// The end of the result clears the mapping.
    @_alwaysEmitIntoClient
    func stop() {}

    @_alwaysEmitIntoClient
    var senders: SenderQueue? { stock?.senders }
}
