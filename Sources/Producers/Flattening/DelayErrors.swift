import HotSignals

/// How an operator that starts several streams delays an error until all of them have ended.
public enum DelayedErrors {
    /// Sends the first error.
    public struct First: Sendable {
        /// The first error, when all streams have ended.
        @_alwaysEmitIntoClient
        public static var first: First { First() }

        @usableFromInline
        init() {}
    }

    /// Sends all errors, as ``CollectedErrors``.
    public struct All: Sendable {
        /// All errors, when all streams have ended.
        @_alwaysEmitIntoClient
        public static var all: All { All() }

        @usableFromInline
        init() {}
    }
}

/// The errors of several streams, which an operator has sent when all of them had ended.
public struct CollectedErrors<Failure: Error>: Error {
    /// The errors, in the order in which they arrived. At least one.
    public let errors: [Failure]

    /// Creates the error.
    public init(errors: [Failure]) { self.errors = errors }
}

extension CollectedErrors: Equatable where Failure: Equatable {}
extension CollectedErrors: Hashable where Failure: Hashable {}

// MARK: flatMap

extension SignalProducer {
    /// Sends the values of the streams that `transform` makes, and delays an error until all of them have ended.
    ///
    /// Like `flatMap` without a delay, but a stream that fails counts as completed, and so does this producer. When the
    /// result would complete, it fails with the first of the errors. Known as `flatMapDelayError` in Reactor and as
    /// `delayErrors` in RxJava.
    ///
    /// ```swift
    /// struct Failed: Error {}
    /// let pages = SignalProducer(["a", "b", "c"])
    /// pages.flatMap(.concat, delayErrors: .first) { page -> SignalProducer<String, Failed> in
    ///     page == "b" ? .init(error: Failed()) : .init(value: page)
    /// }.startWithResult { print((try? $0.get()) ?? "failed") }
    /// // prints a
    /// // prints c
    /// // prints failed
    /// ```
    ///
    /// ```marbles
    /// source                                                        --1--2-----|
    /// cold inner                                                    --a-X
    /// source.flatMap(.merge, delayErrors: .first) { _ in inner }    ----a--a---X
    /// ```
    ///
    /// An interruption of this producer is forwarded immediately, as without a delay, and so is a disposal.
    ///
    /// - Parameters:
    ///   - strategy: Any strategy. Traps if its `whenFull:` is `.fail`, which would need another error.
    ///   - delay: `.first`, or `.all` in the other form.
    ///   - transform: Called once per value.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, delayErrors delay: DelayedErrors.First,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Failure {
        delayingErrors(strategy, HeldErrors.first, raise: { $0[0] }, outer: { $1.hold($0) }, transform)
    }

    /// The same for a producer that cannot fail.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, delayErrors delay: DelayedErrors.First,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> where Failure == Never {
        delayingErrors(strategy, HeldErrors.first, raise: { $0[0] }, outer: { end, _ in end }, transform)
    }

    /// Sends the values of the streams that `transform` makes, and fails with all errors when all of them have ended:
    /// see ``flatMap(_:delayErrors:_:)->SignalProducer<Inner.Value,Failure>``. The errors are stored until then, and
    /// their number has no bound.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, delayErrors delay: DelayedErrors.All,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, CollectedErrors<Failure>> where Inner.Failure == Failure {
        delayingErrors(
            strategy, HeldErrors.all, raise: { CollectedErrors(errors: $0) }, outer: { $1.hold($0) }, transform)
    }

    /// The same for a producer that cannot fail.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, delayErrors delay: DelayedErrors.All,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, CollectedErrors<Inner.Failure>> where Failure == Never {
        delayingErrors(
            strategy, HeldErrors.all, raise: { CollectedErrors(errors: $0) }, outer: { end, _ in end }, transform)
    }

    /// - Parameters:
    ///   - make: Creates what holds the errors of a start.
    ///   - raise: Makes the error of the result.
    ///   - outer: Holds an error of this producer.
    @_alwaysEmitIntoClient
    func delayingErrors<Inner: SignalProducerConvertible, NewFailure>(
        _ strategy: FlattenStrategy, _ make: @escaping @Sendable () -> HeldErrors<Inner.Failure>,
        raise: @escaping @Sendable ([Inner.Failure]) -> NewFailure,
        outer: @escaping @Sendable (Termination<Failure>, HeldErrors<Inner.Failure>) -> Termination<Never>,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, NewFailure> {
        strategy.requireNoError("flatMap(delayErrors:)")
        return .delayingErrors(
            derivedName("flatMap(delayErrors:)"), contention: contention, make, raise
        ) { held in
            flattened("flatMap:", strategy, outer: { outer($0, held) }, inner: { held.hold($0) }, transform)
        }
    }
}

