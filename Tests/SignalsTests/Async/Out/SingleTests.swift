import ReactiveSignals
import TestSupport
import Testing

@Suite("single() of signals", .watched)
struct SingleTests {
    @Test("returns the single value when the signal completes, not before")
    func one() {
        let waiting = Waiting<Int> { signal throws(TestError) in try await signal.single() }
        expect(waiting.after(.next(4)), is: [])
        expect(waiting.after(.completed), is: [.value(4)])
    }

    @Test("returns nil when there was no value")
    func none() {
        let waiting = Waiting<Int> { signal throws(TestError) in try await signal.single() }
        expect(waiting.after(.completed), is: [.value(nil)])
    }

    @Test("returns nil at the second value and stops observing")
    func two() {
        let waiting = Waiting<Int> { signal throws(TestError) in try await signal.single() }
        expect(waiting.after(.next(4), .next(5)), is: [.value(nil)])
        #expect(!waiting.isObserving)
    }

    @Test("throws an error that comes after the one value")
    func failure() {
        let waiting = Waiting<Int> { signal throws(TestError) in try await signal.single() }
        expect(waiting.after(.next(4), .error(.first)), is: [.error(.first)])
    }

    @Test("throws errors, and returns nil when interrupted or cancelled")
    func rest() { expectRetrieves { signal throws(TestError) in try await signal.single() } }
}
