import HotSignals

/// Receives the outer stream, and transforms its values into inner streams.
@usableFromInline
@_fixed_layout
final class OuterSink<
    Value: Sendable, Failure: Error, Inner: Sendable, InnerFailure: Error, ResultFailure: Error
>: WorkingSink {
    @usableFromInline let flattening: Flattening<Inner, ResultFailure, InnerFailure>
    @usableFromInline let transform: @Sendable (Value) -> SignalProducer<Inner, InnerFailure>
    @usableFromInline let promote: @Sendable (Termination<Failure>) -> Termination<ResultFailure>

    @_alwaysEmitIntoClient
    init(
        _ flattening: Flattening<Inner, ResultFailure, InnerFailure>,
        transform: @escaping @Sendable (Value) -> SignalProducer<Inner, InnerFailure>,
        promote: @escaping @Sendable (Termination<Failure>) -> Termination<ResultFailure>
    ) {
        self.flattening = flattening
        self.transform = transform
        self.promote = promote
    }

    /// Returns what makes the sink of one start.
    @_alwaysEmitIntoClient @inline(__always)
    static func making(
        _ name: StaticString, _ strategy: FlattenStrategy, raising overflowError: ResultFailure?,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<ResultFailure>,
        inner: @escaping @Sendable (Termination<InnerFailure>) -> Termination<ResultFailure>,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<Inner, InnerFailure>
    ) -> @Sendable (Core<Inner, ResultFailure>) -> OuterSink {
        if overflowError == nil { strategy.requireNoError(name) }
        return { core in
            let flattening = Flattening(core: core, strategy: strategy, raising: overflowError, promote: inner)
            return OuterSink(flattening, transform: transform, promote: outer)
        }
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) { flattening.add(transform(value)) }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) { flattening.endOuter(promote(termination)) }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { flattening.core.terminated.isRaised }

    @_alwaysEmitIntoClient
    package var stopWork: @Sendable () -> Void { { [flattening] in flattening.stop() } }

    @_alwaysEmitIntoClient
    package var senders: SenderQueue? { flattening.senders }
}
