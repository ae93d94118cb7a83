package import NIOCore

/// A piece of an event stream, ready to be sent: made once, however many clients get it.
package struct Frame: Sendable {
    /// That of the event that it tells of; nil if it tells of something else.
    package let sequence: Int?
    package let bytes: ByteBuffer

    private init(sequence: Int?, text: String) {
        self.sequence = sequence
        bytes = ByteBuffer(string: text)
    }

    package init(_ event: BoardEvent) {
        self.init(
            sequence: event.sequence,
            text: "id: \(event.sequence)\nevent: change\ndata: \(String(board: event))\n\n")
    }

    package init(_ snapshot: Snapshot) {
        self.init(
            sequence: nil, text: "id: \(snapshot.sequence)\nevent: snapshot\ndata: \(String(board: snapshot))\n\n")
    }

    /// The first of a stream. Says how long a browser is to wait before it connects again.
    static let greeting = Frame(sequence: nil, text: "retry: 2000\n: this is the live board\n\n")
    /// Keeps proxies from taking the connection for dead.
    static let heartbeat = Frame(sequence: nil, text: ": heartbeat\n\n")
    /// The last one when the server is shut down.
    static let farewell = Frame(sequence: nil, text: ": the server is shutting down\n\n")

    /// How many clients there are.
    static func watchers(_ count: Int) -> Frame { Frame(sequence: nil, text: "event: watchers\ndata: \(count)\n\n") }

    /// The last one for a client that has been too slow: there is more after this event, to be had by a new connection.
    static func resync(after sequence: Int) -> Frame {
        Frame(sequence: nil, text: "event: resync\ndata: {\"after\":\(sequence)}\n\n")
    }
}
