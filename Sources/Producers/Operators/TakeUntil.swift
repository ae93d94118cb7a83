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

    /// A form in which a leading dot is enough: `take(until: .empty)`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public func take(until trigger: SignalProducer<Never, Never>) -> SignalProducer { take(until: trigger) }

    /// A form in which a leading dot is enough: `take(until: .timer(after: .seconds(1), on: queue))`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public func take<Trigger>(until trigger: SignalProducer<Trigger, Never>) -> SignalProducer {
        take(until: trigger)
    }
}
