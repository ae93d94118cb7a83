import HotSignals

extension SignalProducer {
    /// Starts another producer if this one completes without a value.
    ///
    /// ```marbles
    /// source                         -----|
    /// other                          --8--9--|
    /// source.switchIfEmpty(other)    -------8--9--|
    /// ```
    ///
    /// Otherwise, forwards every event of this producer. Its error or interruption is forwarded, and the other producer
    /// is not started.
    ///
    /// - Parameter other: A producer, which is started at most once per start, or a signal, which is observed from the
    ///   completion on.
    /// - SeeAlso: ``defaultIfEmpty(_:)``
    @_alwaysEmitIntoClient
    public func switchIfEmpty(_ other: some SignalProducerConvertible<Value, Failure>) -> SignalProducer {
        let other = other.producer
        return SignalProducer(
            derivedName("switchIfEmpty:"), contention: contention.joined(with: other.contention),
            isSuspendable: isSuspendable && other.isSuspendable
        ) { _, sink in
            let isEmpty = SinkState(true)
            let first = SerialStart<Value, Failure>.Step.begin { serial in
                serial.begin(self) { value in
                    isEmpty.value = false
                    sink.next(value)
                } then: { termination in
                    guard termination.isCompletion, isEmpty.value else { return .end(termination) }
                    return other.step { .end($0) }
                }
            }
            SerialStart.run(into: sink, first)
        }
    }

    /// Accepts leading-dot syntax: `switchIfEmpty(.init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func switchIfEmpty(_ other: SignalProducer) -> SignalProducer { switchIfEmpty(other) }
}

extension Signal {
    /// Starts a producer if this signal completes without a value: see ``SignalProducer/switchIfEmpty(_:)``.
    ///
    /// - Parameter other: A producer, which is started at most once, or a signal, which is observed from the completion
    ///   on.
    @_alwaysEmitIntoClient
    public func switchIfEmpty(_ other: some SignalProducerConvertible<Value, Failure>) -> Signal {
        let other = other.producer
        return derive(
            "switchIfEmpty:",
            headed: { core in
                FallbackSink(core) { termination, isEmpty in
                    termination.isCompletion && isEmpty ? .start(other) : .end(termination)
                }
            })
    }

    /// Accepts leading-dot syntax: `switchIfEmpty(.init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func switchIfEmpty(_ other: SignalProducer<Value, Failure>) -> Signal { switchIfEmpty(other) }
}
