import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("timestamped(on:) and timeInterval(on:)")
struct TimestampedTests {
    @Test("attaches the instant of each value")
    func instants() {
        expect(
            timeline(of: "1--2X") { source, scheduler in
                source.timestamped(on: scheduler).map { "\($0.value) with \($0.instant.offset)" }
            },
            is: [
                "1 with 0.0 seconds at 0, on its sender's thread", "2 with 3.0 seconds at 3, on its sender's thread",
                "error first at 4, on its sender's thread",
            ])
    }

    @Test("attaches the time since the previous value, or since the call for the first value")
    func intervals() {
        expect(
            timeline(of: "-1--2|") { source, scheduler in
                source.timeInterval(on: scheduler).map { "\($0.value) after \($0.interval)" }
            },
            is: [
                "1 after 1.0 seconds at 1, on its sender's thread", "2 after 3.0 seconds at 4, on its sender's thread",
                "completed at 5, on its sender's thread",
            ])
    }
}
