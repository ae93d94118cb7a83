// The only file that calls the C library. Each object of the library has one owner here, which destroys it. The
// callbacks of the library only enqueue: they call handlers that must not block, while no lock of the library is held.

internal import CNATS
import Foundation
import ReactiveCluster
import Synchronization

/// What happens to a connection. Reported on a thread of the C library.
enum CConnectionEvent: Sendable {
    case connected
    case disconnected(TransportError)
    case closed
    /// The server refuses a subject.
    case refused(subject: String, isSubscription: Bool)
}

/// The owner of a connection of the C library.
final class CConnection: @unchecked Sendable {
    // The pointer never changes, and the library locks the object itself.
    private let pointer: OpaquePointer
    private let flusher: CFlusher

    private init(pointer: OpaquePointer) {
        self.pointer = pointer
        flusher = CFlusher(pointer)
    }

    /// Tries each server once. Blocks, at most for the timeout of each server.
    ///
    /// The library can go on by itself, but gives up for good if a server has accepted and then said nothing.
    ///
    /// - Parameter report: Called on a thread of the library, one event at a time. `closed` is the last event.
    /// - Throws: Why there is no connection.
    static func open(
        _ options: NATSOptions, report: @escaping @Sendable (CConnectionEvent) -> Void
    ) throws(TransportError) -> CConnection {
        nats_SetMessageDeliveryPoolSize(2)
        var made: OpaquePointer?
        guard natsOptions_Create(&made) == NATS_OK, let settings = made else { throw .failed("no memory") }
        defer { natsOptions_Destroy(settings) }
        try apply(options, to: settings)

        let key = Reports.add(report)
        natsOptions_SetDisconnectedCB(settings, { nc, key in Reports.send(key, CConnection.lost(nc)) }, key)
        natsOptions_SetReconnectedCB(settings, { _, key in Reports.send(key, .connected) }, key)
        natsOptions_SetClosedCB(
            settings,
            { _, key in
                Reports.send(key, .closed)
                Reports.remove(key)
            }, key)
        natsOptions_SetErrorHandler(
            settings,
            { nc, _, status, key in
                if let refusal = CConnection.refusal(nc, status) { Reports.send(key, refusal) }
            }, key)

        var connection: OpaquePointer?
        let status = natsConnection_Connect(&connection, settings)
        guard let connection, status == NATS_OK else {
            Reports.remove(key)
            throw error(status)
        }
        report(.connected)
        return CConnection(pointer: connection)
    }

    deinit {
        let end = flusher.stop()
        // Closing waits for threads of the library, and the last reference may be released by one of them.
        let pointer = CPointer(pointer)
        cleanup.async {
            natsConnection_Close(pointer.value)
            end.wait()
            natsConnection_Destroy(pointer.value)
        }
    }

    /// Whether messages go to a server now.
    var isConnected: Bool {
        let status = natsConnection_Status(pointer)
        return status == NATS_CONN_STATUS_CONNECTED || status == NATS_CONN_STATUS_DRAINING_SUBS
    }

    var maximumPayload: Int { Int(natsConnection_GetMaxPayload(pointer)) }

