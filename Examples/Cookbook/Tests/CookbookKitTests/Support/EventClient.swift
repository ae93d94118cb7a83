import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

/// A client of an event stream, over a real connection.
struct EventClient {
    let contentType: String?
    private var parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    private var text = ""

    private init(
        contentType: String?, parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    ) {
        self.contentType = contentType
        self.parts = parts
    }

    /// Connects, calls `body`, and closes the connection.
    static func connect(to port: Int, path: String, _ body: (inout EventClient) async throws -> Void) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: ["host": "127.0.0.1"])
            try await outbound.write(.head(head))
            try await outbound.write(.end(nil))
            var parts = inbound.makeAsyncIterator()
            guard case .head(let head) = try await parts.next() else { throw NoResponse() }
            var client = EventClient(contentType: head.headers.first(name: "content-type"), parts: parts)
            try await body(&client)
        }
    }

    /// Reads the text up to the next empty line, or `nil` at the end of the response, and compares it.
    mutating func expect(_ expected: String?, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let event = try await next()
        #expect(event == expected, sourceLocation: sourceLocation)
    }

    private mutating func next() async throws -> String? {
        while true {
            if let end = text.firstRange(of: "\n\n") {
                defer { text.removeSubrange(..<end.upperBound) }
                return String(text[..<end.lowerBound])
            }
            guard case .body(let bytes) = try await parts.next() else { return nil }
            text += String(buffer: bytes)
        }
    }

    struct NoResponse: Error {}
}
