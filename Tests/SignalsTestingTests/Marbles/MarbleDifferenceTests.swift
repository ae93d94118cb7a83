import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// An error that is not equatable.
private struct Opaque: Error {
    let number: Int
}

@Suite("Marble expectations")
struct MarbleDifferenceTests {
    /// A recorder of a diagram's events.
    private func recorder(of text: String, error: TestError = .first) -> TestObserver<Int, TestError> {
        let scheduler = TestScheduler()
        scheduler.advance(by: .seconds(3))
        let recorder = scheduler.producer(text, of: Int.self, error: error).record(on: scheduler)
        scheduler.run()
        return recorder
    }

    private func difference(_ expected: String, _ actual: String) throws -> String? {
        try recorder(of: actual).difference(from: Marbles(expected, error: .first))?.description
    }

    @Test(
        "find no difference between equal diagrams",
        arguments: ["", "--", "1-2|", "(12)-!", "-[123]X", "(-1)(12|)", "1 2 | ---"])
    func same(text: String) throws {
        let recorder = recorder(of: text)
        #expect(try recorder.difference(from: Marbles(text, error: .first)) == nil)
        #expect(try recorder.matches(Marbles(text, error: .first)))
        try recorder.expect(text, error: .first)
    }

    @Test("draw both diagrams with a mark at the first difference")
    func drawn() throws {
        #expect(
            try difference("--1-2|", "--1--2|") == """
                at 4.0 seconds: expected `2`, got nothing
                    expected: --1-2|
                    actual:   --1--2|
                                  ^
                """)
    }

    @Test("use a value's word on both sides, even if the expected diagram does not contain it")
    func wordsOfBothSides() throws {
        struct Job: Equatable { let name: String, attempts: [Int] }
        let scheduler = TestScheduler()
        let one = Job(name: "one", attempts: [1, 2, 3])
        let two = Job(name: "two", attempts: [])
        let jobs: MarbleValues<Job> = ["a": one, "b": two, "c": two]
        let recorder = scheduler.signal("-a-b|", values: jobs).record(on: scheduler)
        scheduler.run()
        let difference = try recorder.difference(from: Marbles("-a-a|", values: jobs))
        expect(difference?.reason, is: "expected `a`, got `b`")
        expect(difference?.expected, is: "-a-a|")
        expect(difference?.actual, is: "-a-b|")
        // The word in the expected diagram takes precedence.
        expect(try recorder.difference(from: Marbles("-b-c|", values: jobs))?.actual, is: "-a-b|")
        // A closure provides no words other than the diagram's.
        let same = MarbleValues<Job> { _ in one }
        expect(try recorder.difference(from: Marbles("-a-a|", values: same))?.actual.contains("two"), is: true)
    }

    @Test("report missing, different and unexpected events")
    func reasons() throws {
        #expect(try difference("-1|", "-2|")?.hasPrefix("at 1.0 seconds: expected `1`, got `2`\n") == true)
        #expect(
            try difference("-1|", "-1")?.hasPrefix("at 2.0 seconds: expected the completion, got nothing\n") == true)
        #expect(
            try difference("-1", "-1!")?.hasPrefix("at 2.0 seconds: expected nothing, got the interruption\n") == true)
        #expect(try difference("(12)", "(21)")?.hasPrefix("at 0.0 seconds: expected `1`, `2`, got `2`, `1`\n") == true)
        #expect(try difference("1X", "1|")?.contains("expected the error first, got the completion") == true)
        let other = try recorder(of: "1X", error: .second).difference(from: Marbles("1X", error: .first))
        expect(other?.reason, is: "expected the error first, got the error second")
        expect(other?.time, is: .seconds(1))
        expect(other?.expected, is: "1X")
        expect(other?.actual, is: "1X")
    }

    @Test("align both diagrams when a frame takes several characters")
    func aligned() throws {
        #expect(
            try difference("-(12)-3", "-1-4-[56]") == """
                at 1.0 seconds: expected `1`, `2`, got `1`
                    expected: -(12)-3
                    actual:   -1   -4-[56]
                               ^
                """)
    }

    @Test("draw events between two frames with their times")
    func offGrid() throws {
        let scheduler = TestScheduler()
        let recorder = scheduler.producer("-1", of: Int.self, frame: .milliseconds(1_500)).record(on: scheduler)
        scheduler.run()
        let difference = try #require(try recorder.difference(from: Marbles("-1")))
        #expect(
            difference.description == """
                at 1.0 seconds: expected `1`, got nothing
                    expected: -1
                    actual:   -[1 at 1.5 seconds]
                               ^
                """)
    }

    @Test("determine the frame of an instant exactly, without floating-point errors")
    func exactFrames() throws {
        let scheduler = TestScheduler()
        let recorder = scheduler.producer("---1", of: Int.self, frame: .milliseconds(100)).record(on: scheduler)
        scheduler.run()
        let difference = try #require(try recorder.difference(from: Marbles("---2", frame: .milliseconds(100))))
        expect(difference.actual, is: "---1")
        expect(difference.expected, is: "---2")
    }

    @Test("use the diagram's words for equal values only")
    func words() throws {
        let scheduler = TestScheduler()
        let recorder = scheduler.producer("ab", values: ["a": 7, "b": 5]).record(on: scheduler)
        scheduler.run()
        let difference = try #require(
            try recorder.difference(from: Marbles("ca", values: ["a": 7, "c": 1])))
        expect(difference.actual, is: "a5")
        let texts = scheduler.producer("x", values: ["x": "a"]).record(on: scheduler)
        scheduler.run()
        // In the diagram, `a` is another value.
        let confusing = try #require(try texts.difference(from: Marbles("a", values: ["a": "b"])))
        expect(confusing.expected, is: "a")
        expect(confusing.actual, is: "[a']")
        let special = scheduler.producer("x", values: ["x": "X"]).record(on: scheduler)
        scheduler.run()
        let bracketed = try #require(try special.difference(from: Marbles("-", values: MarbleValues { $0 })))
        expect(bracketed.actual, is: "[X]")
    }

    @Test("draw only a section of a long diagram")
    func long() throws {
        let difference = try #require(
            try difference(String(repeating: "-", count: 500) + "1", String(repeating: "-", count: 501) + "1"))
        let lines = difference.split(separator: "\n")
        expect(lines[0], is: "at 500.0 seconds: expected `1`, got nothing")
        expect(lines[1], is: "    expected: ..." + String(repeating: "-", count: 40) + "1")
        expect(lines[2], is: "    actual:   ..." + String(repeating: "-", count: 41) + "1")
        expect(lines[3], is: String(repeating: " ", count: 57) + "^")
        let far = try #require(try self.difference("1", "2" + String(repeating: "-", count: 200) + "3"))
        expect(far.split(separator: "\n")[2], is: "    actual:   2" + String(repeating: "-", count: 40) + "...")
    }

    @Test("compare errors that are not equatable by their text")
    func opaqueErrors() throws {
        let scheduler = TestScheduler()
        let recorder = scheduler.producer("X", values: [:] as MarbleValues<Int>, error: Opaque(number: 1))
            .record(on: scheduler)
        scheduler.run()
        try recorder.expect("X", error: Opaque(number: 1))
        #expect(throws: MarbleDifference.self) { try recorder.expect("X", error: Opaque(number: 2)) }
    }

    @Test("throw the difference, or the syntax error in the text")
    func thrown() {
        let recorder = recorder(of: "-1|")
        #expect(throws: MarbleDifference.self) { try recorder.expect("-2|") }
        #expect(throws: MarbleSyntaxError.self) { try recorder.expect("-(2|") }
        #expect(throws: Never.self) { try recorder.expect("-a|", values: ["a": 1]) }
    }

    @Test("report the failing call's location")
    func location() throws {
        let recorder = recorder(of: "-1|")
        let marbles = try Marbles<Int, TestError>("-2|")
        #expect(recorder.difference(from: marbles)?.location == nil)
        let line = #line + 1
        let calls: [() throws -> Void] = [
            { try recorder.expect("-2|") },
            { try recorder.expect("-b|", values: ["b": 2]) },
            { try recorder.expect(marbles) },
        ]
        for (index, call) in calls.enumerated() {
            let location = "SignalsTestingTests/MarbleDifferenceTests.swift:\(line + 1 + index)"
            let difference = try #require(#expect(throws: MarbleDifference.self) { try call() })
            #expect(difference.location == location)
            #expect(difference.description.hasPrefix("\(location): at 1.0 seconds: expected"))
        }
        let error = #expect(throws: MarbleSyntaxError.self) { try recorder.expect("-(2|") }
        #expect(error?.location == "SignalsTestingTests/MarbleDifferenceTests.swift:\(#line - 1)")
    }

    @Test("read and draw t and f as true and false")
    func conditions() throws {
        let scheduler = TestScheduler()
        let recorder = scheduler.signal("t-f-[true]|", of: Bool.self).record(on: scheduler)
        scheduler.run()
        expect(recorder.values, is: [true, false, true])
        expect(recorder.description, is: "t-f-t|")
        try recorder.expect("t-f-t|")
        try recorder.expect("[true]-[false]-t|")
        try recorder.expect("f-t-f|", values: ["f": true, "t": false])
        let texts = scheduler.signal("tf", of: String.self).record(on: scheduler)
        scheduler.run()
        expect(texts.values, is: ["t", "f"])
        #expect(throws: MarbleSyntaxError.self) { try Marbles<Int, Never>("t") }
    }

    @Test("draw an optional as its content")
    func optionals() throws {
        let scheduler = TestScheduler()
        let values: MarbleValues<Int?> = ["a": 1, "b": 12, "c": nil]
        let recorder = scheduler.signal("a-b-c|", values: values).record(on: scheduler)
        scheduler.run()
        expect(recorder.description, is: "1-[12]-[nil]|")
        let conditions: MarbleValues<Bool??> = ["a": true]
        let nested = scheduler.signal("a|", values: conditions).record(on: scheduler)
        scheduler.run()
        expect(nested.description, is: "t|")
    }

    @Test("work as documented")
    func documented() throws {
        let scheduler = TestScheduler()
        let keys = scheduler.signal("a-b--c|", values: ["a": 1, "b": 2, "c": 3])
        let recorder = keys.debounce(.seconds(2), on: scheduler).record(on: scheduler)
        scheduler.advance(by: .seconds(10))
        try recorder.expect("----b-|", values: ["b": 2])
    }
}
