package import NIOCore
import Tracing

/// A message of an event stream, encoded once for all clients.
package struct Frame: Sendable {
    /// The number of the event in it; `nil` for other messages.
    package let sequence: Int?
    package let bytes: ByteBuffer
    /// The trace of the request that made the event; `nil` for other messages, and for an event from the database.
    let context: ServiceContext?

    private init(sequence: Int?, text: String, context: ServiceContext? = nil) {
        self.sequence = sequence
        self.context = context
        bytes = ByteBuffer(string: text)
    }

    package init(_ event: BoardEvent) { self.init(event, context: nil) }

    init(_ event: BoardEvent, context: ServiceContext?) {
        self.init(
            sequence: event.sequence,
            text: "id: \(event.sequence)\nevent: change\ndata: \(String(board: event))\n\n", context: context)
    }

    package init(_ snapshot: Snapshot) {
        self.init(
            sequence: nil, text: "id: \(snapshot.sequence)\nevent: snapshot\ndata: \(String(board: snapshot))\n\n")
    }

    /// The first message of a stream. It says how long a browser has to wait before it reconnects.
    static let greeting = Frame(sequence: nil, text: "retry: 2000\n: this is the live board\n\n")
    /// Keeps proxies from closing an idle connection.
    static let heartbeat = Frame(sequence: nil, text: ": heartbeat\n\n")
    /// The last message when the server shuts down.
    static let farewell = Frame(sequence: nil, text: ": the server is shutting down\n\n")

    /// The number of clients.
    static func watchers(_ count: Int) -> Frame { Frame(sequence: nil, text: "event: watchers\ndata: \(count)\n\n") }

    /// The last message for a client that was too slow. It has to reconnect to receive the events after `sequence`.
    static func resync(after sequence: Int) -> Frame {
        Frame(sequence: nil, text: "event: resync\ndata: {\"after\":\(sequence)}\n\n")
    }
}
