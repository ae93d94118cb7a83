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
        return derive("mapAsync:", passesSuspension: true) { core in
            core.beHeldByNobody()
            let room =
                isSuspendable
                ? Room(limit: maxConcurrent, goingOnAt: maxConcurrent - 1, downstream: core.senders) : nil
            return AsyncMapping(
                core, limit: maxConcurrent, isOrdered: ordered, stock: room.map { Stock($0) }, transform)
        }
    }
}
