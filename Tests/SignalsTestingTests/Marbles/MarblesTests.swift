import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("Marbles")
struct MarblesTests {
    /// The events as text: `1@2` for a value after two seconds.
    private func read<Value, Failure>(_ marbles: Marbles<Value, Failure>) -> [String] {
        marbles.events.map { "\($0.event.text)@\($0.time.offset.components.seconds)" }
    }

    @Test(
        "reads one frame per character",
        arguments: [
            ("", []),
            ("---", []),
            ("1", ["1@0"]),
            ("--1-2|", ["1@2", "2@4", "completed@5"]),
            ("12X", ["1@0", "2@1", "error first@2"]),
            ("12#", ["1@0", "2@1", "error first@2"]),
            ("-!", ["interrupted@1"]),
            (" - 1 - | ", ["1@1", "completed@3"]),
            ("1|--", ["1@0", "completed@1"]),
            ("-[12]-3", ["12@1", "3@3"]),
            ("[-12][7]", ["-12@0", "7@1"]),
            ("-(12|)", ["1@1", "2@1", "completed@1"]),
            ("-(12)-3", ["1@1", "2@1", "3@3"]),
            ("(-1)-(-12[-34]|)", ["-1@0", "-1@2", "2@2", "-34@2", "completed@2"]),
            ("( 1 2 )3", ["1@0", "2@0", "3@1"]),
        ] as [(String, [String])])
    func frames(text: String, expected: [String]) throws {
        let marbles = try Marbles<Int, TestError>(text, error: .first)
        expect(read(marbles), is: expected)
        expect(marbles.text, is: text)
    }

    @Test("uses the given frame length")
    func frameLength() throws {
        let marbles = try Marbles<Int, Never>("-1-(2|)", frame: .milliseconds(250))
        expect(marbles.frame, is: .milliseconds(250))
        expect(marbles.events.map(\.time.offset), is: [.milliseconds(250), .milliseconds(750), .milliseconds(750)])
    }

    @Test("looks up words in a dictionary, with a closure, or uses them as values")
    func values() throws {
        let dictionary: Marbles = try Marbles<Int, Never>("ab", values: ["a": 10, "b": 20, "a": 30])
        expect(dictionary.events.map(\.event), is: [.next(30), .next(20)])
        let computed: Marbles = try Marbles<Int, Never>("a[bcd]", values: MarbleValues { $0.count })
        expect(computed.events.map(\.event), is: [.next(1), .next(3)])
        let stored = MarbleValues(["x": true])
        #expect(try Marbles("x", values: stored).events.map(\.event) == [.next(true)])
        #expect(try Marbles<String, Never>("a[X y]").events.map(\.event) == [.next("a"), .next("X y")])
        #expect(try Marbles<Character, Never>("a7").events.map(\.event) == [.next("a"), .next("7")])
    }

    @Test(
        "reports the column of an error in a malformed text",
        arguments: [
            ("--(12", 3, "the group is not closed"),
            ("-()", 2, "the group is empty"),
            ("-( )", 2, "the group is empty"),
            ("1()", 2, "the group is empty"),
            ("(1(2))", 3, "a group cannot contain another group"),
            ("1)", 2, "no group is open"),
            ("1]", 2, "no bracket is open"),
            ("-[12", 2, "the bracket is not closed"),
            ("[]", 1, "the brackets are empty"),
            ("(1-)", 3, "no time passes in a group: a minus must be followed by a digit"),
            ("(-", 2, "no time passes in a group: a minus must be followed by a digit"),
            ("1|2", 3, "nothing can follow the terminal event in column 2"),
            ("(1|2)", 4, "nothing can follow the terminal event in column 3"),
            ("!X", 2, "nothing can follow the terminal event in column 1"),
            ("-1_2", 3, "`_` is not a symbol: write a value of that name in brackets"),
            ("--a", 3, "no value for `a`: pass it in `values: [\"a\": ...]`"),
            ("-[a]", 2, "no value for `a`: pass it in `values: [\"a\": ...]`"),
            ("1-X", 3, "the stream cannot fail, because no error is given"),
        ] as [(String, Int, String)])
    func malformed(text: String, column: Int, reason: String) {
        do throws(MarbleSyntaxError) {
            _ = try Marbles<Int, Never>(text, file: "Module/File.swift", line: 12)
            Issue.record("was read")
        } catch {
            let location = "Module/File.swift:12"
            expect(error, is: MarbleSyntaxError(text: text, column: column, reason: reason, location: location))
            #expect(error.description.hasPrefix("\(location): marbles, column \(column): \(reason)\n"))
        }
    }

    @Test("marks the column")
    func pointer() {
        #expect(
            MarbleSyntaxError(text: "--(12", column: 3, reason: "the group is not closed").description == """
                marbles, column 3: the group is not closed
                    --(12
                      ^
                """)
    }

    @Test("traps unless the frame is positive")
    func badFrame() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try? Marbles<Int, Never>("1", frame: .zero)
        }
        result.expectTrap("Marbles(frame: 0.0 seconds): the frame must be positive")
        let expectation = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Signal<Int, Never>.never.record(on: TestScheduler()).expect("1", frame: .zero)
        }
        expectation.expectTrap("Marbles(frame: 0.0 seconds): the frame must be positive")
        let drawing = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.record(on: TestScheduler()).marbles(frame: .zero)
        }
        drawing.expectTrap("marbles(frame: 0.0 seconds): the frame must be positive")
    }
}
