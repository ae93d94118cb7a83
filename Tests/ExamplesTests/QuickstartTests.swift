import Quickstart
import Testing

@Suite("The program Quickstart")
struct QuickstartTests {
    @Test("prints what the documents state, and ends with 0")
    func everything() throws {
        let result = try runProcess("Quickstart")
        #expect(result.exitCode == 0)
        #expect(result.errors == "")
        #expect(!result.output.contains("✗"))
        #expect(result.output.contains("EX-14  combineLatest: the latest of both, at any change\n"))
        #expect(result.output.contains("    ✓ B1 B2 C2 C3   B1 B2 C2 C3\n"))
        #expect(result.output.hasSuffix(" print what the documents state.\n"))
    }

    @Test("runs the examples that are asked for")
    func chosen() throws {
        let result = try runProcess("Quickstart", ["ex-5", "EX-4"])
        #expect(result.output.split(separator: "\n").filter { $0.hasPrefix("EX-") }.count == 2)
        #expect(result.output.hasSuffix("\nAll 2 print what the documents state.\n"))
    }

    @Test("lists them without running them")
    func list() throws {
        let result = try runProcess("Quickstart", ["--list"])
        #expect(result.exitCode == 0)
        #expect(result.output.contains("EX-5  filter: the even numbers\n"))
        #expect(!result.output.contains("✓"))
    }

    @Test("has one example of each number")
    func complete() throws {
        let ids = try runProcess("Quickstart", ["--list"]).output.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first.map(String.init)
        }
        #expect(ids.count == 46)
        #expect(Set(ids) == Set((1...46).map { "EX-\($0)" }))
    }

    @Test("helps")
    func help() throws {
        for option in ["-h", "--help"] {
            let result = try runProcess("Quickstart", [option])
            #expect(result.exitCode == 0)
            #expect(result.output.contains("usage: Quickstart [--list] [ID ...]"))
        }
    }

    @Test(
        "refuses what it does not know in one line, with 2",
        arguments: [
            ("EX-999", "Quickstart: there is no example \"EX-999\"; --list names them\n"),
            ("--verbose", "Quickstart: there is no option \"--verbose\"\n"),
            ("a\nb", "Quickstart: there is no example \"a\\nb\"; --list names them\n"),
        ])
    func unknown(argument: String, message: String) throws {
        let result = try runProcess("Quickstart", [argument])
        #expect(result == ProcessResult(exitCode: 2, output: "", errors: message))
    }

    @Test("sees every kind of difference")
    func differences() {
        func outcome(printing lines: String...) -> Outcome {
            WorkedExample("EX-0", "a test", prints: "one", "two") { out in
                for line in lines { out.line(line) }
            }
            .run()
        }
        #expect(outcome(printing: "one", "two").isAsExpected)
        #expect(!outcome(printing: "one").isAsExpected)
        #expect(!outcome(printing: "one", "two", "three").isAsExpected)
        #expect(!outcome(printing: "two", "one").isAsExpected)
        #expect(!outcome().isAsExpected)
        #expect(
            outcome(printing: "one", "2", "three").report == """
                EX-0  a test
                      printed   documented
                    ✓ one       one
                    ✗ 2         two
                    ✗ three     (nothing)
                """)
    }
}
