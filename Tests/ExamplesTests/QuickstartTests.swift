import Foundation
import TestSupport
import Testing

@testable import Quickstart

@Suite("Quickstart, run as a program")
struct QuickstartTests {
    @Test("shows every example with its code and its output, and ends with code 0")
    func everything() throws {
        let result = try runProcess("Quickstart", ["--all"])
        expect(result.exitCode, is: 0)
        expect(result.errors, is: "")
        #expect(!result.output.contains("✗"))
        let shown = """
            observers: one of two observers is disposed of

                let (endless, input) = Signal<Int, Never>.pipe()
                let first = endless.observe { event in print("first: \\(event.value.map(String.init) ?? "\\(event)")") }
                endless.observe { event in
                    if let value = event.value { print("second: \\(value)") }
                }

                input.sendNext(1)
                first?.dispose()
                input.sendNext(2)

              prints
                first: 1
                second: 1
                second: 2

            """
        #expect(result.output.contains("\n\(shown)\n"))
        #expect(result.output.hasSuffix("\nAll 46 examples print what they should.\n"))
    }

    @Test("by default lists the chapters and shows the first example, all on one screen")
    func welcome() throws {
        let result = try runProcess("Quickstart")
        expect(result.exitCode, is: 0)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 40)
        for (index, chapter) in Chapter.all.enumerated() {
            let title = "\(index + 1). \(chapter.name)"
            #expect(lines.contains { $0.hasPrefix("  \(title) ") && $0.hasSuffix(" \(chapter.about)") }, "\(title)")
        }
        #expect(lines.contains("map: doubles each letter"))
        #expect(result.output.hasSuffix("\n  prints\n    AA BB CC DD EE FF GG HH II\n"))
    }

    @Test("shows a chapter by its number, and names the next one")
    func chapter() throws {
        let result = try runProcess("Quickstart", ["6"])
        #expect(result.output.hasPrefix("Actions\n=======\n"))
        #expect(
            result.output.hasSuffix(
                "\nAll 2 examples print what they should.\nNext: swift run Quickstart 7 (Sequences)\n"))
        expect(try runProcess("Quickstart", ["Actions"]).output, is: result.output)
        #expect(try runProcess("Quickstart", ["7"]).output.hasSuffix("\nAll 2 examples print what they should.\n"))
        #expect(try runProcess("Quickstart", ["zip"]).output.hasSuffix("\nThe example prints what it should.\n"))
    }

    @Test("introduces each chapter before its first example")
    func order() throws {
        let output = try runProcess("Quickstart", ["--all"]).output
        var rest = output[...]
        for chapter in Chapter.all {
            let heading = "\(chapter.name)\n\(String(repeating: "=", count: chapter.name.count))\n\(chapter.about)\n\n"
            rest = rest[try #require(rest.range(of: heading)).upperBound...]
            for example in chapter.examples {
                #expect(rest.hasPrefix("\(example.name): \(example.title)\n\n"))
                let output = try #require(rest.range(of: "\n  prints\n"))
                let end = try #require(rest[output.upperBound...].range(of: "\n\n"))
                rest = rest[end.upperBound...]
            }
        }
        expect(Chapter.all.first?.name, is: "Signals")
    }

    @Test("runs the requested examples and chapters, in the order of the tour")
    func chosen() throws {
        let result = try runProcess("Quickstart", ["actions", "COMBINELATEST", "map"])
        let titles = result.output.split(separator: "\n").compactMap { line in
            line.first?.isLetter == true && line.contains(": ") ? line.split(separator: ":").first : nil
        }
        expect(titles, is: ["map", "combineLatest", "action", "log-in"])
        #expect(result.output.hasSuffix("\nAll 4 examples print what they should.\n"))
    }

    @Test("lists the examples without running them")
    func list() throws {
        let result = try runProcess("Quickstart", ["--list"])
        expect(result.exitCode, is: 0)
        #expect(result.output.hasPrefix("1. Signals\n  map: doubles each letter\n"))
        #expect(!result.output.contains("prints"))
        #expect(
            try runProcess("Quickstart", ["--list", "zip"]).output
                == "3. Combining\n  zip: pairs of values, and operators after them\n")
    }

    @Test("has unique names of examples, distinct from those of chapters")
    func unique() {
        let names = Chapter.all.flatMap { [$0.name] + $0.examples.map(\.name) }.map { $0.lowercased() }
        expect(Set(names).count, is: names.count)
        expect(Chapter.all.flatMap(\.examples).count, is: 46)
    }

    @Test("prints the help")
    func help() throws {
        for option in ["-h", "--help"] {
            let result = try runProcess("Quickstart", [option])
            expect(result.exitCode, is: 0)
            #expect(result.output.contains("USAGE: Quickstart [--all | --list] [NAME ...]"))
        }
    }

    @Test(
        "ends with code 64 and one line on an unknown argument",
        arguments: [
            ("EX-14", "Quickstart: unknown example \"EX-14\"; --list names the examples\n"),
            ("--verbose", "Quickstart: unknown option \"--verbose\"\n"),
            ("8", "Quickstart: unknown example \"8\"; --list names the examples\n"),
            ("a\nb", "Quickstart: unknown example \"a\\nb\"; --list names the examples\n"),
        ])
    func unknown(argument: String, message: String) throws {
        let result = try runProcess("Quickstart", [argument])
        expect(result, is: ProcessResult(exitCode: 64, output: "", errors: message))
    }

    @Test("detects every kind of difference")
    func differences() {
        func outcome(printing lines: String...) -> Outcome {
            WorkedExample("test", "a test", prints: "one", "two") { print in
                for line in lines { print(line) }
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
                test: a test


                  prints
                    one
                  ✗ 2       expected: two
                  ✗ three   expected: (nothing)
                """)
    }

    @Test("prints like the standard library's `print`")
    func printer() {
        let print = Printer()
        expect(print.lines, is: [])
        print(1, terminator: " ")
        print("a")
        print("")
        print("b\nc", terminator: " ")
        expect(print.lines, is: ["1 a", "", "b", "c"])
    }

    /// The lines between the braces of an example in the source, found independently of
    /// `Scripts/quickstart-listings`.
    private func source(of name: String, in lines: [String]) throws -> String {
        let head = try #require(lines.firstIndex { $0.hasPrefix("                \"\(name)\", ") })
        let begin = try #require(lines[head...].firstIndex { $0.hasSuffix(" print in") }) + 1
        let end = try #require(lines[begin...].firstIndex { $0 == "            }," })
        return lines[begin..<end].map { line in
            #expect(line.isEmpty || line.hasPrefix(String(repeating: " ", count: 16)))
            return String(line.dropFirst(16))
        }
        .joined(separator: "\n")
    }

    @Test("shows the code that it runs: run Scripts/quickstart-listings if this fails")
    func listings() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Examples/Quickstart").standardized
        for chapter in Chapter.all {
            let text = try String(contentsOf: folder.appendingPathComponent("\(chapter.name).swift"), encoding: .utf8)
            let lines = text.components(separatedBy: "\n")
            for example in chapter.examples {
                #expect(try example.listing == source(of: example.name, in: lines), "\(example.name)")
            }
        }
        expect(Set(Listings.code.keys), is: Set(Chapter.all.flatMap(\.examples).map(\.name)))
    }
}
