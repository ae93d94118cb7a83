import HotSignals

/// Forwards a signal. When that has ended, it starts a producer or ends the result, as the operator says.
@usableFromInline
@_fixed_layout
final class FallbackSink<Value: Sendable, Failure: Error, ResultFailure: Error>: WorkingSink {
    @frozen @usableFromInline
    enum Next {
        case end(Termination<ResultFailure>)
        case start(SignalProducer<Value, ResultFailure>)
    }

    /// Runs the producer. Of the strategies for one stream, `.throttle` forwards its interruption.
    @usableFromInline let flattening: Flattening<Value, ResultFailure, ResultFailure>
    @usableFromInline let isEmpty = SinkState(true)
    @usableFromInline let next: @Sendable (Termination<Failure>, _ isEmpty: Bool) -> Next

    /// - Parameter next: Called with the end of the signal, and whether it has sent no value.
    @_alwaysEmitIntoClient
    init(
        _ core: Core<Value, ResultFailure>,
        next: @escaping @Sendable (Termination<Failure>, _ isEmpty: Bool) -> Next
    ) {
        flattening = Flattening(core: core, strategy: .throttle, raising: nil, promote: { $0 })
        self.next = next
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        isEmpty.value = false
        flattening.core.sendNext(value)
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) {
        switch next(termination, isEmpty.value) {
        case .end(let termination): flattening.endOuter(termination)
        case .start(let producer): flattening.addLast(producer)
        }
    }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { flattening.core.terminated.isRaised }

    // The closure does not retain the producer.
    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { { [flattening] in flattening.stop() } }
}
