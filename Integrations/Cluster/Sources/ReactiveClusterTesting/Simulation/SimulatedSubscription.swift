import ReactiveSignals
import Synchronization

/// A subscription, or a server if it has a queue.
final class SimulatedSubscription: Disposable {
    let id: UInt64
    let client: SimulatedTransport
    let subject: Subject
    let queue: ResourceName?

    private let network: SimulatedNetwork
    private typealias Handlers = (
        receive: @Sendable ([UInt8], @escaping @Sendable ([UInt8]) -> Void) -> Void,
        failed: @Sendable (TransportError) -> Void
    )
    private let handlers: Mutex<Handlers?>

    init(
        _ client: SimulatedTransport, _ network: SimulatedNetwork, _ subject: Subject, queue: ResourceName?,
        failed: @escaping @Sendable (TransportError) -> Void,
        receive: @escaping @Sendable ([UInt8], @escaping @Sendable ([UInt8]) -> Void) -> Void
    ) {
        id = network.makeID()
        self.client = client
        self.network = network
        self.subject = subject
        self.queue = queue
        handlers = Mutex((receive, failed))
    }

    var isDisposed: Bool { handlers.withLock { $0 == nil } }

    func dispose() {
        let former = handlers.withLock { handlers in
            defer { handlers = nil }
            return handlers
        }
        if former != nil { network.remove(self) }
    }

    func deliver(_ payload: [UInt8], _ respond: @escaping @Sendable ([UInt8]) -> Void = { _ in }) {
        guard client.isConnected else { return }
        handlers.withLock { $0 }?.receive(payload, respond)
    }

    func fail(_ error: TransportError) {
        let former = handlers.withLock { handlers in
            defer { handlers = nil }
            return handlers
        }
        network.remove(self)
        former?.failed(error)
    }
}

extension SimulatedNetwork {
    func add(_ subscription: SimulatedSubscription) {
        state.withLock { $0.subscriptions[subscription.id] = subscription }
    }

    func remove(_ subscription: SimulatedSubscription) {
        let former = state.withLock { $0.subscriptions.removeValue(forKey: subscription.id) }
        withExtendedLifetime(former) {}
    }

    private func subscriptions(where isIncluded: (SimulatedSubscription) -> Bool) -> [SimulatedSubscription] {
        state.withLock { $0.subscriptions.values.filter(isIncluded).sorted { $0.id < $1.id } }
    }

    func subscriptions(of client: String) -> [SimulatedSubscription] {
        subscriptions { $0.client.name == client }
    }

    /// The subscriptions of connected clients.
    func subscriptions(to subject: Subject) -> [SimulatedSubscription] {
        subscriptions { $0.subject == subject }.filter { $0.client.isConnected && isReachable($0.client.name) }
    }

    /// The servers of a subject, in a random order.
    func servers(of subject: Subject) -> [SimulatedSubscription] {
        var servers = subscriptions(to: subject).filter { $0.queue != nil }
        state.withLock { servers.shuffle(using: &$0.generator) }
        return servers
    }
}
