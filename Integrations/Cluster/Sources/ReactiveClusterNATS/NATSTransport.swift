import Dispatch
public import ReactiveCluster
public import ReactiveSignals
import Synchronization

/// A transport over NATS, with streams and buckets in JetStream.
///
/// ```swift
/// let transport = try await NATSTransport.connect(NATSOptions(servers: ["nats://127.0.0.1:4222"]))
/// let journal = try await transport.stream(StreamConfiguration(name: name, subject: subject, replicas: 3))
/// ```
///
/// The connection is made again after each loss, with a pause that grows and has a random part, until ``close()``, or
/// until the servers refuse the credentials twice.
///
/// **Threads**: two threads of the C client call handlers, for all connections of the process. State changes are
/// reported on a queue of the connection.
///
/// **Buckets** are stored as the key-value buckets of NATS, so that its own tools read them. A read asks the server
/// that leads the bucket. A leader that has been cut off from the majority answers with what it had, until it notices
/// some seconds later; a write to it fails.
public final class NATSTransport: Transport {
    /// The state of the connection.
    public let connection: Property<ConnectionState>

    let options: NATSOptions
    let exchanges = ExchangeTable()
    /// The beginning of the subjects of all answers.
    let inbox: String
    private let state = Mutex(State())
    /// The client while there is a connection, so that a message needs neither a lock nor a reference. The transport
    /// retains the client as long as it lives: `State.kept`.
    private let sending = Atomic<Unmanaged<CConnection>?>(nil)
    private let connectionState: MutableProperty<ConnectionState>
    /// Where changes of the connection are handled, one at a time.
    private let events = DispatchQueue(label: "ReactiveClusterNATS.events")
    /// Where reports of the C client wait until ``open()`` has stored the client.
    private let reports: DispatchQueue
    /// Where the first connection is made, which blocks.
    private let connecting = DispatchQueue(label: "ReactiveClusterNATS.connect")

    private struct State {
        var phase = Phase.connecting
        /// Whether the last report of the C client was that there is a connection.
        var isConnected = false
        /// The client, also after it has been closed.
        var kept: CConnection?
        var connections: UInt64 = 0
        var lastMember: UInt64 = 0
        /// With numbers that ascend in the order in which members were added.
        var members: [ObjectIdentifier: (number: UInt64, member: any Member)] = [:]
        var mux: CSubscription?
        /// Called when there is a connection, or never will be.
        var waiting: [@Sendable (Result<Void, TransportError>) -> Void] = []
        var drains: [@Sendable () -> Void] = []
        var lastError: TransportError?
    }

    private enum Phase {
        case connecting
        case open(CConnection)
        case closed(TransportError?)
    }

    /// Begins to connect, and does not wait. Subscriptions that are made before the connection begin with it.
    ///
    /// - Throws: ``TransportError/failed(_:)`` if `servers` is empty.
    public init(_ options: NATSOptions) throws(TransportError) {
        guard !options.servers.isEmpty else { throw .failed("invalid options: name at least one server") }
        self.options = options
        let property = MutableProperty<ConnectionState>(.connecting)
        connectionState = property
        connection = Property(property)
        inbox = makeInbox()
        reports = DispatchQueue(label: "ReactiveClusterNATS.reports", target: events)
        scheduleTick()
        connecting.async { [weak self] in self?.open(0) }
    }

    /// Connects, and returns when there is a connection.
    ///
    /// - Parameter timeout: How long to try.
    /// - Throws: Why the last attempt failed, such as ``TransportError/noServer(_:)``, or
    ///   ``TransportError/badCredentials``. Then the transport is closed.
    public static func connect(
        _ options: NATSOptions, timeout: Duration = .seconds(5)
    ) async throws(TransportError) -> NATSTransport {
        let transport = try NATSTransport(options)
        do {
            try await transport.connected(timeout: timeout)
        } catch {
            transport.close()
            throw error
        }
        return transport
    }

