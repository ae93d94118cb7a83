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
        let requests = ["tea", "salt", "oil"].map { quote.apply($0).record(on: scheduler) }
        await scheduler.advance(by: .seconds(10))
        #expect(requests.allSatisfy { $0.terminal == .error(.producerError(.timeout)) })
        #expect(requests.map { "\($0.events[0].time)" } == ["3.3 seconds", "3.3 seconds", "6.6 seconds"])
    }
}
