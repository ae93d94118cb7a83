public import ReactiveSignals
public import ServiceLifecycle

/// A service that runs a producer.
///
/// ```swift
/// let worker = ProducerService { shutdown in
///     SignalProducer<Receipt, QueueError>(pulling: jobs, maxConcurrent: 4, drainWhen: shutdown) { perform($0) }
///     giveBack: { putBack($0) }
/// }
/// let group = ServiceGroup(services: [worker], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// `run()` starts the producer, and returns after all of its work has ended, including the cleanup:
///
/// | when | `run()` |
/// |---|---|
/// | the group shuts down gracefully | sends `shutdown`, and waits until the producer ends |
/// | the task is cancelled | interrupts the producer, and returns |
/// | the producer fails | throws its error |
/// | the producer completes or is interrupted | returns, or waits for the shutdown: see ``AfterEnd`` |
///
/// **Draining** is the work of the producer: it stops its intake when `shutdown` sends, and completes when what it has
/// accepted has ended. These do so:
///
/// - `SignalProducer(pulling:maxConcurrent:drainWhen:)`, with `shutdown` as the trigger;
/// - `intake.take(until: shutdown).flatMap(.concurrent(limit: 4)) { … }`. What is above `take(until:)` is disposed of,
///   and the producers of `flatMap` go on to their end. Below `flatMap`, `take(until:)` would interrupt them.
///
/// A producer that ignores `shutdown` keeps the group waiting. The group can limit the time that it waits, with
/// `ServiceGroupConfiguration.maximumGracefulShutdownDuration`: then it cancels the task.
///
/// `shutdown` is sent in a task, soon after the group begins to shut down. Until then, the intake goes on.
///
/// If the group is already shutting down when the service starts, `shutdown` sends as soon as it is started, so the
/// intake does not begin.
///
/// Values are ignored: observe them with `on(next:)`. Each call of `run()` starts the producer separately.
public struct ProducerService<Value: Sendable, Failure: Error>: Service {
    /// What `run()` does when the producer has completed or has been interrupted before a shutdown.
    public enum AfterEnd: Sendable {
        /// Returns.
        ///
        /// For producers without an end: a service group treats a service that returns as having failed. It cancels the
        /// other services, and throws `ServiceGroupError`. You can change that for each service, with
        /// `successTerminationBehavior`.
        case returns
        /// Waits until the group shuts down gracefully or the task is cancelled.
        ///
        /// For work that has an end, such as filling a cache at the start of a server.
        case waitsForShutdown
    }

    private let afterEnd: AfterEnd
    private let makeProducer: @Sendable (SignalProducer<Void, Never>) -> SignalProducer<Value, Failure>

    /// Creates a service that runs a producer.
    ///
    /// - Parameters:
    ///   - afterEnd: What `run()` does when the producer has ended without having been asked to.
    ///   - makeProducer: Called once per run. `shutdown` sends one value when the group shuts down gracefully, and
    ///     completes. It can be started any number of times, on any thread.
    public init(
        afterEnd: AfterEnd = .returns,
        _ makeProducer: @escaping @Sendable (_ shutdown: SignalProducer<Void, Never>) -> SignalProducer<Value, Failure>
    ) {
        self.afterEnd = afterEnd
        self.makeProducer = makeProducer
    }

    /// Runs the producer until it has ended: see ``ProducerService``.
    public func run() async throws {
        let isShuttingDown = MutableProperty(Task.isShuttingDownGracefully)
        let shutdown = isShuttingDown.producer.filter { $0 }.map { _ in () }.take(first: 1)
        let producer = makeProducer(shutdown)
        // Its release would complete `shutdown`, and so start the drain.
        defer { withExtendedLifetime(isShuttingDown) {} }
        try await withSignalScope(throwing: Failure.self) { (scope) throws(Failure) in
            // A task waits for the shutdown. The handler of a shutdown would be called under the lock of the group, and
            // so would the observers of the producer.
            SignalProducer<Void, Never>.gracefulShutdown.startWithNext(in: scope) { isShuttingDown.value = true }
            producer.start(in: scope) { event in
                if event.isTerminating { scope.cancelAll() }
            }
            try await scope.waitForAll()
        }
        // Throws if the task is cancelled, which is no failure of the service.
        if case .waitsForShutdown = afterEnd { try? await gracefulShutdown() }
    }
}

extension SignalProducer {
    /// What a graceful shutdown does to a producer that does not observe it.
    public enum ShutdownBehavior: Sendable {
        /// Stops it: disposes of its work, and completes. For work that loses nothing, such as a timer.
        case stop
        /// Waits for its end. For work that ends soon.
        case finish
    }

    /// Returns a service that runs this producer.
    ///
    /// ```swift
    /// let refresh = SignalProducer.interval(.seconds(60), on: QueueScheduler())
    ///     .flatMap(.latest) { _ in prices.refresh() }
    ///     .service(onShutdown: .stop)
    /// ```
    ///
    /// For a producer that stops its intake, and finishes what it has accepted, use ``ProducerService``.
    ///
    /// - Parameters:
    ///   - behavior: What a graceful shutdown does.
    ///   - afterEnd: What the service does when the producer has ended without having been asked to.
    public func service(
        onShutdown behavior: ShutdownBehavior, afterEnd: ProducerService<Value, Failure>.AfterEnd = .returns
    ) -> ProducerService<Value, Failure> {
        ProducerService(afterEnd: afterEnd) { shutdown in
            switch behavior {
            case .stop: take(until: shutdown)
            case .finish: self
            }
        }
    }
}
