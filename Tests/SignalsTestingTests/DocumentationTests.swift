import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing
import XCTest

// Runs the examples in the documentation.

private func load(clock: some Clock<Duration>) async throws -> String {
    try await Task.sleep(for: .seconds(5), clock: clock)
    return "found"
}

@Suite("Test kit documentation")
struct DocumentationTests {
    @Test("an action runs when the time advances")
    func action() {
        let log = Log<String>()
        let scheduler = TestScheduler()
        scheduler.schedule(after: .seconds(5)) { log.append("five") }
        scheduler.advance(by: .seconds(4))
        #expect(log.all.isEmpty)
        scheduler.advance(by: .seconds(1))
        expect(log.all, is: ["five"])
    }

    @Test("a task sleeps on the same clock")
    func task() async throws {
        let scheduler = TestScheduler()
        try await scheduler.run {
            async let answer = load(clock: scheduler)
            await scheduler.advance(by: .seconds(5))
            let text = try await answer
            expect(text, is: "found")
        }
        try await scheduler.run {
            let source = scheduler.signal("a--", of: String.self)
            let recorder = source.debounce(.seconds(2), on: scheduler).record(on: scheduler)
            async let pause: Void = Task.sleep(for: .seconds(3), clock: scheduler)
            await scheduler.advance(by: .seconds(3))
            try await pause
            try recorder.expect("--a")
        }
    }

    @Test("a missing event is shown in the difference")
    func difference() throws {
        let scheduler = TestScheduler()
        let recorder = scheduler.signal("------|", of: Int.self).record(on: scheduler)
        scheduler.run()
        let difference = try #require(try recorder.difference(from: Marbles("----b-|", values: ["b": 2])))
        #expect(
            difference.description == """
                at 4.0 seconds: expected `b`, got nothing
                    expected: ----b-|
                    actual:   ------|
                                  ^
                """)
    }

    @Test("a probe counts a disposal")
    func probe() {
        let scheduler = TestScheduler()
        let probe = StreamProbe(on: scheduler)
        let requests = scheduler.producer("1", of: Int.self)
        let start = requests.probed(by: probe).flatMap(.latest) { SignalProducer<Int, Never>(value: $0) }.start()
        start.dispose()
        #expect(probe.starts == 1 && probe.disposals == 1 && probe.live == 0)
    }

    @Test("events that a source sends after its end have no effect")
    func unruly() {
        let scheduler = TestScheduler()
        let source = UnrulySource<Int, Never>([1, 2, 3], violations: [.endsTwice, .sendsAfterEnd])
        let recorder = source.producer.record(on: scheduler)
        expect(recorder.values, is: [1, 2, 3])
        expect(source.sent, is: 8)
    }
}

/// The same with XCTest.
final class TestKitUnderXCTest: XCTestCase {
    func testExpectations() throws {
        let scheduler = TestScheduler()
        let keys = scheduler.signal("a-b--c|", values: ["a": 1, "b": 2, "c": 3])
        let recorder = keys.debounce(.seconds(2), on: scheduler).record(on: scheduler)
        scheduler.advance(by: .seconds(10))
        try recorder.expect("----b-|", values: ["b": 2])
        XCTAssertThrowsError(try recorder.expect("---b--|", values: ["b": 2])) { error in
            XCTAssertTrue("\(error)".contains(": at 3.0 seconds: expected `b`, got nothing"), "\(error)")
        }
    }

    func testAsyncCode() async throws {
        let scheduler = TestScheduler()
        let text = try await scheduler.run {
            async let answer = load(clock: scheduler)
            await scheduler.advance(by: .seconds(5))
            return try await answer
        }
        XCTAssertEqual(text, "found")
    }
}
