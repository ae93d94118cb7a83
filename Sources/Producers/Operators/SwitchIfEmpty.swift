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
            derivedName("switchIfEmpty:"), contention: contention.joined(with: other.contention)
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
        return derive("switchIfEmpty:", headed: { SwitchIfEmptySink(core: $0, other: other) })
    }

    /// Accepts leading-dot syntax: `switchIfEmpty(.init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func switchIfEmpty(_ other: SignalProducer<Value, Failure>) -> Signal { switchIfEmpty(other) }
}

/// Forwards a signal, and starts a producer if the signal completes without a value.
@usableFromInline
@_fixed_layout
final class SwitchIfEmptySink<Value: Sendable, Failure: Error>: WorkingSink {
    /// Runs the producer. Of the strategies for one stream, `.throttle` forwards its interruption.
    @usableFromInline let flattening: Flattening<Value, Failure, Failure>
    @usableFromInline let other: SignalProducer<Value, Failure>
    @usableFromInline let isEmpty = SinkState(true)

    @_alwaysEmitIntoClient
    init(core: Core<Value, Failure>, other: SignalProducer<Value, Failure>) {
        flattening = Flattening(core: core, strategy: .throttle, raising: nil, promote: { $0 })
        self.other = other
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        isEmpty.value = false
        flattening.core.sendNext(value)
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) {
        if termination.isCompletion, isEmpty.value { return flattening.addLast(other) }
        flattening.endOuter(termination)
    }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { flattening.core.terminated.isRaised }

    // The closure does not retain the producer.
    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { { [flattening] in flattening.stop() } }
}
