extension SignalCore {
    /// Counts the values that an operator of signals holds, if the senders of its result can be suspended.
    ///
    /// - Parameter share: How many values it may hold besides the capacity of the pipe.
    @_alwaysEmitIntoClient
    func makeStock(share: Int) -> Stock? { senders.map { Stock(Room(share: share, of: $0)) } }
}

// For operators that queue values: senders that can be suspended wait, too, while the operator holds `share` and the
// capacity of the pipe.
extension Signal {
    /// `deriveTimed` for an operator that queues values.
    ///
    /// - Parameter count: How many values have been sent with a value of the result. One if `nil`.
    @_alwaysEmitIntoClient
    package func deriveTimed<Machine: TimedMachine>(
        _ name: StaticString, argument: Int = 0, on scheduler: some DelayScheduler, running machine: Machine,
        holding share: Int, count: (@Sendable (Machine.Output) -> Int)? = nil
    ) -> Signal<Machine.Output, Failure> where Machine.Value == Value, Machine.Failure == Failure {
        derive(name, argument: argument, on: scheduler, passesSuspension: true) { core in
            StockedSink(core.makeStock(share: share), sendingTo: core, count: count) {
                TimedSink(machine, clock: OperatorClock(scheduler), downstream: $0)
            }
        }
    }
}
