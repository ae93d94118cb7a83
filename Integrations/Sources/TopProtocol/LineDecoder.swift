package import NIOCore

/// Splits bytes into lines, without their ends.
package struct LineDecoder: ByteToMessageDecoder {
    package typealias InboundOut = ByteBuffer

    /// A line had more bytes than it may have.
    package struct LineTooLong: Error {}

    private let limit: Int
    /// How many bytes of an unfinished line have no end in them.
    private var scanned = 0

    /// - Parameter limit: The maximum number of bytes of a line.
    package init(limit: Int) { self.limit = limit }

    package mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let unseen = buffer.readableBytesView.dropFirst(scanned)
        guard let end = unseen.firstIndex(of: UInt8(ascii: "\n")) else {
            scanned = buffer.readableBytes
            if scanned > limit { throw LineTooLong() }
            return .needMoreData
        }
        scanned = 0
        guard let line = buffer.readSlice(length: end - buffer.readerIndex) else { return .needMoreData }
        buffer.moveReaderIndex(forwardBy: 1)
        if line.readableBytes > limit { throw LineTooLong() }
        context.fireChannelRead(wrapInboundOut(line))
        return .continue
    }

    /// Drops a line that has no end.
    package mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        let state = try decode(context: context, buffer: &buffer)
        if state == .needMoreData { buffer.clear() }
        return state
    }
}
