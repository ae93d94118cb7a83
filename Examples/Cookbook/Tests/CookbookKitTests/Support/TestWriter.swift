import HTTPTypes
import HummingbirdCore
import NIOCore
import ReactiveSignals
import ReactiveSignalsTesting

/// The body of a response, in memory. A write can take some virtual time, as it does with a slow client.
struct TestWriter: ResponseBodyWriter {
    let written = MutableProperty("")
    var delay = Duration.zero
    var clock = TestScheduler()

    func write(_ buffer: ByteBuffer) async throws {
        try await Task.sleep(for: delay, clock: clock)
        written.modify { $0 += String(buffer: buffer) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
