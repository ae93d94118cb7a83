extension Signal {
    /// Sends values as long as they pass a test, and the first one that fails it, then completes.
    ///
    /// Like ``take(while:)``, but also sends the value that fails the test.
    ///
    /// ```marbles
    /// source                                   --1--2--3--1--|
    /// source.take(throughWhile: { $0 < 3 })    --1--2--3|
    /// ```
    ///
    /// Completes, and releases the source, during the delivery of that value.
    ///
    /// - Parameter shouldContinue: Called once per value until it returns `false`, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func take(throughWhile shouldContinue: @escaping @Sendable (Value) -> Bool) -> Signal {
        derive("take(throughWhile:)") {
            TakeWhileSink(shouldContinue: shouldContinue, includesLast: true, downstream: $0)
        }
    }
}
