public import ReactiveCluster
public import ReactiveSignals
import Synchronization

/// A client of a ``SimulatedNetwork``.
public final class SimulatedTransport: Transport {
    private struct State {
        var pending: [UInt64: @Sendable (TransportError) -> Void] = [:]
        var connections: UInt64 = 0
        var isConnected = false
        var isClosed = false
    }

    /// The name of the client.
    public let name: String
    /// The state of the connection.
    public let connection: Property<ConnectionState>
    /// 64 kilobytes.
    public var maximumPayload: Int { 65_536 }

    private let network: SimulatedNetwork
    private let connectionState = MutableProperty(ConnectionState.connecting, contention: .enqueue)
    private let state = Mutex(State())

    init(_ name: String, _ network: SimulatedNetwork) {
        self.name = name
        self.network = network
        connection = Property(connectionState)
    }

    // MARK: Connection

    var isConnected: Bool { state.withLock { $0.isConnected } }

    func connectLater() {
        let delay = network.random(in: network.faults.reconnect)
        network.scheduler.schedule(after: delay) { [self] in
            guard network.isReachable(name) else { return }
            let number: UInt64? = state.withLock { state in
                if state.isConnected || state.isClosed { return nil }
                state.isConnected = true
                state.connections += 1
                return state.connections
            }
            guard let number else { return }
            connectionState.value = .connected(number)
            for watch in network.watches(of: name) { watch.connect() }
        }
    }

    /// Loses the connection after a while, if the client is still cut off then.
    func noticeLater() {
        let delay = network.random(in: network.faults.reconnect)
        network.scheduler.schedule(after: delay) { [self] in if !network.isReachable(name) { lose() } }
    }

    /// Loses the connection now.
    func lose() {
        let pending: [UInt64: @Sendable (TransportError) -> Void]? = state.withLock { state in
            guard state.isConnected else { return nil }
            state.isConnected = false
            defer { state.pending = [:] }
            return state.pending
        }
        guard let pending else { return }
        connectionState.value = .disconnected(.disconnected)
        for watch in network.watches(of: name) { watch.disconnect() }
        for (_, fail) in pending.sorted(by: { $0.key < $1.key }) { fail(.disconnected) }
    }

    /// Closes the connection.
    public func close() {
        let pending: [UInt64: @Sendable (TransportError) -> Void]? = state.withLock { state in
            if state.isClosed { return nil }
            state.isClosed = true
            state.isConnected = false
            defer { state.pending = [:] }
            return state.pending
        }
        guard let pending else { return }
        connectionState.value = .closed(nil)
        let (subscriptions, watches) = (network.subscriptions(of: name), network.watches(of: name))
        for subscription in subscriptions { subscription.fail(.closed) }
        for watch in watches { watch.fail(.closed) }
        for (_, fail) in pending.sorted(by: { $0.key < $1.key }) { fail(.closed) }
    }

    /// Ends subscriptions, and closes when what has been sent has had the time to arrive.
    public func drain(timeout: Duration) async {
        for subscription in network.subscriptions(of: name) { subscription.dispose() }
        try? await Task.sleep(
            for: min(timeout, network.faults.delay.upperBound * 2), clock: network.scheduler)
        close()
    }

    private func check() throws(TransportError) {
        let (isClosed, isConnected) = state.withLock { ($0.isClosed, $0.isConnected) }
        if isClosed { throw .closed }
        if !isConnected { throw .disconnected }
    }

    private func check(size: Int) throws(TransportError) {
        if size > maximumPayload { throw .payloadTooLarge(size: size, limit: maximumPayload) }
    }

    // MARK: Messages

    /// Sends a message through the network.
    public func publish(_ payload: [UInt8], to subject: Subject) throws(TransportError) {
        try check(size: payload.count)
        try check()
        network.carry(name, .up) { [network] in
            for subscription in network.subscriptions(to: subject) where subscription.queue == nil {
                network.carry(subscription.client.name, .down) { subscription.deliver(payload) }
            }
        }
    }

    /// Receives messages of a subject while the client is connected.
    public func subscribe(
        to subject: Subject, receive: @escaping @Sendable (RawSpan) -> Void,
        failed: @escaping @Sendable (TransportError) -> Void
    ) throws(TransportError) -> any Disposable {
        try checkOpen()
        let subscription = SimulatedSubscription(self, network, subject, queue: nil, failed: failed) { payload, _ in
            receive(payload.span.bytes)
        }
        network.add(subscription)
        return subscription
    }

    private func checkOpen() throws(TransportError) {
        if state.withLock({ $0.isClosed }) { throw .closed }
    }

    // MARK: Requests

