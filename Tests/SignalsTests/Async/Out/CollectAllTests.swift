import ReactiveSignals
import TestSupport
import Testing

@Suite("collect() of signals, awaited", .watched)
struct CollectAllTests {
    @Test("returns all values when the signal completes")
    func values() {
        let waiting = Waiting<[Int]> { signal throws(TestError) in try await signal.collect() }
        #expect(waiting.after(.next(4), .next(5), .next(4)) == [])
        #expect(waiting.after(.completed) == [.value([4, 5, 4])])
    }

    @Test("returns an empty array when there were none")
    func none() {
        let waiting = Waiting<[Int]> { signal throws(TestError) in try await signal.collect() }
        #expect(waiting.after(.completed) == [.value([])])
    }

    @Test("discards what has come when the signal does not complete")
    func endings() {
        let failing = Waiting<[Int]> { signal throws(TestError) in try await signal.collect() }
        #expect(failing.after(.next(4), .error(.first)) == [.error(.first)])
        let interrupted = Waiting<[Int]> { signal throws(TestError) in try await signal.collect() }
        #expect(interrupted.after(.next(4), .interrupted) == [.value(nil)])
    }

    @Test("throws errors, and returns nil when interrupted or cancelled")
    func rest() { expectRetrieves { signal throws(TestError) in try await signal.collect() } }

    @Test("is still the operator where the result is used as a signal")
    func operators() async {
        let (signal, input) = Source.pipe()
        let collected: Signal<[Int], TestError> = signal.collect()
        let log = collected.map(\.count).logged()
        input.sendNext(1)
        input.sendCompleted()
        #expect(log.all == ["1", "completed"])
    }
}
