extension SignalProducer {
    /// Sends values in arrays, when an array is large enough or old enough.
    ///
    /// Like ``/HotSignals/Signal/collect(every:upTo:on:)`` of signals, separately for each start.
    ///
    /// A consumer or an operator downstream that suspends its source suspends the source of this operator, which then
    /// also waits while `count` values are here. So in front of `values(buffering: .suspending(n))`, a source that
    /// sends one value at a time is never ahead by more than `n + 1` arrays. An array that is due is sent, although the
    /// consumer has no room.
    ///
    /// ```swift
    /// let (rows, continuation) = AsyncStream<Int>.makeStream()
    /// for row in 1...5 { continuation.yield(row) }
    /// continuation.finish()
    /// let batches = SignalProducer(rows).collect(every: .seconds(1), upTo: 2, on: QueueScheduler())
    /// var saved: [[Int]] = []
    /// for await batch in batches.values(buffering: .suspending(1)) { saved.append(batch) }
    /// print(saved)  // prints [[1, 2], [3, 4], [5]]
    /// ```
    ///
    /// - Parameters:
    ///   - interval: The longest time between the first value of an array and its sending. Traps unless positive.
    ///   - count: The size at which an array is sent. Traps unless positive.
    ///   - scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func collect(
        every interval: Duration, upTo count: Int, on scheduler: some DelayScheduler
    ) -> SignalProducer<[Value], Failure> {
        let machine = CollectEveryUpToMachine<Value, Failure>(every: interval, upTo: count)
        return deriveTimed(
            "collect(every:upTo: #)", argument: count, on: scheduler, running: machine, holding: count,
            goingOnAt: count - 1
        ) { $0.count }
    }
}
