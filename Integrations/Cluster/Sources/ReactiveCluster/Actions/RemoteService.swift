public import ReactiveSignals

/// A running service of a ``RemoteAction``. Disposal or release ends the intake. What has begun is finished and answered.
public final class RemoteService: Disposable {
    /// The number of requests that have begun and not been answered.
    public let running: Property<Int>
    /// Why the service receives nothing more. `nil` while it does.
    public let failure: Property<TransportError?>

    private let subscription: any Disposable
    private let load: ServiceLoad
    private let lane: Lane

    init(_ subscription: any Disposable, _ load: ServiceLoad, _ lane: Lane) {
        self.subscription = subscription
        self.load = load
        self.lane = lane
        running = Property(load.count)
        failure = Property(load.failure)
    }

    deinit { subscription.dispose() }

    /// Whether the intake has ended.
    public var isDisposed: Bool { subscription.isDisposed }

    /// Ends the intake.
    public func dispose() { subscription.dispose() }

    /// Ends the intake, and waits until what has arrived is answered.
    public func drain() async {
        dispose()
        // Requests that have arrived begin on the lane before this.
        _ = await SignalProducer<Void, Never>(value: ()).start(on: lane.scheduler).first()
        _ = await running.producer.filter { $0 == 0 }.first()
    }
}

/// What a service does at the moment. Shared with the requests that run, which must not retain the service.
final class ServiceLoad: Sendable {
    let count = MutableProperty(0, contention: .enqueue)
    let failure = MutableProperty<TransportError?>(nil, contention: .enqueue)
}
