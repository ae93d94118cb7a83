extension Signal {
    /// Sends each value, and then the values that `transform` makes of it, of these in turn, and so on.
    ///
    /// Use it to walk trees and graphs, and to read pages that name the next ones. The number of values or streams that
    /// wait is not limited, unless the strategy limits it.
    ///
    /// - `.merge` and `.concurrent(limit:)` walk in breadth: the inner streams start in the order of the values that
    ///   they are made of, and run side by side. Values are sent as they arrive. Streams wait for their start.
    /// - `.concat` walks in depth: a value is sent when everything that follows from the previous ones has been sent.
    ///   Until then it waits. An inner stream runs while its values are expanded.
    ///
    /// ```marbles
    /// source                                                                           --1|
    /// source.expand(.merge) { SignalProducer($0 < 5 ? [2 * $0, 2 * $0 + 1] : []) }     --123456789|
    /// source.expand(.concat) { SignalProducer($0 < 5 ? [2 * $0, 2 * $0 + 1] : []) }    --124895367|
    /// ```
    ///
    /// Completes when the source and all inner streams have completed. An inner stream that is interrupted counts as
    /// completed. An error is sent immediately and disposes of all inner streams. The stack does not grow with the
    /// number of levels, also if the inner streams are synchronous. A function that always returns a stream with values
    /// expands forever: limit it, for example with `take(first:)`.
    ///
    /// - Parameters:
    ///   - strategy: `.merge`, `.concat` or `.concurrent`. `.concat(waiting:whenFull:)` limits the number of values
    ///     that wait, `.concurrent(limit:waiting:whenFull:)` that of streams that wait for their start. Traps if it is
    ///     another strategy, or an ordered one.
    ///   - error: Sent if the overflow of the strategy is `.fail`, which traps without it.
    ///   - transform: Called once per value after it has been sent, on the thread that starts the inner stream.
    @_alwaysEmitIntoClient
    public func expand<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Failure? = nil,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal where Inner.Value == Value, Inner.Failure == Failure {
        strategy.requireExpanding(hasError: error != nil)
        if strategy.isSerial {
            return derive("expand:") { DepthExpansion($0, strategy, raising: error) { transform($0).producer } }
        }
        return derive("expand:") { BreadthSink($0, strategy, raising: error, transform) }
    }

    /// Accepts leading-dot syntax: `expand(.concat) { $0 < limit ? .init(value: $0 + 1) : .empty }`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func expand(
        _ strategy: FlattenStrategy, raising error: Failure? = nil,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<Value, Failure>
    ) -> Signal {
        expand(strategy, raising: error, transform)
    }
}

extension SignalProducer {
    /// Sends each value, and then the values that `transform` makes of it, of these in turn, and so on.
    ///
    /// Like ``HotSignals/Signal/expand(_:raising:_:)`` of signals, separately for each start. In breadth, the
    /// values that this producer sends in its start come before all that is made of them.
    ///
    /// - Parameters:
    ///   - strategy: `.merge`, `.concat` or `.concurrent`, as for signals. Traps if it is another strategy, or an
    ///     ordered one.
    ///   - error: Sent if the overflow of the strategy is `.fail`, which traps without it.
    ///   - transform: Called once per value after it has been sent, on the thread that starts the inner stream.
    @_alwaysEmitIntoClient
    public func expand<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, raising error: Failure? = nil,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer where Inner.Value == Value, Inner.Failure == Failure {
        strategy.requireExpanding(hasError: error != nil)
        if strategy.isSerial {
            return derive("expand:") { DepthExpansion($0, strategy, raising: error) { transform($0).producer } }
        }
        let name = derivedName("expand:")
        return SignalProducer(name, contention: contention) { start, downstream in
            let core = Core.result(named: name, contention: contention, into: downstream)
            let sink = BreadthSink(core, strategy, raising: error, transform)
            sink.flattening.queueing { beginUpstream(of: start, into: sink, headedBy: core) }
        }
    }

    /// Accepts leading-dot syntax: `expand(.concat) { $0 < limit ? .init(value: $0 + 1) : .empty }`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func expand(
        _ strategy: FlattenStrategy, raising error: Failure? = nil,
        _ transform: @escaping @Sendable (Value) -> SignalProducer
    ) -> SignalProducer {
        expand(strategy, raising: error, transform)
    }
}

extension FlattenStrategy {
    @_alwaysEmitIntoClient
    var isSerial: Bool { kind == .concurrent(limit: 1) }

    /// The maximum number of values that wait.
    @usableFromInline
    var waitingLimit: Int { bound?.waiting ?? .max }

    @usableFromInline
    func requireExpanding(hasError: Bool) {
        if case .concurrent = kind {
        } else {
            require(false, "expand(\(description)): the strategy must be .merge, .concat or .concurrent, not ordered")
        }
        if !hasError { requireNoError("expand") }
    }
}

/// Feeds the values of inner streams back into a ``Flattening``, which starts streams in the order in which they come.
@usableFromInline
@_fixed_layout
final class BreadthSink<Value: Sendable, Failure: Error, Inner: SignalProducerConvertible>: WorkingSink
where Inner.Value == Value, Inner.Failure == Failure {
    @usableFromInline let flattening: Flattening<Value, Failure, Failure>
    @usableFromInline let transform: @Sendable (Value) -> Inner

    @_alwaysEmitIntoClient
    init(
        _ core: Core<Value, Failure>, _ strategy: FlattenStrategy, raising error: Failure?,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) {
        flattening = Flattening(core: core, strategy: strategy, raising: error, promote: { $0 })
        self.transform = transform
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        flattening.core.sendNext(value)
        expand(value)
    }

    @_alwaysEmitIntoClient
    func expand(_ value: Value) {
        guard !hasEnded else { return }
        let inner = transform(value).producer
        // A leaf need not wait for its turn.
        if case .ended(.completed) = inner.work { return }
        flattening.add(
            SignalProducer(inner.streamName, contention: inner.contention) { start, sink in
                inner.beginWork(
                    of: start,
                    into: ProducerSink(start) { [self] event in
                        sink.receive(event)
                        if let value = event.pointee.value, !start.isOver { expand(value) }
                    })
            })
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) { flattening.endOuter(termination) }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { flattening.core.terminated.isRaised }

    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { { [flattening] in flattening.stop() } }
}
