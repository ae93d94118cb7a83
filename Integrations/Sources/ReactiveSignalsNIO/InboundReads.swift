public import NIOCore
public import ReactiveSignals

/// The messages that a channel receives, read from its socket only when a consumer asks for one.
///
/// Create it in the initializer of the channel, after the decoders:
///
/// ```swift
/// let reads = try await ClientBootstrap(group: group).connect(host: host, port: port) { channel in
///     channel.eventLoop.makeCompletedFuture { try InboundReads(of: ByteBuffer.self, from: channel) }
/// }
/// let stored = SignalProducer<Receipt, any Error>(pulling: reads, maxConcurrent: 1) { buffer in
///     store(buffer)  // a producer; the socket is read again when it has ended
/// }
/// ```
///
/// Creating it turns `autoRead` off, and adds a handler to the end of the pipeline, which receives all messages.
///
/// **By demand**: the socket is read once when a consumer asks and nothing is left of the last read. So while the
/// consumer is busy, the receive buffer of the kernel fills up, and then the peer has to wait. These ask by demand:
///
/// - `SignalProducer(pulling:maxConcurrent:)`, as above;
/// - ``producer`` with `buffer(upTo:whenFull: .suspend, on:)` or `values(buffering: .suspending(n))`;
/// - ``producer`` with observers that do their work before they return;
/// - `for try await`.
///
/// **Buffer**: the messages of one read: at most `maxMessagesPerRead` times the size of a receive buffer, or what the
/// decoders make of it. There is one exception. When the peer closes the connection, SwiftNIO reads all that is left in
/// the receive buffer of the kernel at once, so the messages of that are buffered too.
///
/// **Termination**: completes when the channel becomes inactive, or when the peer has closed its half of the connection
/// and the option `allowRemoteHalfClosure` is set: the channel can then still be written to. Fails with the first error
/// of the channel that reaches the handler. It passes the error on, and does not close the channel. Is interrupted if
/// the channel closes before it was active. Messages that were received before come first in all of these cases.
///
/// **Disposal** of a start and cancellation of a task end the wait for a message. They do **not** close the channel,
/// and what is not read stays in the kernel. To close it, use `on(disposed:)`, or close it yourself.
///
/// **Several consumers**: each message goes to one of them, the one that has waited longest. A start that begins after
/// another one has ended continues where that one has stopped: you can read a header with `first()`, and then the rest.
/// A message that arrives while its start is being disposed of by another thread may be dropped with it.
///
/// **Threads**: messages are sent in the task that iterates, not on the event loop.
///
/// Retains the channel.
public struct InboundReads<Message: Sendable>: AsyncSequence, Sendable {
    /// The messages, as the last decoder makes them.
    public typealias Element = Message
    /// The errors of the channel.
    public typealias Failure = any Error

    /// The channel.
    public let channel: any Channel

    private let handler: InboundReadsHandler<Message>

    /// Turns the automatic reads of a channel off, and adds a handler to the end of its pipeline.
    ///
    /// Call on the event loop of the channel, before the channel is active. What the channel has received before is not
    /// in the sequence.
    ///
    /// - Parameters:
    ///   - type: The type of the messages, as the decoders make them: `ByteBuffer` without a decoder. Traps if the
    ///     handler receives another type.
    ///   - channel: The channel.
    /// - Throws: The error of the channel if the option cannot be set or the handler not be added, for example because
    ///   it is closed.
    public init(of type: Message.Type, from channel: any Channel) throws {
        channel.eventLoop.preconditionInEventLoop()
        self.channel = channel
        handler = InboundReadsHandler()
        if let options = channel.syncOptions {
            try options.setOption(.autoRead, value: false)
        } else {
            // Channels without synchronous options, such as those of tests.
            channel.setOption(.autoRead, value: false).whenFailure { [handler] in handler.end(.failure($0)) }
        }
        try channel.pipeline.syncOperations.addHandler(handler)
    }

    /// A producer of the messages. Each start iterates the sequence: see ``InboundReads``.
    public var producer: SignalProducer<Message, any Error> { SignalProducer(self) }

    /// Creates an iterator, which takes part in what other iterators receive: each message goes to one of them.
    public func makeAsyncIterator() -> Iterator { Iterator(handler: handler) }

    /// Waits for the messages of a channel.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let handler: InboundReadsHandler<Message>

        /// Waits for a message. Reads from the channel if nothing is left of the last read.
        ///
        /// - Returns: `nil` at the end, or if the task is cancelled.
        public mutating func next() async throws -> Message? { try await handler.next() }

        /// Waits for a message: see ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Message? {
            try await handler.next()
        }
    }
}
