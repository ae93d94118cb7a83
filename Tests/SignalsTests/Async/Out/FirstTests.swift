import ReactiveSignals
import TestSupport
import Testing

@Suite("first() of signals", .watched)
struct FirstTests {
    @Test("returns the next value and stops observing")
    func value() {
        let waiting = Waiting<Int> { signal throws(TestError) in try await signal.first() }
        expect(waiting.after(.next(4), .next(5)), is: [.value(4)])
        #expect(!waiting.isObserving)
    }

    @Test("returns nil when the signal completes")
    func completion() {
        let waiting = Waiting<Int> { signal throws(TestError) in try await signal.first() }
        expect(waiting.after(.completed), is: [.value(nil)])
    }

    @Test("throws errors, and returns nil when interrupted or cancelled")
    func rest() { expectRetrieves { signal throws(TestError) in try await signal.first() } }

    @Test("needs no try when the signal cannot fail")
    func infallible() async {
        #expect(await Signal<Int, Never>.empty.first() == nil)
    }
}
