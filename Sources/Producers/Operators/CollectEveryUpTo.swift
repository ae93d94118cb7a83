extension SignalProducer {
    /// Sends values in arrays, when an array is large enough or old enough.
    ///
    /// Like ``/HotSignals/Signal/collect(every:upTo:on:file:line:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - interval: The longest time between the first value of an array and its sending. Traps unless positive.
    ///   - count: The size at which an array is sent. Traps unless positive.
    ///   - scheduler: Where observers are called.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func collect(
        every interval: Duration, upTo count: Int, on scheduler: some DelayScheduler, file: StaticString = #fileID,
        line: UInt = #line
    ) -> SignalProducer<[Value], Failure> {
        let machine = CollectEveryUpToMachine<Value, Failure>(every: interval, upTo: count, file: file, line: line)
        return deriveTimed("collect(every:upTo: #)", argument: count, on: scheduler, running: machine)
    }
}
