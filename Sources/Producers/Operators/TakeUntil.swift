extension SignalProducer {
    /// Sends values until a trigger fires, then completes.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start. The trigger's work begins first: one that fires at once leaves only
    /// the completion.
    ///
    /// - Parameter trigger: A signal, or a producer, which is started with each start.
    @inlinable
    public func take<Trigger>(until trigger: some SignalProducerConvertible<Trigger, Never>) -> SignalProducer {
        lift("take(until:)", trigger.producer) { $0.take(until: $1) }
    }
}
