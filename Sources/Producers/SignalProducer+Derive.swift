extension SignalProducer {
    /// Applies an operator that transforms the downstream sink into an upstream sink.
    ///
    /// Each start creates the operator's sink, and this producer's work sends into it. There is no signal in between.
    ///
    /// - Parameters:
    ///   - name: The operator as printed in the name of the result: see ``StreamName``.
    ///   - argument: The number in the name.
    ///   - makeSink: Creates the operator's upstream sink from the downstream sink. Called once per start.
    @inlinable
    package func derive<NewValue, NewFailure, S: Sink>(
        _ name: StaticString, argument: Int = 0,
        through makeSink: @escaping @Sendable (ProducerSink<NewValue, NewFailure>) -> S
    ) -> SignalProducer<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        SignalProducer<NewValue, NewFailure>(derivedName(name, argument), of: self) { start, downstream in
            let sink = makeSink(downstream)
            beginWork(of: start, into: ProducerSink(erasing: sink, start))
        }
    }

    /// Returns a derived producer that completes immediately, without starting this one.
    @_alwaysEmitIntoClient
    package func deriveCompleted(_ name: StaticString, argument: Int) -> SignalProducer {
        SignalProducer(derivedName(name, argument), .ended(.completed))
    }

    @inlinable
    package func derivedName(_ name: StaticString, _ argument: Int = 0) -> StreamName {
        StreamName(name, argument: argument, parent: NameNode(streamName))
    }
}