extension Signal {
    /// Sends the values of the streams that `transform` makes, and delays an error until all of them have ended: see
    /// ``SignalProducer/flatMap(_:delayErrors:_:)->SignalProducer<Inner.Value,Failure>``.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, delayErrors delay: DelayedErrors.First,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Failure> where Inner.Failure == Failure {
        let held = HeldErrors<Failure>.first()
        return delayingErrors(strategy, held, raise: { $0[0] }, outer: { held.hold($0) }, transform)
    }

    /// The same for a signal that cannot fail.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, delayErrors delay: DelayedErrors.First,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Failure> where Failure == Never {
        delayingErrors(strategy, HeldErrors<Inner.Failure>.first(), raise: { $0[0] }, outer: { $0 }, transform)
    }

    /// Sends the values of the streams that `transform` makes, and fails with all errors when all of them have ended:
    /// see ``SignalProducer/flatMap(_:delayErrors:_:)->SignalProducer<Inner.Value,Failure>``.
    @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, delayErrors delay: DelayedErrors.All,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, CollectedErrors<Failure>> where Inner.Failure == Failure {
        let held = HeldErrors<Failure>.all()
        return delayingErrors(
            strategy, held, raise: { CollectedErrors(errors: $0) }, outer: { held.hold($0) }, transform)
    }

    /// The same for a signal that cannot fail.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, delayErrors delay: DelayedErrors.All,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, CollectedErrors<Inner.Failure>> where Failure == Never {
        delayingErrors(
            strategy, HeldErrors<Inner.Failure>.all(), raise: { CollectedErrors(errors: $0) }, outer: { $0 },
            transform)
    }

    @_alwaysEmitIntoClient
    func delayingErrors<Inner: SignalProducerConvertible, NewFailure>(
        _ strategy: FlattenStrategy, _ held: HeldErrors<Inner.Failure>,
        raise: @escaping @Sendable ([Inner.Failure]) -> NewFailure,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<Never>,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, NewFailure> {
        strategy.requireNoError("flatMap(delayErrors:)")
        return flattened("flatMap(delayErrors:)", strategy, outer: outer, inner: { held.hold($0) }, transform)
            .mapEnd("") { held.raise($0, as: raise) }
    }
}

// MARK: merge, concat, combineLatest

extension SignalProducer {
    /// Starts all streams, sends their values, and delays an error until all of them have ended: see
    /// ``flatMap(_:delayErrors:_:)->SignalProducer<Inner.Value,Failure>``.
    @_alwaysEmitIntoClient
    public static func merge<S: Sequence & Sendable>(
        _ streams: S, delayErrors delay: DelayedErrors.First
    ) -> SignalProducer where S.Element: SignalProducerConvertible<Value, Failure> {
        SignalProducer<S.Element, Never>(streams).flatMap(.merge, delayErrors: delay) { $0 }
            .renamed("+merge:")
    }

    /// Starts all streams, sends their values, and fails with all errors when all of them have ended.
    @_alwaysEmitIntoClient
    public static func merge<S: Sequence & Sendable>(
        _ streams: S, delayErrors delay: DelayedErrors.All
    ) -> SignalProducer<Value, CollectedErrors<Failure>> where S.Element: SignalProducerConvertible<Value, Failure> {
        SignalProducer<S.Element, Never>(streams).flatMap(.merge, delayErrors: delay) { $0 }
            .renamed("+merge:")
    }

    /// Starts the streams one after another, also after one that has failed, and fails with the first error at the end:
    /// see ``flatMap(_:delayErrors:_:)->SignalProducer<Inner.Value,Failure>``.
    @_alwaysEmitIntoClient
    public static func concat<S: Sequence & Sendable>(
        _ streams: S, delayErrors delay: DelayedErrors.First
    ) -> SignalProducer where S.Element: SignalProducerConvertible<Value, Failure> {
        SignalProducer<S.Element, Never>(streams).flatMap(.concat, delayErrors: delay) { $0 }
            .renamed("+concat:")
    }

