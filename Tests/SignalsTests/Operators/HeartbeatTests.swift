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

    @Test("does not count the time for which the observer handles a value, or an inserted one")
    func observerTime() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.heartbeat(every: .seconds(10), on: scheduler) { 0 }.observe { event in
            log.append("\(event.text) at \(scheduler.now.offset.components.seconds)")
            if event.value == 1 { scheduler.advance(by: .seconds(25)) }
        }
        input.sendNext(1)
        input.sendNext(2)
        scheduler.advance(by: .seconds(9))
        input.sendNext(1)
        expect(log.all, is: ["1 at 0", "2 at 25", "1 at 34"])
        scheduler.advance(by: .seconds(10))
        input.sendCompleted()
        expect(log.all.suffix(2), is: ["0 at 69", "completed at 69"])

        // An observer that takes 25 s for each inserted value.
        let (idle, idleInput) = Source.pipe()
        let beats = Log<String>()
        let clock = TestScheduler()
        idle.heartbeat(every: .seconds(10), on: clock) { 0 }.observe { event in
            beats.append("\(event.text) at \(clock.now.offset.components.seconds)")
            if event.value == 0, beats.count == 1 { clock.advance(by: .seconds(25)) }
        }
        clock.advance(by: .seconds(10))
        clock.advance(by: .seconds(10))
        idleInput.sendCompleted()
        expect(beats.all, is: ["0 at 10", "0 at 45", "completed at 45"])
    }

    @Test("traps unless the interval is positive")
    func zero() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.heartbeat(every: .seconds(-1), on: QueueScheduler()) { 0 }
        }
        result.expectTrap("heartbeat(every: -1.0 seconds)")
    }
}