    /// The address of the present server.
    var address: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard natsConnection_GetConnectedUrl(pointer, buffer.baseAddress, 256) == NATS_OK else { return "" }
            return String(cString: buffer.baseAddress!)
        }
    }

    /// Puts a message into the outgoing buffer. Blocks while the buffer is full, at most for the write timeout.
    ///
    /// - Returns: Why it is not in the buffer, or `nil` if it is.
    func put(_ payload: [UInt8], to subject: String) -> TransportError? {
        guard let count = Int32(exactly: payload.count) else {
            return .payloadTooLarge(size: payload.count, limit: maximumPayload)
        }
        let status = subject.withCString { subject in
            payload.withUnsafeBytes { natsConnection_Publish(pointer, subject, $0.baseAddress, count) }
        }
        guard status == NATS_OK else { return failure(status, size: payload.count) }
        flusher.kick()
        return nil
    }

    /// As ``put(_:to:)``, with a subject for answers.
    func publish(_ payload: UnsafeRawBufferPointer, to subject: String, reply: String? = nil) throws(TransportError) {
        let count = try checked(payload.count)
        let status = subject.withCString { subject in
            guard let reply else { return natsConnection_Publish(pointer, subject, payload.baseAddress, count) }
            return reply.withCString {
                natsConnection_PublishRequest(pointer, subject, $0, payload.baseAddress, count)
            }
        }
        guard status == NATS_OK else { throw failure(status, size: payload.count) }
        flusher.kick()
    }

    /// As ``publish(_:to:reply:)``, with headers.
    func publish(
        _ payload: UnsafeRawBufferPointer, to subject: String, reply: String?, headers: [(String, String)]
    ) throws(TransportError) {
        if headers.isEmpty { return try publish(payload, to: subject, reply: reply) }
        let count = try checked(payload.count)
        var made: OpaquePointer?
        var status = natsMsg_Create(
            &made, subject, reply, payload.baseAddress?.assumingMemoryBound(to: CChar.self), count)
        guard status == NATS_OK, let message = made else { throw failure(status, size: payload.count) }
        defer { natsMsg_Destroy(message) }
        for (name, value) in headers where status == NATS_OK { status = natsMsgHeader_Set(message, name, value) }
        if status == NATS_OK { status = natsConnection_PublishMsg(pointer, message) }
        guard status == NATS_OK else { throw failure(status, size: payload.count) }
        flusher.kick()
    }

    /// Receives the messages of a subject, which may have wildcards.
    ///
    /// - Parameters:
    ///   - isBounded: Whether messages are dropped if 65,536 of them wait for the handler.
    ///   - receive: Called on a thread of the library. It must not block.
    func subscribe(
        to subject: String, queue: String? = nil, isBounded: Bool,
        receive: CHandler
    ) throws(TransportError) -> CSubscription {
        let sink = receive.sink
        let owned = Unmanaged.passRetained(sink)
        var made: OpaquePointer?
        let status =
            if let queue {
                natsConnection_QueueSubscribe(&made, pointer, subject, queue, sink.callback, owned.toOpaque())
            } else {
                natsConnection_Subscribe(&made, pointer, subject, sink.callback, owned.toOpaque())
            }
        guard status == NATS_OK, let made else {
            owned.release()
            throw Self.error(status)
        }
        // If the connection has closed in between, the library does not call this, and the sink leaks.
        natsSubscription_SetOnCompleteCB(made, { Unmanaged<CSink>.fromOpaque($0!).release() }, owned.toOpaque())
        if !isBounded { natsSubscription_SetPendingLimits(made, -1, -1) }
        flusher.kick()
        return CSubscription(pointer: made, sink: sink)
    }

    /// Lets subscriptions finish what has arrived, sends what is buffered, and closes. `closed` is reported at the end.
    func drain(timeout: Duration) {
        natsConnection_DrainTimeout(pointer, timeout.milliseconds)
    }

    /// Closes the connection, on another thread. `closed` is reported at the end.
    func close() {
        _ = flusher.stop()
        cleanup.async { natsConnection_Close(self.pointer) }
    }

    private func checked(_ count: Int) throws(TransportError) -> Int32 {
        guard let size = Int32(exactly: count) else {
            throw .payloadTooLarge(size: count, limit: maximumPayload)
        }
        return size
    }

    private func failure(_ status: natsStatus, size: Int) -> TransportError {
        status == NATS_MAX_PAYLOAD ? .payloadTooLarge(size: size, limit: maximumPayload) : Self.error(status)
    }
}

// MARK: - Errors

extension CConnection {
    private static func lost(_ connection: OpaquePointer?) -> CConnectionEvent {
        .disconnected(lastError(connection) ?? .disconnected)
    }

    /// The error that the connection has met last, if any.
    private static func lastError(_ connection: OpaquePointer?) -> TransportError? {
        var text: UnsafePointer<CChar>?
        let status = natsConnection_GetLastError(connection, &text)
        guard status != NATS_OK else { return nil }
        let words = text.map { String(cString: $0) } ?? ""
        if words.contains("Authorization Violation") { return .badCredentials }
        let error = error(status, words: words)
        return error == .closed ? .disconnected : error
    }

