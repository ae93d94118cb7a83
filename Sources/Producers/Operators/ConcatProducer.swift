extension SignalProducer {
    /// Sends this producer's events and, when it has completed or been interrupted, those of another producer.
    ///
    /// ```marbles
    /// source                  --1--2--|
    /// other                   --8--9--|
    /// source.concat(other)    --1--2----8--9--|
    /// ```
    ///
    /// A consumer or an operator downstream that suspends its source suspends both, if both can be suspended. For a
    /// single value, use ``concat(value:)``.
    ///
    /// - Parameter next: Started when this producer has completed or been interrupted. Its interruption counts as
    ///   completion.
    @_alwaysEmitIntoClient
    public func concat(_ next: SignalProducer) -> SignalProducer {
        SignalProducer(
            derivedName("concat:"), contention: contention.joined(with: next.contention),
            isSuspendable: isSuspendable && next.isSuspendable
        ) { _, sink in
            SerialStart.run(
                into: sink,
                step { termination in
                    if case .error = termination { return .end(termination) }
                    return next.step { termination in
                        if case .error = termination { .end(termination) } else { .end(.completed) }
                    }
                })
        }
    }

    /// Sends this producer's events and, when it has completed or been interrupted, those of another stream.
    ///
    /// - Parameter next: A producer, which is started at that point, or a signal, which is observed from then on. Its
    ///   interruption counts as completion.
    @_alwaysEmitIntoClient
    public func concat(_ next: some SignalProducerConvertible<Value, Failure>) -> SignalProducer {
        concat(next.producer)
    }

    /// Sends the events of several producers in order, each started when the previous one has completed or been
    /// interrupted.
    ///
    /// - Parameter producers: Iterated as needed. Without producers, the result completes immediately.
    @_alwaysEmitIntoClient
    public static func concat<S: Sequence & Sendable>(_ producers: S) -> SignalProducer
    where S.Element: SignalProducerConvertible<Value, Failure> {
        succeeding(producers)
    }

    /// Sends the events of several producers in order: see ``concat(_:)-(S)``.
    @_alwaysEmitIntoClient
    public static func concat(_ producers: SignalProducer...) -> SignalProducer {
        succeeding(
            producers, OperatorInputs(producers.map { $0.streamName }),
            contention: producers.lazy.map { $0.contention }.joined())
    }

    /// - Parameter inputs: The names of the producers, if they are known without iterating.
    @_alwaysEmitIntoClient
    static func succeeding<S: Sequence & Sendable>(
        _ producers: S, _ inputs: OperatorInputs? = nil, contention: Contention = .wait
    ) -> SignalProducer where S.Element: SignalProducerConvertible<Value, Failure> {
        SignalProducer(
            StreamName("+concat:", parent: inputs), contention: contention, isSuspendable: areSuspendable(producers)
        ) { _, sink in
            let rest = SinkState(producers.makeIterator())
            let goOn: @Sendable (Termination<Failure>) -> SerialStart<Value, Failure>.Step = { termination in
                if case .error = termination { .end(termination) } else { .again }
            }
            SerialStart.run(into: sink) { serial in
                while let producer = rest.value.next()?.producer {
                    // Here, and not in a step of its own: one value needs no start.
                    guard case .value(let value) = producer.work else {
                        return serial.begin(producer, next: { serial.sink.next($0) }, then: goOn)
                    }
                    serial.sink.next(value)
                    if serial.sink.start.isOver { return serial.sink.end(.interrupted) }
                }
                serial.sink.end(.completed)
            }
        }
    }
}
