import Foundation
package import NIOCore
import NIOPosix
package import TopProtocol

/// The viewer's connection to a server.
package final class TopClient: Sendable {
    package let greeting: TopProtocol.Greeting
    private let channel: any Channel
    private let lines: AsyncThrowingStream<ByteBuffer, any Error>

    /// Answers with 100,000 nodes have about 30 MB.
    private static let replyLimit = 1 << 30

    /// The path of the socket that `target` means: a path, the number of a process, or `nil` for the only server.
    package static func path(
        of target: String?, directory: String = TopLocation.directory()
    ) throws(TopClientError) -> String {
        if let target, let process = Int32(target) { return TopLocation.path(in: directory, process: process) }
        if let target { return target }
        let live = TopLocation.sockets(in: directory).filter { SocketProbe(path: $0) == .live }
        if live.count > 1 { throw .several(paths: live) }
        guard let path = live.first else { throw .noServers(directory: directory) }
        return path
    }

    /// Connects, and waits for the greeting.
    ///
    /// - Parameter patience: For how long to wait for the greeting.
    package init(path: String, patience: TimeAmount = .seconds(5)) async throws {
        let descriptor = try Self.connect(path)
        let (lines, continuation) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        ByteToMessageHandler(LineDecoder(limit: Self.replyLimit)),
                        LineReceiver(continuation, patience: patience) { TopClientError.noGreeting(path: path) })
                }
            }
            .withConnectedSocket(descriptor).get()
        self.lines = lines
        var iterator = lines.makeAsyncIterator()
        let first: ByteBuffer?
        do {
            first = try await iterator.next()
        } catch {
            channel.close(promise: nil)
            throw error
        }
        guard let first, let greeting = try? TopProtocol.decode(TopProtocol.Greeting.self, from: Data(first)),
            greeting.name == TopProtocol.name
        else {
            channel.close(promise: nil)
            throw TopClientError.noGreeting(path: path)
        }
        guard greeting.version == TopProtocol.version else {
            channel.close(promise: nil)
            throw TopClientError.version(server: greeting.version, viewer: TopProtocol.version)
        }
        self.greeting = greeting
    }

    /// Connects a socket. Not with SwiftNIO, which takes a path of 107 bytes for too long.
    private static func connect(_ path: String) throws(TopClientError) -> NIOBSDSocket.Handle {
        guard let address = UnixAddress(path) else {
            throw .pathTooLong(path: path, bytes: path.utf8.count)
        }
        let descriptor = UnixAddress.socket(isBlocking: false)
        guard descriptor < 0 || address.connect(descriptor) != 0 else { return descriptor }
        let code = errno
        if descriptor >= 0 { Foundation.close(descriptor) }
        switch code {
        case ENOENT, ENOTDIR: throw .noServer(path: path)
        case ECONNREFUSED: throw .refused(path: path)
        case EACCES, EPERM: throw .forbidden(path: path)
        case EAGAIN: throw .failed(path: path, reason: "too many connections wait for the server")
        default: throw .failed(path: path, reason: String(cString: strerror(code)))
        }
    }

    /// Sends a request. A connection that is lost makes ``next()`` throw.
    package func send(_ request: TopProtocol.Request) {
        guard let line = try? TopProtocol.encode(request) else { return }
        channel.writeAndFlush(ByteBuffer(bytes: line), promise: nil)
    }

    /// Waits for the next reply. Only one task at a time.
    package func next() async throws -> TopProtocol.Reply {
        var iterator = lines.makeAsyncIterator()
        guard let line = try await iterator.next() else { throw TopClientError.lost }
        let reply = try TopProtocol.decode(TopProtocol.Reply.self, from: Data(line))
        if let problem = reply.problem, problem.kind != .stream, problem.kind != .recording {
            throw TopClientError.problem(problem.text)
        }
        return reply
    }

    /// Requests a snapshot, and waits for it.
    package func snapshot() async throws -> TopProtocol.Picture {
        send(TopProtocol.Request(.snapshot))
        while true {
            if let picture = try await next().snapshot { return picture }
        }
    }

    /// Requests to begin or to end a recording, and waits for the answer.
    package func record(_ command: TopProtocol.Request.Command = .record) async throws -> TopProtocol.Recording {
        guard greeting.canRecord == true else { throw TopClientError.problem(Self.cannotRecord) }
        send(TopProtocol.Request(command))
        while true {
            let reply = try await next()
            if let recording = reply.recording { return recording }
            if let problem = reply.problem { throw TopClientError.problem(problem.text) }
        }
    }

    package static let cannotRecord = "this server cannot record: open it with TopServer.open(recordings:)"

    package func close() { channel.close(promise: nil) }
}

extension Data {
    fileprivate init(_ buffer: ByteBuffer) { self.init(buffer.readableBytesView) }
}

/// Passes lines on. Fails if the first one does not come in time.
private final class LineReceiver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncThrowingStream<ByteBuffer, any Error>.Continuation
    private let patience: TimeAmount
    private let failure: @Sendable () -> any Error
    private var timeout: Scheduled<Void>?

    init(
        _ continuation: AsyncThrowingStream<ByteBuffer, any Error>.Continuation, patience: TimeAmount,
        failure: @escaping @Sendable () -> any Error
    ) {
        self.continuation = continuation
        self.patience = patience
        self.failure = failure
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let (continuation, failure) = (continuation, failure)
        timeout = context.eventLoop.scheduleTask(in: patience) { continuation.finish(throwing: failure()) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timeout?.cancel() }

    // Ends the wait here and not where the line is awaited, because a busy process may resume that task late.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        timeout?.cancel()
        timeout = nil
        continuation.yield(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) { continuation.finish(throwing: TopClientError.lost) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        continuation.finish(throwing: error is IOError ? TopClientError.lost : error)
        context.close(promise: nil)
    }
}
