import ReactiveSignals
import TestSupport
import Testing

@Suite("wait() of signals", .watched)
struct WaitTests {
    @Test("returns the terminal event", arguments: [Event<Int, TestError>.completed, .error(.second), .interrupted])
    func terminal(event: Event<Int, TestError>) {
        let waiting = Waiting<Event<Int, TestError>> { signal throws(TestError) in await signal.wait() }
        expect(waiting.after(.next(1), .next(2)), is: [])
        expect(waiting.after(event), is: [.value(event)])
    }

    @Test("returns an interruption when the task is cancelled, and disposes of the observation")
    func cancellation() {
        let waiting = Waiting<Event<Int, TestError>> { signal throws(TestError) in await signal.wait() }
        expect(waiting.afterCancelling(), is: [.value(.interrupted)])
        #expect(!waiting.isObserving)
    }

    @Test("returns an interruption if the signal has terminated or the task is already cancelled")
    func ended() async {
        #expect(await Source.empty.wait() == .interrupted)
        let waiting = Waiting<Event<Int, TestError>>(cancelled: true) { signal throws(TestError) in await signal.wait()
        }
        expect(waiting.log.all, is: [.value(.interrupted)])
    }
}