    private static func refusal(_ connection: OpaquePointer?, _ status: natsStatus) -> CConnectionEvent? {
        guard status == NATS_NOT_PERMITTED else { return nil }
        var text: UnsafePointer<CChar>?
        natsConnection_GetLastError(connection, &text)
        // As in: Permissions Violation for Subscription to "prices.eur"
        let words = text.map { String(cString: $0) } ?? ""
        let parts = words.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return nil }
        return .refused(
            subject: String(parts[1]), isSubscription: words.lowercased().contains("violation for subscription"))
    }

    private static func error(_ status: natsStatus, words: String? = nil) -> TransportError {
        let reason = words.flatMap { $0.isEmpty ? nil : $0 } ?? String(cString: natsStatus_GetText(status))
        switch status {
        case NATS_CONNECTION_CLOSED, NATS_DRAINING: return .closed
        case NATS_CONNECTION_DISCONNECTED, NATS_STALE_CONNECTION, NATS_IO_ERROR, NATS_INSUFFICIENT_BUFFER:
            return .disconnected
        case NATS_NO_SERVER: return .noServer(reason)
        case NATS_CONNECTION_AUTH_FAILED: return .badCredentials
        case NATS_NOT_PERMITTED: return .notPermitted(reason)
        case NATS_TIMEOUT: return .timeout
        case NATS_NO_RESPONDERS: return .noResponder(reason)
        case NATS_INVALID_SUBJECT: return .invalidName("", reason: reason)
        default: return .failed(reason)
        }
    }
}

// MARK: - Options

extension CConnection {
    private static func apply(_ options: NATSOptions, to settings: OpaquePointer) throws(TransportError) {
        var status = NATS_OK
        func set(_ change: () -> natsStatus) {
            if status == NATS_OK { status = change() }
        }
        set { withCStrings(options.servers) { natsOptions_SetServers(settings, $0, Int32(options.servers.count)) } }
        set { natsOptions_SetName(settings, options.name) }
        set { natsOptions_SetTimeout(settings, options.connectTimeout.milliseconds) }
        set { natsOptions_SetWriteDeadline(settings, options.writeTimeout.milliseconds) }
        set { natsOptions_SetPingInterval(settings, options.pingInterval.milliseconds) }
        set { natsOptions_SetMaxPingsOut(settings, 2) }
        set { natsOptions_SetMaxReconnect(settings, .max) }
        // The library would send later what is published without a connection. This is the smallest buffer for that.
        set { natsOptions_SetReconnectBufSize(settings, 1) }
        set { natsOptions_UseGlobalMessageDelivery(settings, true) }
        set { natsOptions_SetCustomReconnectDelay(settings, pause, pack(options.reconnectDelay)) }
        switch options.credentials {
        case .none: break
        case .user(let user, let password): set { natsOptions_SetUserInfo(settings, user, password) }
        case .token(let token): set { natsOptions_SetToken(settings, token) }
        case .file(let path): set { natsOptions_SetUserCredentialsFromFiles(settings, path, nil) }
        case .key(let key, let seed): set { natsOptions_SetNKeyFromSeed(settings, key, seed) }
        }
        if let tls = options.tls {
            set { natsOptions_SetSecure(settings, true) }
            if let file = tls.trustedCertificates {
                set { natsOptions_LoadCATrustedCertificates(settings, file) }
            }
            if let identity = tls.identity {
                set { natsOptions_LoadCertificatesChain(settings, identity.certificate, identity.key) }
            }
            if let host = tls.expectedHostname { set { natsOptions_SetExpectedHostname(settings, host) } }
        }
        guard status == NATS_OK else { throw .failed("invalid options: " + text(status)) }
    }

    private static func text(_ status: natsStatus) -> String {
        var last = NATS_OK
        if let words = nats_GetLastError(&last), words[0] != 0 { return String(cString: words) }
        return String(cString: natsStatus_GetText(status))
    }

    /// Both limits in milliseconds as one pointer, so that nothing needs to be released.
    private static func pack(_ delay: NATSOptions.ReconnectDelay) -> UnsafeMutableRawPointer? {
        let minimum = UInt(clamping: min(delay.minimum.milliseconds, Int64(UInt32.max)))
        let maximum = UInt(clamping: min(delay.maximum.milliseconds, Int64(UInt32.max)))
        return UnsafeMutableRawPointer(bitPattern: minimum << 32 | maximum)
    }
}

