extension SignalProducer {
    /// Applies a custom operator: see ``/HotSignals/StreamOperator``.
    ///
    /// Like ``/HotSignals/Signal/applying(_:named:argument:)`` of signals, separately for each start, which uses its
    /// own copy of the operator.
    ///
    /// - Parameters:
    ///   - operation: The operator.
    ///   - name: The operator as printed in the result's ``name``. `#` stands for the argument, and `@` for the
    ///     argument as a duration in nanoseconds.
    ///   - argument: The number in the name.
    @_alwaysEmitIntoClient
    public func applying<Operation: StreamOperator>(
        _ operation: Operation, named name: StaticString = "applying", argument: Int = 0
    ) -> SignalProducer<Operation.Output, Operation.OutputFailure>
    where Operation.Input == Value, Operation.InputFailure == Failure {
        derive(name, argument: argument) { OperationSink(operation, OperatorOutput($0.start, $0.receive)) }
    }
}
