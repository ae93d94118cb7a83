extension Signal {
    /// Flattens the inner streams of each key separately, and the keys side by side.
    ///
    /// Use it for work that must be in order, or must not overlap, for each client, account or file.
    ///
    /// ```swift
    /// struct Event: Sendable { let account: String, amount: Int }
    /// let events = SignalProducer([Event(account: "a", amount: 1), Event(account: "b", amount: 2)])
    /// let saved = events.flatMap(
    ///     perKey: { $0.account }, .concat, idle: .zero, maxKeys: 10_000, whenFull: .dropNewest, on: TestScheduler()
    /// ) { SignalProducer(value: "\($0.account): \($0.amount)") }
    /// saved.startWithNext { print($0) }
    /// // prints a: 1
    /// // prints b: 2
    /// ```
    ///
    /// **Memory**: stores at most `maxKeys` keys, and what the strategy stores for each: the queues of `.concat` and
    /// `.concurrent(limit:)` have no bound, unless the strategy has one. A key is forgotten when `idle` has passed
    /// since its last inner stream ended. With `.zero`, that is immediately.
    ///
    /// **Overflow**: if a value comes with a new key, and `maxKeys` keys are stored, `.dropNewest` drops the value.
    /// `.dropOldest` forgets the key that has been idle the longest. If no key is idle, it forgets the least recently
    /// used one, and disposes of its inner streams. `.fail` fails with `error`.
    ///
    /// Within a key, everything is as in `flatMap(_:raising:_:)` with the same strategy, until the key is forgotten:
    /// then it is like a new one. Completes when the source and all inner streams have completed. An error is sent
    /// immediately, and disposes of all inner streams. Keys whose `hash(into:)` breaks the rules do no harm: equal keys
    /// with different hash values are different keys.
    ///
    /// - Parameters:
    ///   - key: Called once per value. The code of the key is called with no lock held.
    ///   - strategy: See ``/ColdProducers/FlattenStrategy``.
    ///   - idle: How long to remember a key after its work has ended. Traps if negative.
    ///   - maxKeys: How many keys to remember at most. Traps unless positive.
    ///   - overflow: What happens if one more key comes.
    ///   - error: Sent if `overflow` or the overflow of the strategy is `.fail`, which trap without it.
    ///   - scheduler: Measures the time, and forgets keys.
    ///   - transform: Called once per value that is not dropped, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Key: Hashable & Sendable, Inner: SignalProducerConvertible>(
        perKey key: @escaping @Sendable (Value) -> Key, _ strategy: FlattenStrategy, idle: Duration, maxKeys: Int,
        whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some DelayScheduler,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Failure> where Inner.Failure == Failure {
        flattened(
            perKey: key, strategy, KeyLimits(maxKeys, overflow, raising: error, idle: idle, on: scheduler),
            outer: { $0 }, inner: { $0 }, transform)
    }

    /// Flattens the inner streams of each key separately, and the keys side by side. Overload for inner streams
    /// that cannot fail.
    ///
    /// - Parameters:
    ///   - key: Called once per value.
    ///   - strategy: See ``/ColdProducers/FlattenStrategy``.
    ///   - idle: How long to remember a key after its work has ended. Traps if negative.
    ///   - maxKeys: How many keys to remember at most. Traps unless positive.
    ///   - overflow: What happens if one more key comes.
    ///   - error: Sent if `overflow` or the overflow of the strategy is `.fail`, which trap without it.
    ///   - scheduler: Measures the time, and forgets keys.
    ///   - transform: Called once per value that is not dropped, on its sender's thread.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMap<Key: Hashable & Sendable, Inner: SignalProducerConvertible>(
        perKey key: @escaping @Sendable (Value) -> Key, _ strategy: FlattenStrategy, idle: Duration, maxKeys: Int,
        whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some DelayScheduler,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Failure> where Inner.Failure == Never {
        flattened(
            perKey: key, strategy, KeyLimits(maxKeys, overflow, raising: error, idle: idle, on: scheduler),
            outer: { $0 }, inner: { $0.promoted() }, transform)
    }

    /// Flattens the inner streams of each key separately, and the keys side by side. Overload for an outer
    /// stream that cannot fail.
    ///
    /// - Parameters:
    ///   - key: Called once per value.
    ///   - strategy: See ``/ColdProducers/FlattenStrategy``.
    ///   - idle: How long to remember a key after its work has ended. Traps if negative.
    ///   - maxKeys: How many keys to remember at most. Traps unless positive.
    ///   - overflow: What happens if one more key comes.
    ///   - error: Sent if `overflow` or the overflow of the strategy is `.fail`, which trap without it.
    ///   - scheduler: Measures the time, and forgets keys.
    ///   - transform: Called once per value that is not dropped, on its sender's thread.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMap<Key: Hashable & Sendable, Inner: SignalProducerConvertible>(
        perKey key: @escaping @Sendable (Value) -> Key, _ strategy: FlattenStrategy, idle: Duration, maxKeys: Int,
        whenFull overflow: Overflow, raising error: Inner.Failure? = nil, on scheduler: some DelayScheduler,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Failure> where Failure == Never {
        flattened(
            perKey: key, strategy, KeyLimits(maxKeys, overflow, raising: error, idle: idle, on: scheduler),
            outer: { $0.promoted() }, inner: { $0 }, transform)
    }
}