private let pause: natsCustomReconnectDelayHandler = { connection, attempts, packed in
    let both = UInt(bitPattern: packed)
    let minimum = Double(both >> 32)
    let maximum = Double(both & 0xFFFF_FFFF)
    var delay = minimum
    for _ in 1..<max(2, min(attempts, 24)) { delay *= 2 }
    // Waits here: the library waits by the wall clock, and so for an hour longer if that is set back by an hour. The
    // thread makes the connections of this client only, and the library holds no lock during the call.
    let end = ContinuousClock.now + .milliseconds(Int64(min(delay, maximum) * Double.random(in: 0.5...1)))
    while ContinuousClock.now < end, !natsConnection_IsClosed(connection) { usleep(5000) }
    return 0
}

private func withCStrings(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>) -> natsStatus
)
    -> natsStatus
{
    var pointers = strings.map { UnsafePointer<CChar>(strdup($0)) }
    defer { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
}

// MARK: - Subscriptions

/// The owner of a subscription of the C library.
final class CSubscription: @unchecked Sendable {
    // The pointer never changes, and the library locks the object itself.
    private let pointer: OpaquePointer
    private let sink: CSink

    fileprivate init(pointer: OpaquePointer, sink: CSink) {
        self.pointer = pointer
        self.sink = sink
    }

    /// Ends the subscription. After the return no further call of the handler begins. Never waits.
    func end() {
        if sink.end() { cleanup.async { natsSubscription_Unsubscribe(self.pointer) } }
    }

    deinit {
        _ = sink.end()
        let pointer = CPointer(pointer)
        cleanup.async { natsSubscription_Destroy(pointer.value) }
    }
}

/// What a subscription calls with each message, on a thread of the library. It must not block.
enum CHandler: Sendable {
    /// Needs only the payload.
    case payload(@Sendable (RawSpan) -> Void)
    case message(@Sendable (CMessage) -> Void)

    fileprivate var sink: CSink {
        switch self {
        case .payload(let call): CPayloadSink(call)
        case .message(let call): CMessageSink(call)
        }
    }
}

/// What the callback of a subscription calls. The C library owns a reference until the last callback has returned.
///
/// Each kind of handler has a class and a callback, so that a message needs no reference count.
private class CSink: @unchecked Sendable {
    // Sendable: constant, except for the atomic.
    final let isOver = Atomic(false)
    /// What the library calls, with the sink as the closure.
    var callback: natsMsgHandler { preconditionFailure("CSink is abstract") }

    /// Returns whether this is the first call.
    final func end() -> Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }
}

private final class CPayloadSink: CSink, @unchecked Sendable {
    // Sendable: constant.
    let call: @Sendable (RawSpan) -> Void

    init(_ call: @escaping @Sendable (RawSpan) -> Void) { self.call = call }

    override var callback: natsMsgHandler { deliverPayload }
}

private final class CMessageSink: CSink, @unchecked Sendable {
    // Sendable: constant.
    let call: @Sendable (CMessage) -> Void

    init(_ call: @escaping @Sendable (CMessage) -> Void) { self.call = call }

    override var callback: natsMsgHandler { deliverMessage }
}

// The library passes a message and the closure of the subscription to each callback.

private let deliverPayload: natsMsgHandler = { _, _, message, closure in
    Unmanaged<CPayloadSink>.fromOpaque(closure.unsafelyUnwrapped)._withUnsafeGuaranteedRef { sink in
        if !sink.isOver.load(ordering: .acquiring) {
            sink.call(CMessage(pointer: message.unsafelyUnwrapped).payload.bytes)
        }
    }
    natsMsg_Destroy(message)
}

private let deliverMessage: natsMsgHandler = { _, _, message, closure in
    Unmanaged<CMessageSink>.fromOpaque(closure.unsafelyUnwrapped)._withUnsafeGuaranteedRef { sink in
        if !sink.isOver.load(ordering: .acquiring) { sink.call(CMessage(pointer: message.unsafelyUnwrapped)) }
    }
    natsMsg_Destroy(message)
}

/// A message of the C library. Valid only during the call that receives it.
struct CMessage {
    fileprivate let pointer: OpaquePointer

