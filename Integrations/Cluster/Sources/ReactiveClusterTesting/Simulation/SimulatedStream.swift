import ReactiveSignals
import Synchronization

final class SimulatedStream: TransportStream {
    let configuration: StreamConfiguration
    private let client: SimulatedTransport
    private let network: SimulatedNetwork

    init(_ configuration: StreamConfiguration, _ client: SimulatedTransport, _ network: SimulatedNetwork) {
        self.configuration = configuration
        self.client = client
        self.network = network
    }

    func append(
        _ payload: [UInt8], id: String?, expecting expected: UInt64?
    ) async throws(TransportError) -> AppendReceipt {
        try client.checkSize(payload)
        let name = configuration.name
        return try await client.operate { servers, now in
            servers.streams[name]?.append(payload, id, expected, at: now) ?? .failure(.failed("\(name) is gone"))
        } then: { [network] _ in
            network.wakeReaders(of: name)
        }
    }

    func bounds() async throws(TransportError) -> StreamBounds {
        let name = configuration.name
        return try await client.operate { servers, _ in
            guard let stream = servers.streams[name] else { return .failure(.failed("\(name) is gone")) }
            return .success(StreamBounds(first: stream.first, last: stream.last))
        }
    }

    func read(after sequence: UInt64) -> any TransportCursor {
        SimulatedCursor(configuration.name, client, network, after: sequence)
    }
}

/// A request for entries that waits at the servers until there are some.
struct SimulatedReader: Sendable {
    let deadline: Duration
    let wake: @Sendable () -> Void
}

extension SimulatedNetwork {
    func wakeReaders(of stream: ResourceName) {
        let readers = state.withLock { $0.readers.removeValue(forKey: stream) } ?? []
        for reader in readers { reader.wake() }
    }
}

private final class SimulatedCursor: TransportCursor {
    private struct State {
        var last: UInt64
        var isClosed = false
        /// Ends the waiting call.
        var abort: (@Sendable () -> Void)?
    }

    private let stream: ResourceName
    private let client: SimulatedTransport
    private let network: SimulatedNetwork
    private let state: Mutex<State>

    init(_ stream: ResourceName, _ client: SimulatedTransport, _ network: SimulatedNetwork, after sequence: UInt64) {
        self.stream = stream
        self.client = client
        self.network = network
        state = Mutex(State(last: sequence))
    }

    func next(upTo limit: Int) async throws(TransportError) -> [StreamEntry] {
        while true {
            let (last, isClosed) = state.withLock { ($0.last, $0.isClosed) }
            if isClosed { throw .closed }
            let entries = try await request(after: last, upTo: limit)
            guard let end = entries.last?.sequence else { continue }
            state.withLock { $0.last = end }
            return entries
        }
    }

    /// Asks for entries. The servers keep the request until there are some, for a second.
    private func request(after last: UInt64, upTo limit: Int) async throws(TransportError) -> [StreamEntry] {
        try await client.call { [self] reply in
            state.withLock { $0.abort = { reply(.failure(.closed)) } }
            answer(after: last, upTo: limit, until: network.now + .seconds(1), reply)
        }
    }

    /// Runs at the servers.
    private func answer(
        after last: UInt64, upTo limit: Int, until deadline: Duration,
        _ reply: @escaping @Sendable (Result<[StreamEntry], TransportError>) -> Void
    ) {
        let now = network.now
        let result: Result<[StreamEntry], TransportError>? = network.state.withLock { state in
            guard let stored = state.servers.streams[stream] else { return .failure(.failed("\(stream) is gone")) }
            let result = stored.read(after: last, upTo: limit)
            if case .success(let entries) = result, entries.isEmpty, now < deadline { return nil }
            return result
        }
        if let result {
            network.carry(client.name, .down) { reply(result) }
            return
        }
        let again = Once { [self] in answer(after: last, upTo: limit, until: deadline, reply) }
        let reader = SimulatedReader(deadline: deadline) { again.run() }
        network.state.withLock { state in
            state.readers[stream, default: []].removeAll { $0.deadline < now }
            state.readers[stream, default: []].append(reader)
        }
        network.scheduler.schedule(after: deadline - now) { again.run() }
    }

    func close() {
        let abort = state.withLock { state in
            state.isClosed = true
            defer { state.abort = nil }
            return state.abort
        }
        abort?()
    }
}

/// Runs a closure once.
private final class Once: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

    func run() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
