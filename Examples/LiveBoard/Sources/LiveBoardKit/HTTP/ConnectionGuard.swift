import NIOCore
import NIOHTTPTypes

/// Closes connections whose other side holds the server up.
///
/// - A request that has begun has to be there as a whole in some time, however steadily it trickles in. (That its *head* is
///   there in time is what the server's idle time is for.)
/// - What is sent has to be taken in some time. While it is not, no more than the socket's buffer and the channel's high
///   watermark is kept for it.
final class ConnectionGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    /// How much the system keeps for a client that does not read; Linux would let it grow to megabytes.
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
