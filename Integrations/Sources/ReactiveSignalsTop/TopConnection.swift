import Foundation
import NIOCore
import ReactiveDiagnostics
import ReactiveSignals
import TopProtocol

/// The connection to a viewer.
///
/// It performs one request at a time, and the next one when the answer has been written. So a viewer that does not read
/// has one answer in memory, and costs the server nothing more.
final class TopConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How many requests may wait.
    private static let requestLimit = 16
    /// For how long an answer may take to be written.
    private static let writeLimit = TimeAmount.seconds(30)
    /// For how long events are collected.
    private static let eventDelay = TimeAmount.milliseconds(50)

    private let service: TopService
    private var hasJoined = false
    private var isBusy = false
    private var isClosing = false
    private var requests: [ByteBuffer] = []
    private var former: StreamGraph.Snapshot?
    private var follower: Follower?
    private var following: (any Disposable)?
    /// Whether events are kept until the viewer has read.
    private var hasEventsToSend = false

    init(_ service: TopService) { self.service = service }

    func channelActive(context: ChannelHandlerContext) {
        hasJoined = service.join()
        write(service.greeting, context)
        if !hasJoined {
            fail(.init(.busy, "there are \(TopService.viewerLimit) viewers already"), context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if hasJoined { service.leave() }
        hasJoined = false
        isClosing = true
        requests = []
        unfollow()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isClosing { return }
        requests.append(unwrapInboundIn(data))
        if requests.count > Self.requestLimit {
            return fail(.init(.busy, "more than \(Self.requestLimit) requests wait for their answers"), context)
        }
        performNext(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if hasEventsToSend, context.channel.isWritable { sendEvents(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is LineDecoder.LineTooLong {
            fail(.init(.request, "a request has more than \(TopService.requestLimit) bytes"), context)
        } else {
            context.close(promise: nil)
        }
    }

    // MARK: Requests

    private func performNext(_ context: ChannelHandlerContext) {
        guard !isBusy, !isClosing, !requests.isEmpty else { return }
        let line = requests.removeFirst()
        let data = Data(line.readableBytesView)
        // The version comes first: other versions may have other requests.
        struct Version: Decodable { let version: Int }
        guard let version = try? TopProtocol.decode(Version.self, from: data).version else {
            return fail(.init(.request, "this is no request of signals-top"), context)
        }
        guard version == TopProtocol.version else {
            let text = "this server speaks version \(TopProtocol.version) of the protocol, and the viewer \(version)"
            return fail(.init(.version, text), context)
        }
        guard let request = try? TopProtocol.decode(TopProtocol.Request.self, from: data) else {
            return fail(.init(.request, "this is no request of signals-top"), context)
        }
        isBusy = true
        switch request.command {
        case .snapshot: snapshot(context)
        case .follow: follow(request.node ?? 0, context)
        case .unfollow:
            unfollow()
            answer(TopProtocol.Reply(), context)
        case .record: answer(service.beginRecording(on: context.eventLoop), context)
        case .stopRecording: answer(service.endRecording(on: context.eventLoop), context)
        }
    }

    private func snapshot(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        service.snapshot(after: former, on: context.eventLoop).whenComplete { result in
            let (connection, context) = bound.value
            switch result {
            case .success(let (snapshot, line)):
                connection.former = snapshot
                connection.answer(line, context)
            case .failure: context.close(promise: nil)
            }
        }
    }

    private func follow(_ node: UInt64, _ context: ChannelHandlerContext) {
        unfollow()
        let follower = Follower(node: node)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        let action: @Sendable (Event<any Sendable, any Error>) -> Void = { [service] event in
            guard follower.append(service.item(event)) else { return }
            loop.scheduleTask(in: Self.eventDelay) {
                let (connection, context) = bound.value
                if connection.follower === follower { connection.sendEvents(context) }
            }
        }
        self.follower = follower
        service.observe(node, on: loop, action).whenComplete { result in
            let (connection, context) = bound.value
            guard case .success(let disposable?) = result else {
                connection.follower = nil
                let text = "the stream #\(node) cannot be followed: it has ended, or sends nothing through a signal"
                return connection.answer(TopProtocol.Reply(problem: .init(.stream, text)), context)
            }
            if connection.isClosing { return disposable.dispose() }
            connection.following = disposable
            connection.answer(TopProtocol.Reply(following: node), context)
        }
    }

    private func unfollow() {
        following?.dispose()
        (following, follower, hasEventsToSend) = (nil, nil, false)
    }

    private func sendEvents(_ context: ChannelHandlerContext) {
        guard !isClosing, let follower else { return }
        hasEventsToSend = !context.channel.isWritable
        if hasEventsToSend { return }
        if let events = follower.take() { write(TopProtocol.Reply(events: events), context) }
    }

    // MARK: Writing

    private func answer(_ reply: TopProtocol.Reply, _ context: ChannelHandlerContext) {
        guard let line = encoded(reply) else { return context.close(promise: nil) }
        answer(line, context)
    }

    private func answer(_ reply: EventLoopFuture<TopProtocol.Reply>, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        reply.whenComplete { result in
            let (connection, context) = bound.value
            switch result {
            case .success(let reply): connection.answer(reply, context)
            case .failure: context.close(promise: nil)
            }
        }
    }

    /// Answers the current request, and performs the next one when that is written.
    private func answer(_ line: ByteBuffer, _ context: ChannelHandlerContext) {
        if isClosing { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let timeout = context.eventLoop.scheduleTask(in: Self.writeLimit) { bound.value.1.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(line)).whenComplete { _ in
            timeout.cancel()
            let (connection, context) = bound.value
            connection.isBusy = false
            connection.performNext(context)
        }
    }

    private func write(_ message: some Encodable, _ context: ChannelHandlerContext) {
        guard let line = encoded(message) else { return context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(line), promise: nil)
    }

    /// Says what is wrong, and closes the connection. Its last requests are not performed.
    private func fail(_ problem: TopProtocol.Problem, _ context: ChannelHandlerContext) {
        if isClosing { return }
        isClosing = true
        requests = []
        unfollow()
        guard let line = encoded(TopProtocol.Reply(problem: problem)) else { return context.close(promise: nil) }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let timeout = context.eventLoop.scheduleTask(in: Self.writeLimit) { bound.value.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(line)).whenComplete { _ in
            timeout.cancel()
            bound.value.close(promise: nil)
        }
    }

    private func encoded(_ message: some Encodable) -> ByteBuffer? {
        (try? TopProtocol.encode(message)).map { ByteBuffer(bytes: $0) }
    }
}