    /// Returns when there is a connection.
    ///
    /// - Throws: Why there is none after `timeout`.
    public func connected(timeout: Duration) async throws(TransportError) {
        let wait = Exchange(subject: "", timeout: timeout)
        let number = exchanges.add(wait)
        let known: Result<Void, TransportError>? = state.withLock { state in
            if case .closed(let error) = state.phase { return .failure(error ?? .closed) }
            if state.isConnected { return .success(()) }
            state.waiting.append { [exchanges] in
                exchanges.end(number, $0.map { Reply(status: nil, payload: []) })
            }
            return nil
        }
        if let known {
            exchanges.remove(number)
            return try known.get()
        }
        switch await wait.outcome() {
        case .success: return
        case .failure(.timeout):
            let last = state.withLock { $0.lastError }
            throw last ?? .noServer(options.servers.joined(separator: ", "))
        case .failure(let error):
            exchanges.remove(number)
            throw error
        }
    }

    deinit {
        guard case .open(let client) = state.withLock({ $0.phase }) else { return }
        client.close()
    }

    /// The largest payload of a message in bytes, as the server has stated it, or the default of NATS until it has.
    public var maximumPayload: Int {
        guard case .open(let client) = state.withLock({ $0.phase }) else { return Self.defaultMaximumPayload }
        let stated = client.maximumPayload
        return stated > 0 ? stated : Self.defaultMaximumPayload
    }

    private static let defaultMaximumPayload = 1 << 20

    // MARK: Messages

    /// Sends a message to the present subscribers of a subject. May wait for room in the outgoing buffer, at most for
    /// ``NATSOptions/writeTimeout``.
    public func publish(_ payload: [UInt8], to subject: Subject) throws(TransportError) {
        guard let client = sending.load(ordering: .acquiring) else { throw whyNotSending }
        let error = client._withUnsafeGuaranteedRef { $0.put(payload, to: subject.description) }
        if let error { throw error }
    }

    /// Receives the messages of a subject. If more than 65,536 wait for the handler, the newest are dropped.
    public func subscribe(
        to subject: Subject, receive: @escaping @Sendable (RawSpan) -> Void,
        failed: @escaping @Sendable (TransportError) -> Void
    ) throws(TransportError) -> any Disposable {
        try add(
            NATSSubscription(
                transport: self, subject: subject.description, queue: nil,
                receive: .payload(receive), failed: failed))
    }

    /// Receives requests.
    public func serve(
        _ subject: Subject, queue: ResourceName, answer: @escaping @Sendable (TransportRequest) -> Void,
        failed: @escaping @Sendable (TransportError) -> Void
    ) throws(TransportError) -> any Disposable {
        let respond: @Sendable ([UInt8], String) -> Void = { [weak self] in try? self?.send($0, to: $1) }
        let receive = CHandler.message { message in
            // A message that was published has no address for an answer.
            let reply = message.reply.map { String(cString: $0) }
            answer(
                TransportRequest(payload: Array(message.payload)) { payload in
                    if let reply { respond(payload, reply) }
                })
        }
        return try add(
            NATSSubscription(
                transport: self, subject: subject.description, queue: queue.description, receive: receive,
                failed: failed))
    }

    /// Sends a request to one server of a subject, and waits for its answer.
    public func request(
        _ payload: [UInt8], to subject: Subject, timeout: Duration
    ) async throws(TransportError) -> [UInt8] {
        let reply = try await exchange(payload, with: subject.description, timeout: timeout)
        if reply.status == 503 { throw .noResponder(subject.description) }
        return reply.payload
    }

    /// Sends a request, and waits for whatever answers it.
    func exchange(
        _ payload: [UInt8], with subject: String, headers: [(String, String)] = [], timeout: Duration? = nil
    ) async throws(TransportError) -> Reply {
        if Task.isCancelled { throw .cancelled }
        let client = try client()
        let exchange = Exchange(subject: subject, timeout: timeout ?? options.requestTimeout)
        let number = exchanges.add(exchange)
        do throws(TransportError) {
            try withBytes(payload) { (bytes) throws(TransportError) in
                try client.publish(bytes, to: subject, reply: "\(inbox).\(number)", headers: headers)
            }
        } catch {
            exchanges.remove(number)
            throw error
        }
        let outcome = await exchange.outcome()
        if case .failure(.cancelled) = outcome { exchanges.remove(number) }
        return try outcome.get()
    }

    /// Sends a request whose answers go to `reply`, or to nobody.
    func send(_ payload: [UInt8], to subject: String, reply: String? = nil) throws(TransportError) {
        let client = try client()
        try withBytes(payload) { (bytes) throws(TransportError) in
            try client.publish(bytes, to: subject, reply: reply)
        }
    }