    var payload: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: natsMsg_GetData(pointer), count: Int(natsMsg_GetDataLength(pointer)))
    }
    var subject: UnsafePointer<CChar> { natsMsg_GetSubject(pointer) }
    var reply: UnsafePointer<CChar>? { natsMsg_GetReply(pointer) }

    func header(_ name: String) -> String? {
        var value: UnsafePointer<CChar>?
        guard natsMsgHeader_Get(pointer, name, &value) == NATS_OK, let value else { return nil }
        return String(cString: value)
    }

    /// The status of a message that the server itself has sent, such as 503. Only messages without a payload have one.
    var status: Int? {
        guard natsMsg_GetDataLength(pointer) == 0 else { return nil }
        return header("Status").flatMap { Int($0) }
    }
}

// MARK: - Flushing

/// Sends what is in the outgoing buffer of a connection as soon as the server has answered the flush before.
///
/// The C library sends either with each message, which costs a system call per message, or one millisecond later. This
/// thread sends a single message at once, and collects messages while a flush is on its way. While messages come so
/// fast that they fill the buffer, which the library then sends by itself, it waits before it sends the rest: many small
/// packets would cost the server and the receivers more than the messages.
private final class CFlusher: @unchecked Sendable {
    // The connection outlives the thread: see `stop`.
    private let connection: OpaquePointer
    /// How many messages were put into the buffer since the last flush has begun.
    private let waiting = Atomic(0)
    private let isStopped = Atomic(false)
    private let wake = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)
    /// After how many messages during one flush the next one waits, and for how many microseconds.
    private static let manyMessages = 64
    private static let pause: UInt32 = 500

    init(_ connection: OpaquePointer) {
        self.connection = connection
        Thread.detachNewThread { self.run() }
    }

    @inline(__always)
    func kick() {
        if waiting.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 { wake.signal() }
    }

    /// Lets the thread end. The connection must remain until the semaphore that this returns is signaled.
    func stop() -> DispatchSemaphore {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        wake.signal()
        return done
    }

    private func run() {
        while true {
            wake.wait()
            if isStopped.load(ordering: .sequentiallyConsistent) { break }
            if waiting.load(ordering: .relaxed) >= Self.manyMessages { usleep(Self.pause) }
            waiting.store(0, ordering: .sequentiallyConsistent)
            natsConnection_FlushTimeout(connection, 1000)
        }
        nats_ReleaseThreadMemory()
        done.signal()
    }
}

// MARK: - Bookkeeping

/// Carries a pointer of the C library, which locks its objects itself, to another thread.
private struct CPointer: @unchecked Sendable {
    let value: OpaquePointer
    init(_ value: OpaquePointer) { self.value = value }
}

/// Where objects of the C library are closed and destroyed, which may wait for a lock or a thread of the library.
private let cleanup = DispatchQueue(label: "ReactiveClusterNATS.cleanup")

/// The receivers of events by number, so that a late callback of the library finds none instead of a released one.
private enum Reports {
    private struct State {
        var last: UInt = 0
        var receivers: [UInt: @Sendable (CConnectionEvent) -> Void] = [:]
    }
    private static let state = Mutex(State())

    static func add(_ receiver: @escaping @Sendable (CConnectionEvent) -> Void) -> UnsafeMutableRawPointer? {
        state.withLock {
            $0.last += 1
            $0.receivers[$0.last] = receiver
            return UnsafeMutableRawPointer(bitPattern: $0.last)
        }
    }

    static func send(_ key: UnsafeMutableRawPointer?, _ event: CConnectionEvent) {
        let receiver = state.withLock { $0.receivers[UInt(bitPattern: key)] }
        receiver?(event)
    }

    static func remove(_ key: UnsafeMutableRawPointer?) {
        _ = state.withLock { $0.receivers.removeValue(forKey: UInt(bitPattern: key)) }
    }
}

/// A new subject for answers.
func makeInbox() -> String {
    var inbox: UnsafeMutablePointer<CChar>?
    guard natsInbox_Create(&inbox) == NATS_OK, let inbox else { return "_INBOX.\(UInt64.random(in: .min ... .max))" }
    defer { natsInbox_Destroy(inbox) }
    return String(cString: inbox)
}
