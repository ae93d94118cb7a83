public import ReactiveSignals

/// A connection to an engine that carries messages, streams and state between processes.
///
/// The types of this module are written against this protocol and know no engine. `SimulatedTransport` implements it on
/// virtual time, and `TransportContract` in ReactiveClusterTesting checks an implementation.
///
/// **Four services**, each with its own guarantee:
///
/// | service | guarantee |
/// |---|---|
/// | ``publish(_:to:)``, ``subscribe(to:receive:failed:)`` | at most once; may lose, repeat and reorder |
/// | ``request(_:to:timeout:)``, ``serve(_:queue:answer:failed:)`` | one attempt: an answer, or an error |
/// | ``stream(_:)`` | durable; read in order, without a gap or a repetition |
/// | ``bucket(_:)`` | durable, one value per key; compare-and-set; snapshot, then changes |
///
/// **Who may wait.** Functions that are not `async` never wait for an answer from a server, and never for a handler.
/// Only ``publish(_:to:)`` may wait, for room in the outgoing buffer of the connection. An `async` function suspends
/// its task, and blocks no thread of Swift's pool.
///
/// **Handlers** (`receive`, `answer`, `failed`, and that of ``TransportBucket/watch(_:receive:)``) are called on a
/// thread of the transport, one at a time per subscription, in the order of arrival, and never under a lock. A handler
/// must only enqueue: it must not block, wait for another call of the transport, or publish. It may dispose of its own
/// subscription.
///
/// **Disposal** of a subscription never waits. After it returns, no further call of the handlers begins. One that had
/// begun on another thread may finish. The handlers are released after that, on a thread without a lock.
///
/// **Reconnects** are the business of the transport: it tries again until it is closed, with jitter. Subscriptions,
/// servers, watches and cursors survive them, as their documentation says. What was sent in the meantime over
/// ``publish(_:to:)`` is lost.
///
/// **Cancellation**: an `async` function whose task is cancelled throws ``TransportError/cancelled`` promptly. Whether
/// the server has carried out the request is then unknown, unless the task was cancelled before the call.
public protocol Transport: AnyObject, Sendable {
    /// The state of the connection. Observers run on a thread of the transport, where they must not block.
    var connection: Property<ConnectionState> { get }

    /// The largest payload of a message in bytes, as the server has stated it, or a default until it has.
    var maximumPayload: Int { get }

    // MARK: Messages

    /// Sends a message to the present subscribers of a subject, at most once.
    ///
    /// Returns when the message is in the outgoing buffer. Messages of one thread to one subject keep their order.
    ///
    /// - Throws: ``TransportError/payloadTooLarge(size:limit:)``; ``TransportError/disconnected`` if there is no
    ///   connection, and then the message is not sent later; ``TransportError/closed``.
    func publish(_ payload: [UInt8], to subject: Subject) throws(TransportError)

    /// Receives the messages of a subject that are sent from now on.
    ///
    /// - Parameters:
    ///   - subject: Without wildcards.
    ///   - receive: Called with each message. The bytes are valid during the call only.
    ///   - failed: Called at most once, when the subscription can receive nothing more, for example with
    ///     ``TransportError/notPermitted(_:)`` or, after ``close()``, ``TransportError/closed``. Not called after
    ///     disposal.
    /// - Returns: Ends the subscription. It must be retained by nobody.
    func subscribe(
        to subject: Subject, receive: @escaping @Sendable (RawSpan) -> Void,
        failed: @escaping @Sendable (TransportError) -> Void
    ) throws(TransportError) -> any Disposable

    // MARK: Requests

    /// Sends a request to one server of a subject, and waits for its answer. One attempt.
    ///
    /// - Throws: ``TransportError/noResponder(_:)`` if nobody serves the subject; ``TransportError/timeout`` or
    ///   ``TransportError/disconnected``, after which it is unknown whether a server has received the request.
    func request(
        _ payload: [UInt8], to subject: Subject, timeout: Duration
    ) async throws(TransportError) -> [UInt8]

    /// Receives requests.
    ///
    /// - Parameters:
    ///   - subject: Without wildcards.
    ///   - queue: Each request goes to one member of each queue. The servers of one service share a queue.
    ///   - answer: Called with each request. It enqueues the request, which is answered later from any thread.
    ///   - failed: As in ``subscribe(to:receive:failed:)``.
    func serve(
        _ subject: Subject, queue: ResourceName, answer: @escaping @Sendable (TransportRequest) -> Void,
        failed: @escaping @Sendable (TransportError) -> Void
    ) throws(TransportError) -> any Disposable

    // MARK: Streams and state

    /// Opens a stream, and creates it if it does not exist.
    ///
    /// - Throws: ``TransportError/configurationMismatch(name:difference:)`` if it exists with another configuration,
    ///   ``TransportError/noStorage`` if the server has none.
    func stream(_ configuration: StreamConfiguration) async throws(TransportError) -> any TransportStream

    /// Opens a bucket, and creates it if it does not exist.
    ///
    /// - Throws: ``TransportError/configurationMismatch(name:difference:)`` if it exists with another configuration,
    ///   ``TransportError/noStorage`` if the server has none.
    func bucket(_ configuration: BucketConfiguration) async throws(TransportError) -> any TransportBucket

    // MARK: Shutdown

    /// Ends subscriptions and servers, lets their handlers finish what has arrived, sends what is in the outgoing
    /// buffer, and then closes. Returns at the latest after `timeout`.
    func drain(timeout: Duration) async

    /// Closes the connection. What waits throws ``TransportError/closed``. Idempotent. Never waits.
    func close()
}

/// The state of a connection.
public enum ConnectionState: Sendable, Equatable {
    /// The first connection has not been made yet.
    case connecting
    /// Connected. The number grows with each connection, so that `skipRepeats` does not hide a reconnect.
    case connected(UInt64)
    /// The connection is lost, and is being made again. With the last error.
    case disconnected(TransportError)
    /// Closed, for good: by ``Transport/close()``, or by an error that no retry can heal.
    case closed(TransportError?)

    /// Whether there is a connection.
    public var isConnected: Bool {
        if case .connected = self { true } else { false }
    }
}

/// A request to be answered.
public struct TransportRequest: Sendable {
    /// The bytes of the request.
    public let payload: [UInt8]
    private let respond: @Sendable ([UInt8]) -> Void

    /// - Parameter respond: Sends the answer. Called from any thread. Only the first answer reaches the requester.
    public init(payload: [UInt8], respond: @escaping @Sendable ([UInt8]) -> Void) {
        self.payload = payload
        self.respond = respond
    }

    /// Sends the answer, at most once to the network. May wait like ``Transport/publish(_:to:)``. An answer that cannot
    /// be sent is dropped: the requester gets a timeout.
    public func answer(_ payload: [UInt8]) { respond(payload) }
}
