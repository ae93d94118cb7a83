extension SignalProducer {
    /// Sends values in arrays, when an array is large enough or old enough.
    ///
    /// Like ``/HotSignals/Signal/collect(every:upTo:on:)`` of signals, separately for each start.
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
        return deriveTimed("collect(every:upTo: #)", argument: count, on: scheduler, running: machine)
    }
}
