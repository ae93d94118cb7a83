import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("heartbeat(every:on:)")
struct HeartbeatTests {
    private func beating(_ diagram: String, until end: Int = 20) -> [String] {
        timeline(of: diagram, until: end) { $0.heartbeat(every: .seconds(5), on: $1) { 0 } }.map {
            $0.replacing(", on its sender's thread", with: "")
        }
    }

    @Test("inserts a value after each silent interval")
    func inserts() {
        expect(beating(""), is: ["0 at 5", "0 at 10", "0 at 15", "0 at 20"])
        expect(beating("-1------2"), is: ["1 at 1", "0 at 6", "2 at 8", "0 at 13", "0 at 18"])
        expect(beating("1---2---3---4---|"), is: ["1 at 0", "2 at 4", "3 at 8", "4 at 12", "completed at 16"])
    }

    @Test("ends with the source")
    func ends() {
        for (mark, text) in [("|", "completed"), ("X", "error first"), ("!", "interrupted")] {
            expect(beating("------" + mark), is: ["0 at 5", "\(text) at 6"])
        }
    }

    @Test("traps unless the interval is positive")
    func zero() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.heartbeat(every: .seconds(-1), on: QueueScheduler()) { 0 }
        }
        result.expectTrap("heartbeat(every: -1.0 seconds)")
    }
}
