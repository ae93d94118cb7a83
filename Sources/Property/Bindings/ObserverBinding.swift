public import HotSignals

/// An observer as the target of a binding: `input <~ source` sends the source's values into it.
///
/// ```swift
/// let (readings, input) = Signal<Int, Never>.pipe()
/// let sensor = MutableProperty(20)
/// readings.observeNext { print($0) }
/// input <~ sensor    // prints 20
/// sensor.value = 21  // prints 21
/// ```
///
/// Only values are forwarded: the observer's stream goes on when the source ends. The binding does not retain the
/// observer. It ends with the first value after the observer has been released, or its stream has terminated.
extension Signal.Observer: BindingTargetProvider {
    /// A target that sends each value to the observer, on the thread that sends it.
    @_alwaysEmitIntoClient
    public var bindingTarget: BindingTarget<Value> {
        let send = { @Sendable [weak self] value in self?.sendNext(value) ?? () }
        let isOpen = { @Sendable [weak self] (_: Value) in self.map { !ObserverSink($0).hasEnded } ?? false }
        return BindingTarget(action: send) { source in source.take(while: isOpen).startWithNext(send) }
    }
}
