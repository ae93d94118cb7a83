import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A server on loopback that is slow, closes connections early, and sends invalid data.
///
/// It does not know HTTP. A script determines every byte that it sends.
final class RudeServer: Sendable {
    /// One step of the script of a connection.
    indirect enum Step: Sendable {
        case send(String)
        case pause(TimeAmount)
        /// Waits until the test opens the latch.
        case await(Latch)
        /// Waits until the client has disconnected.
        case hang
        /// Sends the text repeatedly, with a pause after each time, until the client has disconnected.
        case drip(String, TimeAmount)
        /// Sends the bytes `times` times as fast as the client reads; if nil, until the client has disconnected.
        case flood(ByteBuffer, times: Int?)
        case close
        /// Resets the connection, so that the client gets an error.
        case reset
    }

    /// What the server has observed so far.
    struct Counts: Sendable {
        var requests: [String: Int] = [:]
        var active = 0
        var mostActive = 0
        /// By the host that the client names.
        var activeByHost: [String: Int] = [:]
        var mostActiveByHost: [String: Int] = [:]
        /// Requests whose client disconnected before the end.
        var abandoned = 0
    }

    /// The script for the `number`-th request of a path, counted from 1.
    typealias Script = @Sendable (_ path: String, _ number: Int) -> [Step]

    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let state: NIOLockedValueBox<Counts>
    let port: Int

    init(_ script: @escaping Script) async throws {
        let state = NIOLockedValueBox(Counts())
        self.state = state
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RudeHandler(script, state))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        // A bound TCP socket always has a port.
        port = channel.localAddress!.port!
    }

    var counts: Counts { state.withLockedValue { $0 } }

    func url(_ path: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

    func stop() async throws {
        try await channel.close()
        try await group.shutdownGracefully()
    }

    /// Runs `body` with a server.
    static func with<Result>(
        _ script: @escaping Script, _ body: (RudeServer) async throws -> Result
    ) async throws -> Result {
        let server = try await RudeServer(script)
        do {
            let result = try await body(server)
            try await server.stop()
            return result
        } catch {
            try await server.stop()
            throw error
        }
    }
}

extension RudeServer.Step {
    /// A complete response.
    static func answer(_ status: String = "200 OK", _ body: String = "", headers: [String] = []) -> Self {
        .send(
            (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers).joined(separator: "\r\n")
                + "\r\n\r\n" + body)
    }

    /// The head of a response that announces the length of its body.
    static func head(length: Int) -> Self { .send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n") }

    /// The head of a chunked response.
    static let chunkedHead = Self.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
}

/// An event that happens once and can be awaited.
final class Latch: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = NIOLockedValueBox(State())

    func open() {
        let waiting = state.withLockedValue { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for action in waiting { action() }
    }

    func whenOpen(_ action: @escaping @Sendable () -> Void) {
        let isOpen = state.withLockedValue { state in
            if !state.isOpen { state.waiting.append(action) }
            return state.isOpen
        }
        if isOpen { action() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in whenOpen { continuation.resume() } }
    }
}

/// A script for one response, and its description.
struct Manner: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [RudeServer.Step]

    init(_ description: String, _ steps: RudeServer.Step...) {
        testDescription = description
        self.steps = steps
    }
}

/// One connection.
private final class RudeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let script: RudeServer.Script
    private let state: NIOLockedValueBox<RudeServer.Counts>
    private var received = ""
    /// The host of the request in progress.
    private var host: String?

    init(_ script: @escaping RudeServer.Script, _ state: NIOLockedValueBox<RudeServer.Counts>) {
        self.script = script
        self.state = state
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += String(buffer: unwrapInboundIn(data))
        guard host == nil, let end = received.firstRange(of: "\r\n\r\n") else { return }
        let lines = received[..<end.lowerBound].split(separator: "\r\n")
        received = String(received[end.upperBound...])
        let path = String(lines[0].split(separator: " ")[1])
        let host = lines.first { $0.lowercased().hasPrefix("host:") }.map { line in
            String(line.dropFirst(5).split(separator: ":")[0].filter { $0 != " " })
        }
        begin(path, host ?? "", context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if end() { state.withLockedValue { $0.abandoned += 1 } }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func begin(_ path: String, _ host: String, _ context: ChannelHandlerContext) {
        self.host = host
        let number = state.withLockedValue { counts in
            counts.requests[path, default: 0] += 1
            counts.active += 1
            counts.mostActive = max(counts.mostActive, counts.active)
            counts.activeByHost[host, default: 0] += 1
            counts.mostActiveByHost[host] = max(counts.mostActiveByHost[host] ?? 0, counts.activeByHost[host] ?? 0)
            return counts.requests[path] ?? 0
        }
        run(script(path, number)[...], context)
    }

    /// Whether there was a request in progress.
    private func end() -> Bool {
        guard let host else { return false }
        self.host = nil
        state.withLockedValue { counts in
            counts.active -= 1
            counts.activeByHost[host, default: 0] -= 1
        }
        return true
    }

    private func run(_ steps: ArraySlice<RudeServer.Step>, _ context: ChannelHandlerContext) {
        guard host != nil else { return }
        guard let step = steps.first else {
            _ = end()
            return
        }
        let rest = steps.dropFirst()
        switch step {
        case .send(let text):
            // The client can send the next request as soon as it has the last byte.
            if rest.isEmpty { _ = end() }
            let written = context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: text)))
            if !rest.isEmpty { go(on: rest, after: written, context) }
        case .pause(let time):
            context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.run(rest, context) }
        case .await(let latch):
            let loop = context.eventLoop.assumeIsolated()
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.assumeIsolated().whenSuccess { loop.execute { self.run(rest, context) } }
            latch.whenOpen { promise.succeed() }
        case .hang: break
        case .drip(let text, let time): run([.send(text), .pause(time), step], context)
        case .flood(_, times: .some(...0)): run(rest, context)
        case .flood(let bytes, let times):
            let again = [RudeServer.Step.flood(bytes, times: times.map { $0 - 1 })] + rest
            go(on: again[...], after: context.writeAndFlush(wrapOutboundOut(bytes)), context)
        case .close:
            _ = end()
            context.close(promise: nil)
        case .reset:
            _ = end()
            guard let options = context.channel as? any SocketOptionProvider else { return context.close(promise: nil) }
            options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                .assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        }
    }

    private func go(
        on steps: ArraySlice<RudeServer.Step>, after future: EventLoopFuture<Void>, _ context: ChannelHandlerContext
    ) {
        let loop = context.eventLoop.assumeIsolated()
        // A closed connection has already ended. Synchronous writes must not deepen the stack.
        future.assumeIsolated().whenSuccess { loop.execute { self.run(steps, context) } }
    }
}