    /// Sends a request to one server of the subject.
    public func request(
        _ payload: [UInt8], to subject: Subject, timeout: Duration
    ) async throws(TransportError) -> [UInt8] {
        try check(size: payload.count)
        let name = name
        // A copy of the request must not find what the first one did not, or the other way round.
        let isServed = Mutex<Bool?>(nil)
        return try await call(timeout: timeout) { [network] reply in
            var queues: Set<ResourceName> = []
            let servers = network.servers(of: subject).filter { $0.queue.map { queues.insert($0).inserted } ?? false }
            let isExpected = isServed.withLock { isServed in
                isServed = isServed ?? !servers.isEmpty
                return isServed == !servers.isEmpty
            }
            guard isExpected else { return }
            for server in servers {
                network.carry(server.client.name, .down) {
                    server.deliver(payload) { answer in
                        network.carry(server.client.name, .up) {
                            network.carry(name, .down) { reply(.success(answer)) }
                        }
                    }
                }
            }
            if servers.isEmpty { network.carry(name, .down) { reply(.failure(.noResponder(subject.description))) } }
        }
    }

    /// Serves a subject while the client is connected.
    public func serve(
        _ subject: Subject, queue: ResourceName, answer: @escaping @Sendable (TransportRequest) -> Void,
        failed: @escaping @Sendable (TransportError) -> Void
    ) throws(TransportError) -> any Disposable {
        try checkOpen()
        let subscription = SimulatedSubscription(
            self, network, subject, queue: queue, failed: failed
        ) { payload, respond in
            answer(TransportRequest(payload: payload, respond: respond))
        }
        network.add(subscription)
        return subscription
    }

    // MARK: Calls

    /// Carries a request to the servers, and the answer back.
    ///
    /// - Parameter serve: Runs at the servers, for each copy of the request that arrives. Its argument answers.
    func call<Value: Sendable>(
        timeout: Duration? = nil,
        _ serve: @escaping @Sendable (@escaping @Sendable (Result<Value, TransportError>) -> Void) -> Void
    ) async throws(TransportError) -> Value {
        if Task.isCancelled { throw .cancelled }
        try check()
        let id = network.makeID()
        let pending = PendingCall<Value>()
        let forget = { @Sendable [self] in _ = state.withLock { $0.pending.removeValue(forKey: id) } }
        let timer = network.scheduler.schedule(after: timeout ?? network.faults.timeout) {
            pending.resume(.failure(.timeout))
        }
        let result: Result<Value, TransportError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                pending.begin(continuation)
                state.withLock { $0.pending[id] = { pending.resume(.failure($0)) } }
                // The connection may have been lost on another thread.
                if !isConnected { pending.resume(.failure(.disconnected)) }
                network.carry(name, .up) { serve { pending.resume($0) } }
            }
        } onCancel: {
            pending.resume(.failure(.cancelled))
        }
        timer?.dispose()
        forget()
        return try result.get()
    }

    /// Runs an operation of the servers.
    func operate<Value: Sendable>(
        _ operation: @escaping @Sendable (inout SimulatedServers, Duration) -> Result<Value, TransportError>,
        then: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws(TransportError) -> Value {
        let name = name
        return try await call { [network] reply in
            let now = network.now
            let result = network.state.withLock { operation(&$0.servers, now) }
            if case .success(let value) = result { then(value) }
            network.carry(name, .down) { reply(result) }
        }
    }

    // MARK: Streams and state

    /// Opens a stream.
    public func stream(_ configuration: StreamConfiguration) async throws(TransportError) -> any TransportStream {
        let _: Void = try await operate { servers, _ in
            let known = servers.streams[configuration.name]?.configuration
            if let known, known != configuration {
                return .failure(
                    .configurationMismatch(name: configuration.name.description, difference: "stream: \(known)"))
            }
            if known == nil { servers.streams[configuration.name] = .init(configuration: configuration) }
            return .success(())
        }
        return SimulatedStream(configuration, self, network)
    }

    /// Opens a bucket.
    public func bucket(_ configuration: BucketConfiguration) async throws(TransportError) -> any TransportBucket {
        let _: Void = try await operate { servers, _ in
            let known = servers.buckets[configuration.name]?.configuration
            if let known, known != configuration {
                return .failure(
                    .configurationMismatch(name: configuration.name.description, difference: "bucket: \(known)"))
            }
            if known == nil { servers.buckets[configuration.name] = .init(configuration: configuration) }
            return .success(())
        }
        return SimulatedBucket(configuration, self, network)
    }

    func checkSize(_ payload: [UInt8]) throws(TransportError) { try check(size: payload.count) }
}

/// A call that waits for its first answer.
final class PendingCall<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Result<Value, TransportError>, Never>?
        var result: Result<Value, TransportError>?
    }

    private let state = Mutex(State())

    func begin(_ continuation: CheckedContinuation<Result<Value, TransportError>, Never>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(returning: result) }
    }

    func resume(_ result: Result<Value, TransportError>) {
        let continuation: CheckedContinuation<Result<Value, TransportError>, Never>? = state.withLock { state in
            guard state.result == nil else { return nil }
            state.result = result
            return state.continuation.take()
        }
        continuation?.resume(returning: result)
    }
}
