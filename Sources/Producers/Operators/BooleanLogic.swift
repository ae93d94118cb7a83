extension SignalProducer where Value == Bool {
    /// Sends each value negated.
    ///
    /// Like ``/HotSignals/Signal/negate()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func negate() -> SignalProducer {
        derive("negate") { MapSink(transform: { !$0 }, downstream: $0) }
    }

    /// Sends whether the latest values of both streams are true.
    ///
    /// Like ``/HotSignals/Signal/and(_:)`` of signals, separately for each start. This producer's work begins first.
    ///
    /// - Parameter other: A signal, or a producer, which is started once per start.
    @_alwaysEmitIntoClient
    public func and(_ other: some SignalProducerConvertible<Bool, Failure>) -> SignalProducer {
        combineLatest(other.producer, "and:") { $0 && $1 }
    }

    /// Accepts leading-dot syntax: `and(.init(value: true))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func and(_ other: SignalProducer) -> SignalProducer { and(other) }

    /// Sends whether at least one of the latest values of both streams is true.
    ///
    /// Like ``/HotSignals/Signal/or(_:)`` of signals, separately for each start. This producer's work begins first.
    ///
    /// - Parameter other: A signal, or a producer, which is started once per start.
    @_alwaysEmitIntoClient
    public func or(_ other: some SignalProducerConvertible<Bool, Failure>) -> SignalProducer {
        combineLatest(other.producer, "or:") { $0 || $1 }
    }

    /// Accepts leading-dot syntax: `or(.init(value: true))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func or(_ other: SignalProducer) -> SignalProducer { or(other) }

    /// Sends whether the latest values of all producers are true.
    ///
    /// Like ``/HotSignals/Signal/all(_:)`` of signals, separately for each start. Of the values that a synchronous
    /// producer sends before the last one has begun, only the latest is used.
    ///
    /// - Parameter producers: Their work begins in the collection's order. Without producers, sends `true` and
    ///   completes.
    @_alwaysEmitIntoClient
    public static func all(_ producers: some Collection<SignalProducer> & Sendable) -> SignalProducer {
        combineLatest(producers, "+all:", none: .value(true)) { $0.allSatisfy { $0 } }
    }

    /// Sends whether the latest values of all producers are true: `SignalProducer.all(isConnected, isIdle)`.
    @_alwaysEmitIntoClient
    public static func all(_ first: SignalProducer, _ others: SignalProducer...) -> SignalProducer {
        all([first] + others)
    }

    /// Sends whether at least one of the latest values of all producers is true.
    ///
    /// Like ``/HotSignals/Signal/any(_:)`` of signals, separately for each start. Of the values that a synchronous
    /// producer sends before the last one has begun, only the latest is used.
    ///
    /// - Parameter producers: Their work begins in the collection's order. Without producers, sends `false` and
    ///   completes.
    @_alwaysEmitIntoClient
    public static func any(_ producers: some Collection<SignalProducer> & Sendable) -> SignalProducer {
        combineLatest(producers, "+any:", none: .value(false)) { $0.contains(true) }
    }

    /// Sends whether at least one of the latest values is true: `SignalProducer.any(isConnected, isIdle)`.
    @_alwaysEmitIntoClient
    public static func any(_ first: SignalProducer, _ others: SignalProducer...) -> SignalProducer {
        any([first] + others)
    }

    @_alwaysEmitIntoClient
    func combineLatest(
        _ other: SignalProducer, _ name: StaticString, _ combine: @escaping @Sendable (Bool, Bool) -> Bool
    ) -> SignalProducer {
        .combining(
            derivedName(name), [latest, other.latest], layout: (Bool, Bool).self,
            read: { combine($0.pointee.0, $0.pointee.1) })
    }
}