    /// Starts the streams one after another, also after one that has failed, and fails with all errors at the end.
    @_alwaysEmitIntoClient
    public static func concat<S: Sequence & Sendable>(
        _ streams: S, delayErrors delay: DelayedErrors.All
    ) -> SignalProducer<Value, CollectedErrors<Failure>> where S.Element: SignalProducerConvertible<Value, Failure> {
        SignalProducer<S.Element, Never>(streams).flatMap(.concat, delayErrors: delay) { $0 }
            .renamed("+concat:")
    }

    /// Sends the latest values of all producers, and delays an error until all of them have ended.
    ///
    /// A producer that fails counts as completed: its last value stays. See
    /// ``flatMap(_:delayErrors:_:)->SignalProducer<Inner.Value,Failure>``.
    @_alwaysEmitIntoClient
    public static func combineLatest(
        _ producers: some Collection<SignalProducer>, delayErrors delay: DelayedErrors.First
    ) -> SignalProducer<[Value], Failure> {
        combiningLatest(Array(producers), HeldErrors.first) { $0[0] }
    }

    /// Sends the latest values of all producers, and fails with all errors when all of them have ended.
    @_alwaysEmitIntoClient
    public static func combineLatest(
        _ producers: some Collection<SignalProducer>, delayErrors delay: DelayedErrors.All
    ) -> SignalProducer<[Value], CollectedErrors<Failure>> {
        combiningLatest(Array(producers), HeldErrors.all) { CollectedErrors(errors: $0) }
    }

    @_alwaysEmitIntoClient
    func renamed(_ name: StaticString) -> SignalProducer { SignalProducer(StreamName(name), work) }

    @_alwaysEmitIntoClient
    static func combiningLatest<NewFailure>(
        _ producers: [SignalProducer], _ make: @escaping @Sendable () -> HeldErrors<Failure>,
        _ raise: @escaping @Sendable ([Failure]) -> NewFailure
    ) -> SignalProducer<[Value], NewFailure> {
        let name = StreamName(
            "+combineLatest:", parent: OperatorInputs(producers.map { $0.streamName }))
        let contention = producers.lazy.map { $0.contention }.joined()
        return .delayingErrors(name, contention: contention, make, raise) { held in
            SignalProducer<Value, Never>.combineLatest(
                producers.map { $0.mapEnd("") { held.hold($0) } })
        }
    }

    /// - Parameters:
    ///   - hold: Creates what holds the errors of a start.
    ///   - make: Creates a producer that leaves its errors in its argument. Called for each start.
    @_alwaysEmitIntoClient
    static func delayingErrors<Held: Error>(
        _ name: StreamName, contention: Contention, _ hold: @escaping @Sendable () -> HeldErrors<Held>,
        _ raise: @escaping @Sendable ([Held]) -> Failure,
        _ make: @escaping @Sendable (HeldErrors<Held>) -> SignalProducer<Value, Never>
    ) -> SignalProducer {
        SignalProducer(name, contention: contention) { start, sink in
            let held = hold()
            make(held).mapEnd("") { held.raise($0, as: raise) }.beginWork(of: start, into: sink)
        }
    }
}

// MARK: The errors

/// The errors that one start has delayed.
@usableFromInline
@_fixed_layout
final class HeldErrors<Failure: Error>: Sendable {
    private let errors = Locked<[Failure]>([])
    private let keepsAll: Bool

    private init(keepsAll: Bool) { self.keepsAll = keepsAll }

    /// Keeps the first error alone.
    @usableFromInline
    static func first() -> HeldErrors { HeldErrors(keepsAll: false) }

    @usableFromInline
    static func all() -> HeldErrors { HeldErrors(keepsAll: true) }

    /// Takes an error away from a terminal event.
    @usableFromInline
    func hold(_ termination: Termination<Failure>) -> Termination<Never> {
        if case .error(let error) = termination { errors.withLock { if keepsAll || $0.isEmpty { $0.append(error) } } }
        return termination.withoutError()
    }

    /// Fails where a stream completes, if it holds errors.
    @_alwaysEmitIntoClient
    func raise<NewFailure>(
        _ termination: Termination<Never>, as raise: ([Failure]) -> NewFailure
    ) -> Termination<NewFailure> {
        let errors = errorsInOrder
        return termination.isCompletion && !errors.isEmpty ? .error(raise(errors)) : termination.promoted()
    }

    @usableFromInline
    var errorsInOrder: [Failure] { errors.withLock { $0 } }
}
