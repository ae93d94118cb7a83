extension SignalProducer {
    /// Applies an operator: the producer of what its sink sends downstream.
    ///
    /// A start makes the sink, and has this producer's work send into it: no signal lies between.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed: see ``StreamName``.
    ///   - argument: The number in it.
    ///   - makeSink: The operator: from the sink downstream to the sink upstream. Called once a start.
    @inlinable
    package func derive<NewValue, NewFailure, S: Sink>(
        _ name: StaticString, argument: Int = 0,
        through makeSink: @escaping @Sendable (ProducerSink<NewValue, NewFailure>) -> S
    ) -> SignalProducer<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        SignalProducer<NewValue, NewFailure>(derivedName(name, argument), contention: contention) { run, downstream in
            let sink = makeSink(downstream)
            begin(run, ProducerSink(run) { sink.receive($0) })
        }
    }

    /// A derived producer that completes at once, without starting this one.
    @inlinable
    package func deriveCompleted(_ name: StaticString, argument: Int) -> SignalProducer {
        SignalProducer(derivedName(name, argument), .ended(.completed))
    }

    @inlinable
    package func derivedName(_ name: StaticString, _ argument: Int = 0) -> StreamName {
        StreamName(name, argument: argument, parent: NameNode(streamName))
    }
}
