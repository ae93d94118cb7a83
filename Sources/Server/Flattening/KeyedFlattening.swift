extension Flattening {
    /// The flattening of one key.
    @_alwaysEmitIntoClient
    var laneWork: LaneWork { LaneWork(self, isDone: { self.isEmpty }, close: { _ in self.stop() }) }
}

/// The limits of an operator that works separately for each key.
@frozen @usableFromInline
struct KeyLimits<Failure: Error>: Sendable {
    @usableFromInline let maxKeys: Int
    @usableFromInline let overflow: Overflow
    /// The error of the overflow `.fail`.
    @usableFromInline let error: Failure?
    @usableFromInline let idle: Duration
    /// Creates the clock of a start.
    @usableFromInline let clock: @Sendable () -> OperatorClock

    @_alwaysEmitIntoClient
    init(
        _ maxKeys: Int, _ overflow: Overflow, raising error: Failure?, idle: Duration, on scheduler: some DelayScheduler
    ) {
        self.maxKeys = maxKeys
        self.overflow = overflow
        self.error = error
        self.idle = idle
        clock = { OperatorClock(scheduler) }
    }

    /// Traps on bad arguments of `flatMap(perKey:)`.
    @usableFromInline
    func requireForFlatMap(_ strategy: FlattenStrategy) {
        require(idle >= .zero, "flatMap(idle: \(idle)): the time must not be negative")
        overflow.require(for: "flatMap", (label: "maxKeys", value: maxKeys), hasError: error != nil)
        if error == nil { strategy.requireNoError("flatMap(perKey:)") }
    }

    @_alwaysEmitIntoClient
    func lanes(
        perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
        done: @escaping @Sendable () -> Void, interrupt: @escaping @Sendable (KeyedLanes) -> Void
    ) -> KeyedLanes {
        KeyedLanes(
            maxKeys: maxKeys, whenFull: overflow, idle: idle, clock: clock(), perform: perform, done: done,
            interrupt: interrupt)
    }
}

/// Receives the outer stream, and flattens the inner streams of each key separately, into the same result.
@usableFromInline
@_fixed_layout
final class KeyedOuterSink<
    Value: Sendable, Failure: Error, Key: Hashable & Sendable, Inner: Sendable, InnerFailure: Error,
    ResultFailure: Error
>: WorkingSink {
    @usableFromInline typealias Work = Flattening<Inner, ResultFailure, InnerFailure>

    @usableFromInline let core: Core<Inner, ResultFailure>
    @usableFromInline let lanes: KeyedLanes
    @usableFromInline let error: ResultFailure?
    @usableFromInline let key: @Sendable (Value) -> Key
    @usableFromInline let transform: @Sendable (Value) -> SignalProducer<Inner, InnerFailure>
    @usableFromInline let promote: @Sendable (Termination<Failure>) -> Termination<ResultFailure>
    @usableFromInline let makeWork: @Sendable (Lane) -> LaneWork

    @_alwaysEmitIntoClient
    init(
        _ core: Core<Inner, ResultFailure>, _ strategy: FlattenStrategy, _ limits: KeyLimits<ResultFailure>,
        key: @escaping @Sendable (Value) -> Key,
        transform: @escaping @Sendable (Value) -> SignalProducer<Inner, InnerFailure>,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<ResultFailure>,
        inner: @escaping @Sendable (Termination<InnerFailure>) -> Termination<ResultFailure>
    ) {
        let lanes = limits.lanes(done: { core.sendEnd(.completed) }, interrupt: { _ in core.sendEnd(.interrupted) })
        let taskContext = LibraryTask.captured
        self.core = core
        self.lanes = lanes
        error = limits.error
        self.key = key
        self.transform = transform
        promote = outer
        makeWork = { lane in
            Work(
                core: core, strategy: strategy, raising: limits.error, within: taskContext, promote: inner,
                whenDone: { lanes.settle(lane) }
            ).laneWork
        }
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        guard !hasEnded else { return }
        switch lanes.use(key(value), make: makeWork) {
        case .lane(let lane, let work, isNew: _):
            unsafeDowncast(work.object, to: Work.self).add(transform(value))
            lanes.finish(lane)
        case .refused: break
        case .full: if let error { core.sendEnd(.error(error)) }
        }
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) {
        if termination.isCompletion { lanes.endUses() } else { core.sendEnd(promote(termination)) }
    }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { core.terminated.isRaised }

    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { { [lanes] in lanes.stop() } }
}

extension Signal {
    @_alwaysEmitIntoClient
    func flattened<Key: Hashable & Sendable, Inner: SignalProducerConvertible, NewFailure>(
        perKey key: @escaping @Sendable (Value) -> Key, _ strategy: FlattenStrategy, _ limits: KeyLimits<NewFailure>,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        inner: @escaping @Sendable (Termination<Inner.Failure>) -> Termination<NewFailure>,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, NewFailure> {
        limits.requireForFlatMap(strategy)
        return derive("flatMap(perKey:)") {
            KeyedOuterSink(
                $0, strategy, limits, key: key, transform: { transform($0).producer }, outer: outer, inner: inner)
        }
    }
}

extension SignalProducer {
    @_alwaysEmitIntoClient
    func flattened<Key: Hashable & Sendable, Inner: SignalProducerConvertible, NewFailure>(
        perKey key: @escaping @Sendable (Value) -> Key, _ strategy: FlattenStrategy, _ limits: KeyLimits<NewFailure>,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        inner: @escaping @Sendable (Termination<Inner.Failure>) -> Termination<NewFailure>,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, NewFailure> {
        limits.requireForFlatMap(strategy)
        return derive("flatMap(perKey:)") {
            KeyedOuterSink(
                $0, strategy, limits, key: key, transform: { transform($0).producer }, outer: outer, inner: inner)
        }
    }
}
