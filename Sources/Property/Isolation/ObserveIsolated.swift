public import ColdProducers
public import HotSignals

extension PropertyProtocol {
    /// Calls `action`, on the actor of the observing code, with the value and then with each change.
    ///
    /// ```swift
    /// @MainActor final class Thermometer {
    ///     var label = ""
    ///
    ///     func show(_ temperature: Property<Int>) {
    ///         temperature.observeIsolated { self.label = "\($0) °C" }
    ///     }
    /// }
    /// ```
    ///
    /// The first call also comes later: to use the value immediately, read ``value``. Every change is delivered in
    /// order, with one hop per batch. For order, priorities, task-locals and captures see `Signal.observeIsolated(_:)`.
    /// If several changes are made before the actor can run, the closure receives values older than ``value`` until the
    /// last one.
    ///
    /// Observing a ``MutableProperty`` does not retain it. When its owner releases it, it ends and the closure is
    /// released.
    ///
    /// - Returns: A disposable. No call begins after its disposal. You need not store it.
    @_alwaysEmitIntoClient @discardableResult
    public func observeIsolated(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Value) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, producer.start(file: file, line: line) { delivery.sendValue($0) })
    }
}
