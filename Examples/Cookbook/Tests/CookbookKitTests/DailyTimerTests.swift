import CookbookKit
import Foundation
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

@Suite("A daily timer")
struct DailyTimerTests {
    private let scheduler = TestScheduler()

    /// Starts a timer for 02:00. The recorder has the occurrences, and the virtual times at which they were sent.
    private func record(_ clock: TestWallClock, zone: String = "GMT") throws -> TestObserver<Date, Never> {
        let time = DailyTime(hour: 2, in: try #require(TimeZone(identifier: zone)))
        return DailyTimer(time, wallClock: { clock.now }, on: scheduler).occurrences.record(on: scheduler)
    }

    private func dates(_ recorder: TestObserver<Date, Never>) -> [String] {
        recorder.values.map { $0.formatted(.iso8601) }
    }

    @Test("sends each day's occurrence when it is due")
    func daily() throws {
        let recorder = try record(TestWallClock("2026-01-31T12:00:00Z", on: scheduler))
        scheduler.advance(by: .seconds(48 * 3600))
        #expect(dates(recorder) == ["2026-02-01T02:00:00Z", "2026-02-02T02:00:00Z"])
        #expect(recorder.events.map(\.time.offset) == [.seconds(14 * 3600), .seconds(38 * 3600)])
    }

    @Test("sends an occurrence that a jump has passed, once, within a minute")
    func forward() throws {
        let clock = try TestWallClock("2026-02-01T00:30:00Z", on: scheduler)
        let recorder = try record(clock)
        clock.jump(by: .seconds(3 * 3600))
        scheduler.advance(by: .seconds(60))
        #expect(dates(recorder) == ["2026-02-01T02:00:00Z"])
        scheduler.advance(by: .seconds(12 * 3600))
        #expect(recorder.values.count == 1)
    }

    @Test("sends nothing twice when the clock is set back")
    func back() throws {
        let clock = try TestWallClock("2026-02-01T01:30:00Z", on: scheduler)
        let recorder = try record(clock)
        scheduler.advance(by: .seconds(3600))
        clock.jump(by: .seconds(-2 * 3600))
        scheduler.advance(by: .seconds(3 * 3600))
        #expect(dates(recorder) == ["2026-02-01T02:00:00Z"])
        scheduler.advance(by: .seconds(24 * 3600))
        #expect(dates(recorder) == ["2026-02-01T02:00:00Z", "2026-02-02T02:00:00Z"])
    }

    @Test("waits longer if the clock is set back before the time has come")
    func earlier() throws {
        let clock = try TestWallClock("2026-02-01T01:30:00Z", on: scheduler)
        let recorder = try record(clock)
        clock.jump(by: .seconds(-3600))
        scheduler.advance(by: .seconds(5399))
        #expect(recorder.values.isEmpty)
        scheduler.advance(by: .seconds(1))
        #expect(dates(recorder) == ["2026-02-01T02:00:00Z"])
    }

    @Test("recovers from a date that was years off")
    func wrongDate() throws {
        let clock = try TestWallClock("2036-01-01T12:00:00Z", on: scheduler)
        let recorder = try record(clock)
        scheduler.advance(by: .seconds(3600))
        clock.jump(by: .seconds(-10 * 365 * 86_400))
        scheduler.advance(by: .seconds(86_400))
        #expect(recorder.values.count == 1)
    }

    @Test("sends once on the days on which daylight saving time begins and ends")
    func daylightSaving() throws {
        // 02:00 does not exist on March 29, and comes twice on October 25.
        let spring = try record(TestWallClock("2026-03-28T12:00:00Z", on: scheduler), zone: "Europe/Berlin")
        let autumn = try record(TestWallClock("2026-10-24T12:00:00Z", on: scheduler), zone: "Europe/Berlin")
        scheduler.advance(by: .seconds(35 * 3600))
        #expect(dates(spring) == ["2026-03-29T01:00:00Z"])
        #expect(dates(autumn) == ["2026-10-25T00:00:00Z"])
    }

    @Test("leaves nothing scheduled when it is disposed of")
    func disposal() throws {
        let recorder = try record(TestWallClock("2026-02-01T01:00:00Z", on: scheduler))
        recorder.dispose()
        // Returns only if nothing repeats.
        scheduler.run()
        #expect(recorder.values.isEmpty)
    }
}