extension SignalProducer {
    /// Flattens the inner streams of each key separately, and the keys side by side.
    ///
    /// Like `flatMap(perKey:)` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - key: Called once per value.
    ///   - strategy: See ``/ColdProducers/FlattenStrategy``.
    ///   - idle: How long to remember a key after its work has ended. Traps if negative.
    ///   - maxKeys: How many keys to remember at most. Traps unless positive.
    ///   - overflow: What happens if one more key comes.
    ///   - error: Sent if `overflow` or the overflow of the strategy is `.fail`, which trap without it.
    ///   - scheduler: Measures the time, and forgets keys.
    ///   - transform: Called once per value that is not dropped, on its sender's thread.
    @_alwaysEmitIntoClient
    public func flatMap<Key: Hashable & Sendable, Inner: SignalProducerConvertible>(
        perKey key: @escaping @Sendable (Value) -> Key, _ strategy: FlattenStrategy, idle: Duration, maxKeys: Int,
        whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some DelayScheduler,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Failure {
        flattened(
            perKey: key, strategy, KeyLimits(maxKeys, overflow, raising: error, idle: idle, on: scheduler),
            outer: { $0 }, inner: { $0 }, transform)
    }

    /// Flattens the inner streams of each key separately, and the keys side by side. Overload for inner streams
    /// that cannot fail.
    ///
    /// - Parameters:
    ///   - key: Called once per value.
    ///   - strategy: See ``/ColdProducers/FlattenStrategy``.
    ///   - idle: How long to remember a key after its work has ended. Traps if negative.
    ///   - maxKeys: How many keys to remember at most. Traps unless positive.
    ///   - overflow: What happens if one more key comes.
    ///   - error: Sent if `overflow` or the overflow of the strategy is `.fail`, which trap without it.
    ///   - scheduler: Measures the time, and forgets keys.
    ///   - transform: Called once per value that is not dropped, on its sender's thread.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMap<Key: Hashable & Sendable, Inner: SignalProducerConvertible>(
        perKey key: @escaping @Sendable (Value) -> Key, _ strategy: FlattenStrategy, idle: Duration, maxKeys: Int,
        whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some DelayScheduler,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Never {
        flattened(
            perKey: key, strategy, KeyLimits(maxKeys, overflow, raising: error, idle: idle, on: scheduler),
            outer: { $0 }, inner: { $0.promoted() }, transform)
    }

    /// Flattens the inner streams of each key separately, and the keys side by side. Overload for an outer
    /// stream that cannot fail.
    ///
    /// - Parameters:
    ///   - key: Called once per value.
    ///   - strategy: See ``/ColdProducers/FlattenStrategy``.
    ///   - idle: How long to remember a key after its work has ended. Traps if negative.
    ///   - maxKeys: How many keys to remember at most. Traps unless positive.
    ///   - overflow: What happens if one more key comes.
    ///   - error: Sent if `overflow` or the overflow of the strategy is `.fail`, which trap without it.
    ///   - scheduler: Measures the time, and forgets keys.
    ///   - transform: Called once per value that is not dropped, on its sender's thread.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func flatMap<Key: Hashable & Sendable, Inner: SignalProducerConvertible>(
        perKey key: @escaping @Sendable (Value) -> Key, _ strategy: FlattenStrategy, idle: Duration, maxKeys: Int,
        whenFull overflow: Overflow, raising error: Inner.Failure? = nil, on scheduler: some DelayScheduler,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> where Failure == Never {
        flattened(
            perKey: key, strategy, KeyLimits(maxKeys, overflow, raising: error, idle: idle, on: scheduler),
            outer: { $0.promoted() }, inner: { $0 }, transform)
    }
}
