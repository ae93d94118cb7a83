import ReactiveSignals
import Synchronization

final class SimulatedBucket: TransportBucket {
    let configuration: BucketConfiguration
    private let client: SimulatedTransport
    private let network: SimulatedNetwork

    init(_ configuration: BucketConfiguration, _ client: SimulatedTransport, _ network: SimulatedNetwork) {
        self.configuration = configuration
        self.client = client
        self.network = network
    }

    func get(_ key: BucketKey) async throws(TransportError) -> BucketEntry? {
        let name = configuration.name
        return try await client.operate { servers, now in
            guard let bucket = servers.buckets[name] else { return .failure(.failed("\(name) is gone")) }
            return .success(bucket.entry(key, now))
        }
    }

    func put(_ value: [UInt8], for key: BucketKey, id: String?) async throws(TransportError) -> UInt64 {
        try await write(value, key, expecting: nil, id)
    }

    func update(
        _ value: [UInt8], for key: BucketKey, expecting revision: UInt64, id: String?
    ) async throws(TransportError) -> UInt64 {
        try await write(value, key, expecting: revision, id)
    }

    func delete(_ key: BucketKey) async throws(TransportError) {
        _ = try await write(nil, key, expecting: nil, nil)
    }

    private func write(
        _ value: [UInt8]?, _ key: BucketKey, expecting expected: UInt64?, _ id: String?
    ) async throws(TransportError) -> UInt64 {
        if let value { try client.checkSize(value) }
        let name = configuration.name
        let result: (revision: UInt64, isNew: Bool) = try await client.operate { servers, now in
            servers.buckets[name]?.write(value, key, expecting: expected, id, now)
                ?? .failure(.failed("\(name) is gone"))
        } then: { [network] written in
            guard written.isNew else { return }
            let event: BucketEvent =
                if let value {
                    .value(BucketEntry(key: key, value: value, revision: written.revision))
                } else {
                    .deleted(key, revision: written.revision)
                }
            for watch in network.watches(of: name, key) { watch.push(event) }
        }
        return result.revision
    }

    func watch(
        _ key: BucketKey?, receive: @escaping @Sendable (BucketEvent) -> Void
    ) throws(TransportError) -> any Disposable {
        let watch = SimulatedWatch(configuration.name, key, client, network, receive)
        network.state.withLock { $0.watches[watch.id] = watch }
        if client.isConnected { watch.connect() }
        return watch
    }
}

/// A watch. What the servers push arrives in order, or the watch is interrupted and begins again.
final class SimulatedWatch: Disposable {
    private struct State {
        var receive: (@Sendable (BucketEvent) -> Void)?
        /// Counts the sessions. What was sent in a former one does not arrive.
        var session: UInt64 = 0
        /// Whether the servers push into the session.
        var isOpen = false
        /// Whether the observer knows that it was interrupted, or has never been connected.
        var isInterrupted = true
        /// The highest revision that has arrived.
        var last: UInt64 = 0
    }

    let id: UInt64
    let bucket: ResourceName
    let key: BucketKey?
    let client: SimulatedTransport
    private let network: SimulatedNetwork
    private let state: Mutex<State>

    init(
        _ bucket: ResourceName, _ key: BucketKey?, _ client: SimulatedTransport, _ network: SimulatedNetwork,
        _ receive: @escaping @Sendable (BucketEvent) -> Void
    ) {
        id = network.makeID()
        self.bucket = bucket
        self.key = key
        self.client = client
        self.network = network
        state = Mutex(State(receive: receive))
    }

    var isDisposed: Bool { state.withLock { $0.receive == nil } }

    func dispose() {
        _ = end()
    }

    func fail(_ error: TransportError) { end()?(.failed(error)) }

    private func end() -> (@Sendable (BucketEvent) -> Void)? {
        let former = state.withLock { state in
            defer { state.receive = nil }
            return state.receive
        }
        let watch = network.state.withLock { $0.watches.removeValue(forKey: id) }
        withExtendedLifetime(watch) {}
        return former
    }

