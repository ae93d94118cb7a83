import ReactiveSignals
import ReactiveSignalsTesting
import Testing

@Test func failsAfterThreeAttempts() async {
    let scheduler = TestScheduler()
    await scheduler.run {
        let quote = quotes(on: scheduler) { _ in  // The supplier does not answer.
            try? await Task.sleep(for: .seconds(60), clock: scheduler)
            return 0
        }
        let requests = ["tea", "salt", "oil"].map { item in
            quote.apply(item).record(on: scheduler)
        }
        await scheduler.advance(by: .seconds(10))
        for request in requests {
            #expect(request.terminal == .error(.producerError(.timeout)))
        }
        let times = requests.map { "\($0.events[0].time)" }
        #expect(times == ["3.3 seconds", "3.3 seconds", "6.6 seconds"])
    }
}
