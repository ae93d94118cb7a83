import NIOCore
import NIOHTTPTypes

/// Closes the connections of clients that are too slow.
///
/// - After its head, a request must be complete within `bodyTime`, even if it trickles in steadily. The server's idle
///   time limits the head.
/// - The client must read what it is sent within `stallTime`. Meanwhile, the memory for it is limited to the socket's
///   buffer and the channel's high watermark.
final class ConnectionGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    /// The size of the socket's buffer in bytes. By default, Linux lets it grow to megabytes.
    static let sendBuffer = 65_536

    private let bodyTime: TimeAmount
    private let stallTime: TimeAmount
    private var body: Scheduled<Void>?
    private var stall: Scheduled<Void>?

    init(bodyTime: Duration, stallTime: Duration) {
        self.bodyTime = TimeAmount(bodyTime)
        self.stallTime = TimeAmount(stallTime)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.channel.setOption(.socketOption(.so_sndbuf), value: Self.sendBuffer).whenComplete { _ in }
    }

    func handlerRemoved(context: ChannelHandlerContext) { stopTimers() }

    func channelInactive(context: ChannelHandlerContext) {
        stopTimers()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            body?.cancel()
            body = close(context.channel, in: bodyTime)
        case .body: break
        case .end:
            body?.cancel()
            body = nil
        }
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        stall = context.channel.isWritable ? nil : close(context.channel, in: stallTime)
        context.fireChannelWritabilityChanged()
    }

    private func close(_ channel: any Channel, in time: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    private func stopTimers() {
        body?.cancel()
        stall?.cancel()
        body = nil
        stall = nil
    }
}
