public import ReactiveSignals
public import ServiceLifecycle

/// A service that drains an action when its service group shuts down.
///
/// ```swift
/// let group = ServiceGroup(
///     services: [ActionService(orders), server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// ```
///
/// `run()` waits for the graceful shutdown, and then for `Action.drain()`: the action refuses further starts, and what
/// runs and what is queued is finished.
///
/// **Order**: a group stops its services in the reverse order. List the action before the server that starts its units:
/// the server then stops first, and what it has accepted is finished.
///
/// **Cancellation** refuses further starts too, and returns without waiting. It interrupts no unit: a unit belongs to
/// the code that has started it. So a group that limits the drain with
/// `ServiceGroupConfiguration.maximumGracefulShutdownDuration` ends, although units are still running.
///
/// **In a test**, `gracefulShutdown()` of swift-service-lifecycle returns in a task that no `TestScheduler` controls. After
/// you trigger the shutdown, wait for its effect: `await orders.isEnabled.next(where: { !$0 })`.
public struct ActionService<Input: Sendable, Output: Sendable, Failure: Error>: Service {
    private let action: Action<Input, Output, Failure>

    /// Creates a service that drains an action.
    ///
    /// - Parameter action: Retained by the service.
    public init(_ action: Action<Input, Output, Failure>) { self.action = action }

    /// Waits for the shutdown, and drains the action: see ``ActionService``.
    public func run() async {
        // Throws if the task is cancelled, which is no failure of the service.
        try? await gracefulShutdown()
        await action.drain()
    }
}
