/// One connection in both directions: a stream of what arrives, and a writer that waits for the connection.
///
/// Use it for sockets, WebSockets, pipes to a child process and remote calls that stream in both directions. A session
/// belongs to a scope, and is over at the latest when that ends:
///
/// ```swift
/// // Stands for a connection whose peer sends back what it gets.
/// let (lines, peer) = AsyncStream<String>.makeStream()
/// await withSignalScope { scope in
///     let session = DuplexSession(
///         in: scope, reading: SignalProducer(lines), write: { (line: String) in peer.yield("echo of \(line)") },
///         endWriting: { peer.finish() }, close: { peer.finish() })
///     await session.write("one")
///     await session.write("two")
///     await session.endWriting()
///     for await line in session.inbound.values(buffering: .suspending(1)) { print(line) }
/// }
/// // prints echo of one
/// // prints echo of two
/// ```
///
/// **Inbound**: ``inbound`` reads from the connection while it is started, and no further than its consumer has room.
/// There is one stream of what arrives, so it can be started once. A second start is interrupted immediately.
///
/// **Outbound**: ``write(_:)`` hands a value to the connection and returns when the connection has accepted it. One
/// value is handed over at a time, in the order of the calls. Nothing is buffered but the callers' own values: a writer
/// that is faster than the connection is suspended.
///
/// **Two ends**: each direction ends for itself. After ``endWriting()``, the peer sees the end of the stream, and what
/// it still sends arrives. When ``inbound`` has ended, in whatever way, you can still write.
///
/// **Errors**: an error in reading is sent by ``inbound``. An error in writing is thrown to the writer. As a part of
/// the value may have been written, no other value can follow it: writers that wait, and later ones, throw the same
/// error. Reading goes on. An error fails the scope only if you start ``inbound`` in the scope, or throw in its body.
///
/// **Cancellation**: if the task of a writer is cancelled while it waits for its turn, the writer returns `false`, and
/// the value is never written. While the value is being written, the cancellation is passed on to the `write` closure.
/// If that throws, nothing more can be written, as with any error.
///
/// **The end**: the session is over when both directions have ended, when ``close()`` is called, or when the scope
/// ends, fails or is cancelled. Then ``inbound`` is interrupted, writers that wait return `false`, and a write in
/// progress is cancelled. When nothing is being read or written any more, the connection is closed, once. The scope
/// waits for that. ``/ColdProducers/SignalScope/drain()`` and ``/ColdProducers/SignalScope/waitForAll()`` wait for
/// writers that have called, and for ``inbound`` if it has been started in the scope, but not for an idle session.
///
/// **Cost**: a task per write.
public final class DuplexSession<Inbound: Sendable, Outbound: Sendable, Failure: Error>: Sendable {
    /// What arrives. Can be started once. Interrupted when the session is over.
    public let inbound: SignalProducer<Inbound, Failure>
    private let link: DuplexLink<Outbound, Failure>

    /// Creates a session over a connection.
    ///
    /// - Parameters:
    ///   - scope: When it ends, so does the session. If it has ended, the connection is closed immediately.
    ///   - source: Reads from the connection, such as a producer of its async sequence. Started once, when ``inbound``
    ///     is started. Traps unless it can be suspended:
    ///     ``/ColdProducers/SignalProducer/buffer(upTo:whenFull:on:)`` says which producers can.
    ///   - write: Hands a value to the connection, and returns when that has accepted it. Called once at a time. It
    ///     should heed cancellation, because the end of the scope waits for it. If the source can fail, a closure
    ///     literal must state its error type: `{ value async throws(MyError) in ... }`.
    ///   - endWriting: Tells the peer that nothing more follows. Called at most once, after the last write.
    ///   - close: Closes the connection. Called exactly once, when nothing else uses it any more.
    public init<ScopeFailure>(
        in scope: SignalScope<ScopeFailure>, reading source: SignalProducer<Inbound, Failure>,
        write: @escaping @Sendable (Outbound) async throws(Failure) -> Void,
        endWriting: @escaping @Sendable () async throws(Failure) -> Void,
        close: @escaping @Sendable () async -> Void
    ) {
        require(
            source.isSuspendable,
            "DuplexSession(reading:): the source cannot be suspended; use one made of async code")
        let link = DuplexLink(in: scope.taskContext, write: write, endWriting: endWriting, close: close)
        self.link = link
        inbound = SignalProducer(
            source.derivedName("inbound"), contention: source.contention, isSuspendable: true
        ) { start, sink in
            link.read(from: source, start, sink)
        }
        link.setMembership(scope.members.add { link.close() })
    }

    /// Writes a value, when the writers before it have written theirs.
    ///
    /// - Returns: `true` if the connection has accepted the value. `false` if it has not been handed to the connection:
    ///   the task was cancelled first, or writing or the session has ended.
    /// - Throws: The error of the `write` closure, also if that has thrown it for an earlier value.
    @discardableResult
    public nonisolated(nonsending) func write(_ value: Outbound) async throws(Failure) -> Bool {
        let write = link.write
        return try await link.perform(isLast: false) { () async throws(Failure) in try await write(value) }
    }

    /// Tells the peer that nothing more follows, when the writers that came before have written their values.
    ///
    /// Writers that come later return `false`.
    ///
    /// - Returns: `true` if the peer has been told. `false` if writing or the session has ended before, or if the task
    ///   was cancelled first. In the last case, writing goes on.
    /// - Throws: The error of the `endWriting` closure, or that of an earlier write.
    @discardableResult
    public nonisolated(nonsending) func endWriting() async throws(Failure) -> Bool {
        try await link.perform(isLast: true, link.endWriting)
    }

    /// Ends the session. Does not wait until the connection has been closed, as the scope does.
    public func close() { link.close() }
}