    /// Opens a session with a snapshot, or with the changes since.
    func connect() {
        guard client.isConnected else { return }
        let session = state.withLock { state in
            state.session += 1
            state.isOpen = false
            return state.session
        }
        network.carry(client.name, .up, isReliable: true, lost: { [self] in retry(session) }) { [self] in
            let now = network.now
            let last = state.withLock { $0.session == session ? $0.last : nil }
            guard let last else { return }
            let (events, isSnapshot): ([BucketEvent]?, Bool) = network.state.withLock { state in
                let stored = state.servers.buckets[bucket]
                // The servers may have lost what the observer has seen.
                let isSnapshot = last == 0 || last > stored?.revision ?? 0 || state.generator.happens(0.5)
                return (stored?.events(after: isSnapshot ? 0 : last, now), isSnapshot)
            }
            guard let events else { return retry(session) }
            state.withLock { $0.isOpen = true }
            send([.interrupted(isSnapshot: isSnapshot)] + events.filter(concerns) + [.synchronized], session)
        }
    }

    private func concerns(_ event: BucketEvent) -> Bool {
        switch event {
        case .value(let entry): key == nil || key == entry.key
        case .deleted(let deleted, _): key == nil || key == deleted
        case .synchronized, .interrupted, .failed: true
        }
    }

    /// Tells the observer, when the connection is lost.
    func disconnect() {
        let receive: (@Sendable (BucketEvent) -> Void)? = state.withLock { state in
            state.session += 1
            state.isOpen = false
            if state.isInterrupted { return nil }
            state.isInterrupted = true
            return state.receive
        }
        // A snapshot or the changes since follow, which the next session says.
        receive?(.interrupted(isSnapshot: false))
    }

    func push(_ event: BucketEvent) {
        let session: UInt64? = state.withLock { $0.isOpen ? $0.session : nil }
        if let session { send([event], session) }
    }

    /// Sends events into a session. If one is lost, the session breaks.
    private func send(_ events: [BucketEvent], _ session: UInt64) {
        for event in events {
            // What follows a loss must not arrive.
            guard state.withLock({ $0.isOpen && $0.session == session }) else { return }
            network.carry(
                client.name, .down, isReliable: true, lost: { [self] in breakOff(session) }
            ) { [self] in deliver(event, session) }
        }
    }

    private func breakOff(_ session: UInt64) {
        let isOpen = state.withLock { state in
            guard state.session == session, state.isOpen else { return false }
            state.isOpen = false
            return true
        }
        if isOpen { retry(session) }
    }

    private func deliver(_ event: BucketEvent, _ session: UInt64) {
        let receive: (@Sendable (BucketEvent) -> Void)? = state.withLock { state in
            guard state.session == session, state.isOpen else { return nil }
            switch event {
            case .value(let entry): state.last = max(state.last, entry.revision)
            case .deleted(_, let revision): state.last = max(state.last, revision)
            case .interrupted(let isSnapshot): if isSnapshot { state.last = 0 }
            case .synchronized: state.isInterrupted = false
            case .failed: break
            }
            return state.receive
        }
        receive?(event)
    }

    /// Begins another session when the loss has been noticed.
    private func retry(_ session: UInt64) {
        network.scheduler.schedule(after: network.random(in: network.faults.reconnect)) { [self] in
            let isCurrent = state.withLock { $0.session == session && $0.receive != nil }
            guard isCurrent else { return }
            disconnect()
            connect()
        }
    }
}

extension SimulatedNetwork {
    func watches(of client: String) -> [SimulatedWatch] {
        state.withLock { $0.watches.values.filter { $0.client.name == client }.sorted { $0.id < $1.id } }
    }

    func watches(of bucket: ResourceName, _ key: BucketKey) -> [SimulatedWatch] {
        state.withLock { state in
            state.watches.values.filter { $0.bucket == bucket && ($0.key == nil || $0.key == key) }
                .sorted { $0.id < $1.id }
        }
    }
}