    /// Subscribes to a subject of answers, for an object that ends the subscription itself.
    func receiveAnswers(
        to subject: String, receive: @escaping @Sendable (CMessage) -> Void
    ) throws(TransportError) -> CSubscription {
        guard case .open(let client) = state.withLock({ $0.phase }) else { throw .disconnected }
        return try client.subscribe(to: subject, isBounded: false, receive: .message(receive))
    }

    // MARK: Shutdown

    /// Ends subscriptions, lets their handlers finish what has arrived, sends what is buffered, and closes.
    public func drain(timeout: Duration) async {
        let client: CConnection? = state.withLock { state in
            guard case .open(let client) = state.phase, state.isConnected else { return nil }
            return client
        }
        guard let client else { return await closed() }
        let wait = Exchange(subject: "", timeout: timeout)
        let number = exchanges.add(wait)
        let isClosed = state.withLock { state in
            if case .closed = state.phase { return true }
            state.drains.append { [exchanges] in
                exchanges.end(number, .success(Reply(status: nil, payload: [])))
            }
            return false
        }
        if !isClosed {
            client.drain(timeout: timeout)
            _ = await wait.outcome()
        }
        exchanges.remove(number)
        await closed()
    }

    /// Closes, and returns when ``connection`` says so.
    private func closed() async {
        close()
        await withCheckedContinuation { continuation in events.async { continuation.resume() } }
    }

    /// Closes the connection. Idempotent. Never waits.
    public func close() { close(nil) }

    private func close(_ error: TransportError?) {
        let (client, isFirst): (CConnection?, Bool) = state.withLock { state in
            switch state.phase {
            case .closed: return (nil, false)
            case .connecting:
                state.phase = .closed(error)
                return (nil, true)
            case .open(let client):
                state.phase = .closed(error)
                state.isConnected = false
                sending.store(nil, ordering: .releasing)
                return (client, true)
            }
        }
        guard isFirst else { return }
        client?.close()
        // Strong, so that a transport that is closed and released still tells its subscribers.
        events.async { self.finish(error) }
    }
}

// MARK: - The connection

extension NATSTransport {
    /// - Parameter failures: How many attempts there have been.
    private func open(_ failures: Int) {
        let isConnecting = state.withLock { state in if case .connecting = state.phase { true } else { false } }
        guard isConnecting else { return }
        reports.suspend()
        defer { reports.resume() }
        let handle: @Sendable (CConnectionEvent) -> Void = { [weak self] in self?.handle($0) }
        let report: @Sendable (CConnectionEvent) -> Void = { [reports] event in reports.async { handle(event) } }
        do throws(TransportError) {
            let client = try CConnection.open(options, report: report)
            // Before the events that the client has already reported.
            let mux = try client.subscribe(
                to: inbox + ".*", isBounded: false,
                receive: .message { [exchanges] in Self.receiveAnswer($0, exchanges) })
            let isOpen = state.withLock { state in
                guard case .connecting = state.phase else { return false }
                state.phase = .open(client)
                state.kept = client
                state.mux = mux
                return true
            }
            guard isOpen else { return client.close() }
            events.async { self.attachAll(client) }
        } catch {
            switch error {
            case .noServer, .timeout, .disconnected, .closed:
                events.async { [weak self] in self?.handle(.disconnected(error == .closed ? .disconnected : error)) }
                connecting.asyncAfter(deadline: .now() + options.reconnectDelay.seconds(after: failures)) {
                    [weak self] in
                    self?.open(failures + 1)
                }
            default: close(error)
            }
        }
    }

    /// Ends the request whose number is the last part of the subject.
    private static func receiveAnswer(_ message: CMessage, _ exchanges: ExchangeTable) {
        var number: UInt64 = 0
        var place = message.subject
        while place.pointee != 0 {
            number = place.pointee == 0x2E ? 0 : number &* 10 &+ UInt64(UInt8(bitPattern: place.pointee)) &- 48
            place += 1
        }
        exchanges.end(number, .success(Reply(status: message.status, payload: Array(message.payload))))
    }

