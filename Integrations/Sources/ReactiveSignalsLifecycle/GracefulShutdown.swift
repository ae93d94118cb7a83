public import ReactiveSignals
import ServiceLifecycle

extension SignalProducer where Value == Void, Failure == Never {
    /// Sends a value when the service group shuts down gracefully, and completes.
    ///
    /// Use it to stop an intake, wherever an operator takes a trigger:
    ///
    /// ```swift
    /// let receipts = SignalProducer<Receipt, Never>(pulling: jobs, maxConcurrent: 4, drainWhen: .gracefulShutdown) {
    ///     perform($0)
    /// } giveBack: {
    ///     putBack($0)
    /// }
    /// ```
    ///
    /// If the group is already shutting down, sends at once, in a task.
    ///
    /// **Where to start it**: in the task of a service or in what it starts, because the service group is found through
    /// a task-local. Where there is none, such as on a dispatch queue or outside a service group, it never sends. The
    /// shutdown that ``ProducerService/init(afterEnd:_:)`` passes to its closure can be started anywhere.
    ///
    /// **Threads**: each start runs a task that sleeps until the shutdown. So observers are not called under the lock
    /// of the service group, and may use the lifecycle themselves.
    ///
    /// **Disposal** cancels the task.
    public static var gracefulShutdown: SignalProducer {
        SignalProducer<Void, any Error>.async { try await ServiceLifecycle.gracefulShutdown() }
            // The only error is that of a cancelled task, which interrupts.
            .flatMapError { _ in .empty }
    }
}
