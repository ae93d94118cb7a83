// Diagnostics for likely mistakes. Without these, the compiler would name an overload that was not meant.

public import ColdProducers
public import HotSignals

extension Signal {
    /// Rejects a trigger that each start would begin.
    @available(
        *, unavailable, message: "the trigger of a signal is a signal: write 'producer.take(until:)' for another one"
    )
    @_disfavoredOverload
    public func take<Trigger>(until trigger: some SignalProducerConvertible<Trigger, Never>) -> Signal { renamed() }

    /// Rejects a trigger that can fail.
    @available(*, unavailable, message: "the trigger can fail: handle its errors first, as with flatMapError")
    @_disfavoredOverload
    public func take(until trigger: some SignalProducerConvertible) -> Signal { renamed() }
}

extension SignalProducer {
    /// Rejects a trigger that can fail.
    @available(*, unavailable, message: "the trigger can fail: handle its errors first, as with flatMapError")
    @_disfavoredOverload
    public func take(until trigger: some SignalProducerConvertible) -> SignalProducer { renamed() }
}
