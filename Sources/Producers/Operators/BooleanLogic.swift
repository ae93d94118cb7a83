extension SignalProducer where Value == Bool {
    /// Sends each value negated.
    ///
    /// Like ``/HotSignals/Signal/negate()`` of signals, separately for each start.
    @inlinable
    public func negate() -> SignalProducer {
        derive("negate") { MapSink(transform: { !$0 }, downstream: $0) }
    }

    /// Sends whether the latest values of both streams are true.
    ///
    /// Like ``/HotSignals/Signal/and(_:)`` of signals, separately for each start. This producer's work begins first.
    ///
    /// - Parameter other: A signal, or a producer, which is started once per start.
    @inlinable
    public func and(_ other: some SignalProducerConvertible<Bool, Failure>) -> SignalProducer {
        lift("and:", other.producer, startsArgumentFirst: false) { $0.and($1) }
    }

    /// Sends whether at least one of the latest values of both streams is true.
    ///
    /// Like ``/HotSignals/Signal/or(_:)`` of signals, separately for each start. This producer's work begins first.
    ///
    /// - Parameter other: A signal, or a producer, which is started once per start.
    @inlinable
    public func or(_ other: some SignalProducerConvertible<Bool, Failure>) -> SignalProducer {
        lift("or:", other.producer, startsArgumentFirst: false) { $0.or($1) }
    }

    /// Sends whether the latest values of all producers are true.
    ///
    /// Like ``/HotSignals/Signal/all(_:)`` of signals, separately for each start. Of the values that a synchronous
    /// producer sends before the last one has begun, only the latest is used.
    ///
    /// - Parameter producers: Their work begins in the collection's order. Without producers, sends `true` and
    ///   completes.
    @inlinable
    public static func all(_ producers: some Collection<SignalProducer> & Sendable) -> SignalProducer {
        combining("+all:", producers, none: .value(true)) { Signal.all($0) }
    }

    /// Sends whether at least one of the latest values of all producers is true.
    ///
    /// Like ``/HotSignals/Signal/any(_:)`` of signals, separately for each start. Of the values that a synchronous
    /// producer sends before the last one has begun, only the latest is used.
    ///
    /// - Parameter producers: Their work begins in the collection's order. Without producers, sends `false` and
    ///   completes.
    @inlinable
    public static func any(_ producers: some Collection<SignalProducer> & Sendable) -> SignalProducer {
        combining("+any:", producers, none: .value(false)) { Signal.any($0) }
    }
}
