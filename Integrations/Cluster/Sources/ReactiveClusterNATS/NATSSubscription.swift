import ReactiveCluster
import ReactiveSignals
import Synchronization

/// A subscription of a user. It begins when the transport has a client, and survives reconnects in the client.
final class NATSSubscription: Member, Disposable {
    private struct State {
        var isOver = false
        var client: CSubscription?
        var receive: CHandler?
        var failed: (@Sendable (TransportError) -> Void)?
    }

    private let subject: String
    private let queue: String?
    private let state: Mutex<State>
    private weak let transport: NATSTransport?

    init(
        transport: NATSTransport, subject: String, queue: String?, receive: CHandler,
        failed: @escaping @Sendable (TransportError) -> Void
    ) {
        self.transport = transport
        self.subject = subject
        self.queue = queue
        state = Mutex(State(receive: receive, failed: failed))
    }

    var isDisposed: Bool { state.withLock { $0.isOver } }

    func dispose() { end()?() }

    /// Ends the subscription.
    ///
    /// - Returns: Releases the handlers.
    private func end(_ error: TransportError? = nil) -> (() -> Void)? {
        let ended: State? = state.withLock { state in
            guard !state.isOver else { return nil }
            defer { state = State(isOver: true) }
            return state
        }
        guard let ended else { return nil }
        ended.client?.end()
        return { [self] in
            transport?.remove(self)
            if let error { ended.failed?(error) }
        }
    }

    func attach(_ client: CConnection) {
        guard let receive = state.withLock({ $0.client == nil ? $0.receive : nil }) else { return }
        do throws(TransportError) {
            let made = try client.subscribe(to: subject, queue: queue, isBounded: true, receive: receive)
            let isKept = state.withLock { state in
                guard !state.isOver, state.client == nil else { return false }
                state.client = made
                return true
            }
            if !isKept { made.end() }
        } catch {
            end(error)?()
        }
    }

    func connected() {}
    func disconnected() {}
    func tick(_ now: ContinuousClock.Instant) {}

    func refused(_ subject: String) {
        if subject == self.subject { end(.notPermitted(subject))?() }
    }

    func closed(_ error: TransportError) { end(error)?() }
}