    private func handle(_ event: CConnectionEvent) {
        switch event {
        case .connected:
            let next: (UInt64, [@Sendable (Result<Void, TransportError>) -> Void])? = state.withLock { state in
                guard case .open(let client) = state.phase, !state.isConnected else { return nil }
                state.isConnected = true
                sending.store(.passUnretained(client), ordering: .releasing)
                state.connections += 1
                defer { state.waiting = [] }
                return (state.connections, state.waiting)
            }
            guard let next else { return }
            connectionState.value = .connected(next.0)
            for wait in next.1 { wait(.success(())) }
            for member in members { member.connected() }
        case .disconnected(let error):
            let isOpen = state.withLock { state in
                state.lastError = error
                if case .closed = state.phase { return false }
                state.isConnected = false
                sending.store(nil, ordering: .releasing)
                return true
            }
            guard isOpen else { return }
            connectionState.value = .disconnected(error)
            exchanges.end(.disconnected) { !$0.subject.isEmpty }
            for member in members { member.disconnected() }
        case .closed:
            let (drains, cause) = state.withLock { state in
                defer { state.drains = [] }
                // By itself, the client gives up only after the servers have refused the credentials twice. Its own
                // error may be that no server is left, or that a server has closed the connection.
                return (state.drains, state.drains.isEmpty ? TransportError.badCredentials : nil)
            }
            close(cause)
            for drain in drains { drain() }
        case .refused(let subject, let isSubscription):
            if isSubscription {
                for member in members { member.refused(subject) }
            } else {
                exchanges.end(.notPermitted(subject)) { $0.subject == subject }
            }
        }
    }

    private func attachAll(_ client: CConnection) {
        for member in members { member.attach(client) }
    }

    private func finish(_ error: TransportError?) {
        let (members, waiting) = state.withLock { state in
            defer {
                state.members = [:]
                state.waiting = []
                state.mux = nil
            }
            return (sorted(state.members), state.waiting)
        }
        connectionState.value = .closed(error)
        for wait in waiting { wait(.failure(error ?? .closed)) }
        exchanges.end(error ?? .closed) { !$0.subject.isEmpty }
        for member in members { member.closed(error ?? .closed) }
    }

    private func scheduleTick() {
        events.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.tick() }
    }

    private func tick() {
        let now = ContinuousClock.now
        exchanges.end(.timeout) { $0.deadline <= now }
        for member in members { member.tick(now) }
        let isClosed = state.withLock { state in
            if case .closed = state.phase { true } else { false }
        }
        // The waits for the end of a drain still need a timeout.
        if !isClosed || !exchanges.isEmpty { scheduleTick() }
    }

    private func client() throws(TransportError) -> CConnection {
        guard let client = sending.load(ordering: .acquiring) else { throw whyNotSending }
        return client.takeUnretainedValue()
    }

    private var whyNotSending: TransportError {
        let isClosed = state.withLock { state in if case .closed = state.phase { true } else { false } }
        return isClosed ? .closed : .disconnected
    }
}

// MARK: - Members

/// An object that must know what happens to the connection. All functions are called on the queue of its events.
protocol Member: AnyObject, Sendable {
    /// There is a client, which may not be connected yet.
    func attach(_ client: CConnection)
    func connected()
    func disconnected()
    func tick(_ now: ContinuousClock.Instant)
    func refused(_ subject: String)
    /// The last call.
    func closed(_ error: TransportError)
}

extension NATSTransport {
    private var members: [any Member] {
        state.withLock { sorted($0.members) }
    }

    private func sorted(_ members: [ObjectIdentifier: (number: UInt64, member: any Member)]) -> [any Member] {
        members.values.sorted { $0.number < $1.number }.map(\.member)
    }

    /// Retains an object until it is removed, or the transport is closed.
    @discardableResult
    func add<M: Member>(_ member: M) throws(TransportError) -> M {
        let client: Result<CConnection?, TransportError> = state.withLock { state in
            if case .closed(let error) = state.phase { return .failure(error ?? .closed) }
            state.lastMember += 1
            state.members[ObjectIdentifier(member)] = (state.lastMember, member)
            if case .open(let client) = state.phase { return .success(client) }
            return .success(nil)
        }
        if let client = try client.get() { member.attach(client) }
        return member
    }

    func remove(_ member: any Member) {
        // Released outside of the lock.
        let removed = state.withLock { $0.members.removeValue(forKey: ObjectIdentifier(member)) }
        _ = removed
    }
}

/// Gives access to the bytes of an array.
func withBytes(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(TransportError) -> Void
) throws(TransportError) {
    let outcome: Result<Void, TransportError> = bytes.withUnsafeBytes { buffer in
        do throws(TransportError) { return .success(try body(buffer)) } catch { return .failure(error) }
    }
    try outcome.get()
}
