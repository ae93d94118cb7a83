extension SignalCore {
    /// Counts the values that an operator of producers holds, if something suspends its result.
    ///
    /// - Parameters:
    ///   - limit: The number at which the source is suspended.
    ///   - share: The number at which it goes on.
    @_alwaysEmitIntoClient
    func makeStock(limit: Int, goingOnAt share: Int) -> Stock? {
        senders.map { Stock(Room(limit: limit, goingOnAt: share, downstream: $0)) }
    }
}

// For operators that queue values: if something suspends the result, the source is suspended by the operator, too,
// while `limit` values wait in it.
extension SignalProducer {
    /// `deriveTimed` for an operator that queues values.
    ///
    /// - Parameters:
    ///   - share: The number at which the source goes on.
    ///   - count: How many values of the source have been sent with a value of the result. One if `nil`.
    @_alwaysEmitIntoClient
    package func deriveTimed<Machine: TimedMachine>(
        _ name: StaticString, argument: Int = 0, on scheduler: some DelayScheduler, running machine: Machine,
        holding limit: Int, goingOnAt share: Int, count: (@Sendable (Machine.Output) -> Int)? = nil
    ) -> SignalProducer<Machine.Output, Failure> where Machine.Value == Value, Machine.Failure == Failure {
        derive(name, argument: argument, on: scheduler, passesSuspension: true) { core in
            StockedSink(core.makeStock(limit: limit, goingOnAt: share), sendingTo: core, count: count) {
                TimedSink(machine, clock: OperatorClock(scheduler), downstream: $0)
            }
        }
    }
}
