import ReactiveSignals
import TestSupport
import Testing

@Suite("last() of signals", .watched)
struct LastTests {
    @Test("returns the last value when the signal completes")
    func value() {
        let waiting = Waiting<Int> { signal throws(TestError) in try await signal.last() }
        expect(waiting.after(.next(4), .next(5)), is: [])
        expect(waiting.after(.completed), is: [.value(5)])
    }

    @Test("returns nil when there was no value")
    func none() {
        let waiting = Waiting<Int> { signal throws(TestError) in try await signal.last() }
        expect(waiting.after(.completed), is: [.value(nil)])
    }

    @Test("throws the error even after values, and returns nil for an interruption")
    func endings() {
        let failing = Waiting<Int> { signal throws(TestError) in try await signal.last() }
        expect(failing.after(.next(4), .error(.first)), is: [.error(.first)])
        let interrupted = Waiting<Int> { signal throws(TestError) in try await signal.last() }
        expect(interrupted.after(.next(4), .interrupted), is: [.value(nil)])
    }

    @Test("throws errors, and returns nil when interrupted or cancelled")
    func rest() { expectRetrieves { signal throws(TestError) in try await signal.last() } }
}
