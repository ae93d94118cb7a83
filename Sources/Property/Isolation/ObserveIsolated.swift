public import ColdProducers
public import HotSignals

extension PropertyProtocol {
    /// Calls `action`, on the actor of the code that observes, with the value and then with each change.
    ///
    ///     @MainActor final class Thermometer {
    ///         var label = ""
    ///
    ///         func show(_ temperature: Property<Int>) {
    ///             temperature.observeIsolated { self.label = "\($0) °C" }
    ///         }
    ///     }
    ///
    /// The first call comes later, too: read ``value`` for what is wanted at once. Every change is told of, in order, one hop a batch: see
    /// `Signal.observeIsolated(_:)` in what concerns order, priorities, task-locals and captures. When several changes are made before the
    /// actor gets round to it, what the closure gets is older than ``value`` until the last one.
    ///
    /// Observing does not keep a property alive that its owner has let go of; it ends, and the closure is released.
    ///
    /// - Returns: A disposable: after its disposal no call begins. It need not be kept.
    @inlinable @discardableResult
    public func observeIsolated(
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Value) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, producer.start { delivery.sendValue($0) })
    }
}
