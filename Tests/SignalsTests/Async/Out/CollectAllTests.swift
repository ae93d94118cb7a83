import ReactiveSignals
import TestSupport
import Testing

@Suite("collectAll() of signals", .watched)
struct CollectAllTests {
    @Test("returns all values when the signal completes")
    func values() {
        let waiting = Waiting<[Int]> { signal throws(TestError) in try await signal.collectAll() }
        expect(waiting.after(.next(4), .next(5), .next(4)), is: [])
        expect(waiting.after(.completed), is: [.value([4, 5, 4])])
    }

    @Test("returns an empty array when there were no values")
    func none() {
        let waiting = Waiting<[Int]> { signal throws(TestError) in try await signal.collectAll() }
        expect(waiting.after(.completed), is: [.value([])])
    }

    @Test("discards the values when the signal does not complete")
    func endings() {
        let failing = Waiting<[Int]> { signal throws(TestError) in try await signal.collectAll() }
        expect(failing.after(.next(4), .error(.first)), is: [.error(.first)])
        let interrupted = Waiting<[Int]> { signal throws(TestError) in try await signal.collectAll() }
        expect(interrupted.after(.next(4), .interrupted), is: [.value(nil)])
    }

    @Test("throws errors, and returns nil when interrupted or cancelled")
    func rest() { expectRetrieves { signal throws(TestError) in try await signal.collectAll() } }

    @Test("leaves the operator available in async functions")
    func operators() async {
        let (signal, input) = Source.pipe()
        let collected = signal.collect()
        let log = collected.map(\.count).logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["1", "completed"])
    }
}
