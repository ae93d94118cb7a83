package import ReactiveSignals

/// A tap that writes what it is notified of into a log: `begin start request`, `next 1`, `end`.
package struct RecordingTap: StreamTap {
    package let log: Log<String>
    private let prefix: String

    /// - Parameter prefix: Distinguishes several taps with the same log.
    package init(_ log: Log<String>, _ prefix: String = "") {
        self.log = log
        self.prefix = prefix
    }

    private func note(_ text: String) { log.append(prefix + text) }

    package func begin(_ stream: TappedStream) -> TappedStream {
        note("begin \(stream.kind) \(stream.name)")
        return stream
    }

    package func run(_ work: () -> Void, in stream: TappedStream) {
        note("run")
        work()
        note("ran")
    }

    package func event<Value, Failure>(_ event: Event<Value, Failure>, in stream: TappedStream) {
        note(event.isTerminating ? event.text : "next \(event.text)")
    }

    package func waiting(_ waiting: StreamWaiting, in stream: TappedStream) {
        switch waiting {
        case .began(let kind): note("began to wait: \(kind)")
        case .ended(let kind): note("stopped waiting: \(kind)")
        }
    }

    package func end(_ stream: TappedStream) { note("end") }
}
