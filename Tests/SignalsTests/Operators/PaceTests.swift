import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("pace(every:on:buffer:whenFull:)")
struct PaceTests {
    private func paced(_ diagram: String, buffer limit: Int = 9, _ overflow: Overflow = .fail) -> [String] {
        timeline(of: diagram) {
            $0.pace(every: .seconds(3), on: $1, buffer: limit, whenFull: overflow, raising: .second)
        }
    }

    @Test("spaces the values without dropping any")
    func spaces() {
        expect(paced("123----4"), is: ["1 at 0", "2 at 3", "3 at 6", "4 at 9"])
        expect(paced("1-----2-----3"), is: ["1 at 0", "2 at 6", "3 at 12"])
    }

    @Test("completes after the last value, and fails at once")
    func ends() {
        expect(paced("12|"), is: ["1 at 0", "2 at 3", "completed at 3"])
        expect(paced("1-|"), is: ["1 at 0", "completed at 2"])
        expect(paced("12X"), is: ["1 at 0", "error first at 2"])
        expect(paced("12!"), is: ["1 at 0", "interrupted at 2"])
    }

    @Test("limits its buffer")
    func limit() {
        expect(paced("12345", buffer: 2, .dropOldest), is: ["1 at 0", "2 at 3", "4 at 6", "5 at 9"])
        expect(paced("1234", buffer: 2, .dropNewest), is: ["1 at 0", "2 at 3", "3 at 6", "4 at 9"])
        expect(paced("1-2345", buffer: 2, .dropNewest), is: ["1 at 0", "2 at 3", "3 at 6", "4 at 9"])
        expect(paced("12-34567", buffer: 2, .fail), is: ["1 at 0", "2 at 3", "error second at 5"])
    }

    @Test("ends on its scheduler, and drops pending values when it is disposed of")
    func disposal() {
        expectEndsOnScheduler { $0.pace(every: .seconds(3), on: $1, buffer: 2, whenFull: .dropOldest) }
        expectDropsPending { $0.pace(every: .seconds(3), on: $1, buffer: 2, whenFull: .dropOldest) }
    }

    @Test("traps on invalid arguments")
    func badInput() async throws {
        let interval = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.pace(every: .zero, on: QueueScheduler(), buffer: 1, whenFull: .dropOldest)
        }
        interval.expectTrap("pace(every: 0.0 seconds)")
        let limit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.pace(
                every: .seconds(1), on: QueueScheduler(), buffer: -1, whenFull: .dropOldest)
        }
        limit.expectTrap("pace(buffer: -1)")
    }
}
