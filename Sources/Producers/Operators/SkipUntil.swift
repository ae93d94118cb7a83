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
}
