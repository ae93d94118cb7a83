extension SignalProducer {
    /// Sends no value until a trigger fires.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start. The trigger's work begins first.
    ///
    /// - Parameter trigger: A signal, or a producer, which is started with each start.
    @inlinable
    public func skip<Trigger>(until trigger: some SignalProducerConvertible<Trigger, Never>) -> SignalProducer {
        lift("skip(until:)", trigger.producer) { $0.skip(until: $1) }
    }

    /// A form in which a leading dot is enough: `skip(until: .empty)`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public func skip(until trigger: SignalProducer<Never, Never>) -> SignalProducer { skip(until: trigger) }

    /// A form in which a leading dot is enough: `skip(until: .timer(after: .seconds(1), on: queue))`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public func skip<Trigger>(until trigger: SignalProducer<Trigger, Never>) -> SignalProducer {
        skip(until: trigger)
    }
}
