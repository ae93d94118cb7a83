public import ReactiveCluster
import Synchronization

extension NATSTransport {
    /// Opens a stream, and creates it if it does not exist.
    public func stream(_ configuration: StreamConfiguration) async throws(TransportError) -> any TransportStream {
        try await open(StreamSettings(configuration), as: configuration.name)
        return NATSStream(transport: self, configuration: configuration)
    }

    /// Opens a bucket, and creates it if it does not exist.
    public func bucket(_ configuration: BucketConfiguration) async throws(TransportError) -> any TransportBucket {
        try await open(StreamSettings(configuration), as: configuration.name)
        return NATSBucket(transport: self, configuration: configuration)
    }

    /// Makes a stream unless it exists with the same settings.
    private func open(_ settings: StreamSettings, as name: ResourceName) async throws(TransportError) {
        let jetStream = JetStream(transport: self)
        if let existing = try await jetStream.info(settings.name) { return try compare(settings, existing, name) }
        if try await jetStream.create(settings) != nil { return }
        // Another process has made it in between, differently.
        if let existing = try await jetStream.info(settings.name) { return try compare(settings, existing, name) }
        throw .failed("the stream \(settings.name) appears and disappears")
    }

    private func compare(
        _ settings: StreamSettings, _ existing: JetStream.StreamInfo, _ name: ResourceName
    ) throws(TransportError) {
        guard let difference = settings.difference(from: existing.config) else { return }
        throw .configurationMismatch(name: name.description, difference: difference)
    }
}

/// A stream of JetStream.
final class NATSStream: TransportStream {
    let configuration: StreamConfiguration
    private let transport: NATSTransport
    private var name: String { configuration.name.description }

    init(transport: NATSTransport, configuration: StreamConfiguration) {
        self.transport = transport
        self.configuration = configuration
    }

    func append(
        _ payload: [UInt8], id: String?, expecting expected: UInt64?
    ) async throws(TransportError) -> AppendReceipt {
        var headers: [(String, String)] = []
        if let id { headers.append(try JetStream.header(id: id)) }
        if let expected { headers.append(("Nats-Expected-Last-Sequence", "\(expected)")) }
        let receipt = try await JetStream(transport: transport).store(
            payload, under: configuration.subject.description, headers: headers, what: "the stream \(name)",
            replicas: configuration.replicas, expected: expected)
        guard let sequence = receipt.seq else { throw .failed("the server acknowledged without a sequence") }
        return AppendReceipt(sequence: sequence, isDuplicate: receipt.duplicate ?? false)
    }

    func bounds() async throws(TransportError) -> StreamBounds {
        guard let info = try await JetStream(transport: transport).info(name) else {
            throw .failed("the stream \(name) does not exist: its servers have lost it, or it was deleted")
        }
        // The server says 0 for the first sequence of a stream that never had an entry.
        return StreamBounds(first: max(1, info.state.firstSequence), last: info.state.lastSequence)
    }

    func read(after sequence: UInt64) -> any TransportCursor {
        NATSCursor(transport: transport, stream: name, after: sequence)
    }
}

/// A position in a stream of JetStream.
final class NATSCursor: TransportCursor {
    private typealias Outcome = Result<[StreamEntry], TransportError>

    private struct State {
        var entries: [StreamEntry] = []
        /// How many of the entries have been returned.
        var taken = 0
        var error: TransportError?
        var waiting: CheckedContinuation<Outcome, Never>?
        var limit = 0
        /// Whether the task of the present call was cancelled before it waited.
        var isCancelled = false
        var consumer: OrderedConsumer?
    }

    private let state = Mutex(State())

    init(transport: NATSTransport, stream: String, after sequence: UInt64) {
        let consumer = OrderedConsumer(transport: transport, stream: stream, start: .after(sequence)) {
            [weak self] event in self?.take(event)
        }
        state.withLock { $0.consumer = consumer }
        do throws(TransportError) { try transport.add(consumer) } catch { take(.failed(error)) }
    }

    deinit { close() }

    func next(upTo limit: Int) async throws(TransportError) -> [StreamEntry] {
        precondition(limit > 0, "NATSCursor.next(upTo:): the limit must be positive, not \(limit)")
        if Task.isCancelled { throw .cancelled }
        state.withLock { $0.isCancelled = false }
        let outcome: Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Outcome? = state.withLock { state in
                    if state.isCancelled { return .failure(.cancelled) }
                    if let known = Self.outcome(&state, limit) { return known }
                    precondition(state.waiting == nil, "NATSCursor.next(upTo:) is called by two tasks at a time")
                    state.waiting = continuation
                    state.limit = limit
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                defer { state.waiting = nil }
                state.isCancelled = true
                return state.waiting
            }
            waiting?.resume(returning: .failure(.cancelled))
        }
        let entries = try outcome.get()
        state.withLock({ $0.consumer })?.release(entries.count)
        return entries
    }

    func close() {
        let consumer = state.withLock { state in
            defer { state.consumer = nil }
            return state.consumer
        }
        consumer?.end()
        take(.failed(.closed))
    }

    private func take(_ event: OrderedConsumer.Event) {
        let resumed: (CheckedContinuation<Outcome, Never>, Outcome)? = state.withLock { state in
            switch event {
            case .message(let message):
                state.entries.append(StreamEntry(sequence: message.sequence, payload: message.payload))
            case .failed(let error):
                if state.error == nil { state.error = error }
            case .synchronized, .interrupted: return nil
            }
            guard let waiting = state.waiting, let outcome = Self.outcome(&state, state.limit) else { return nil }
            state.waiting = nil
            return (waiting, outcome)
        }
        if let resumed { resumed.0.resume(returning: resumed.1) }
    }

    /// The entries that are there, or else the error.
    private static func outcome(_ state: inout State, _ limit: Int) -> Outcome? {
        if state.error == .closed { return .failure(.closed) }
        let count = min(limit, state.entries.count - state.taken)
        guard count > 0 else { return state.error.map { .failure($0) } }
        let entries = Array(state.entries[state.taken..<state.taken + count])
        state.taken += count
        if state.taken == state.entries.count {
            state.entries.removeAll(keepingCapacity: true)
            state.taken = 0
        } else if state.taken >= OrderedConsumer.window {
            state.entries.removeFirst(state.taken)
            state.taken = 0
        }
        return .success(entries)
    }
}
