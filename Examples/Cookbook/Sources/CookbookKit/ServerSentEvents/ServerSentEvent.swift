package import NIOCore

/// One event of a `text/event-stream`.
package struct ServerSentEvent: Sendable {
    /// A client that reconnects sends the last one back, in the header `Last-Event-ID`.
    package var id: String?
    /// The name that the page listens for, or `nil` for `message`.
    package var event: String?
    /// Any text. It can have several lines.
    package var data: String

    package init(id: String? = nil, event: String? = nil, data: String) {
        self.id = id
        self.event = event
        self.data = data
    }

    /// The bytes to send.
    package var frame: ByteBuffer {
        var text = ""
        if let id { text += "id: \(Self.oneLine(id))\n" }
        if let event { text += "event: \(Self.oneLine(event))\n" }
        // A line break would end the field, so each line of the data is a field of its own.
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: Self.isLineBreak) {
            text += "data: \(line)\n"
        }
        // The empty line ends the event. Without it, the client waits for more fields.
        return ByteBuffer(string: text + "\n")
    }

    /// A comment, which clients ignore. It prevents proxies from closing a connection that looks idle.
    package static let keepAlive = ByteBuffer(string: ": keep-alive\n\n")

    /// Removes what cannot be in an `id` or an `event`. Otherwise a user's text could add fields to the stream.
    private static func oneLine(_ text: String) -> String { text.filter { !isLineBreak($0) && $0 != "\0" } }

    /// Only these three end a line of an event stream. Unicode's other line separators are ordinary text in it.
    private static func isLineBreak(_ character: Character) -> Bool {
        character == "\n" || character == "\r" || character == "\r\n"
    }
}
