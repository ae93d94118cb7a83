import ExamplesKit
import TestSupport
import Testing

@testable import LineCountKit

@Suite("The command line of LineCount")
struct LineCountOptionsTests {
    @Test("uses all processors by default")
    func nothing() throws {
        let options = try #require(try Options.parse(["a"]))
        expect(options, is: Options(directory: "a"))
        expect(options.limit, is: System.processorCount)
        #expect(!options.isJSON)
    }

    @Test("accepts values after a space or an equals sign, and the directory anywhere")
    func values() throws {
        var expected = Options(directory: "-a")
        expected.isJSON = true
        expected.limit = 3
        expected.retries = 0
        expected.selection = Selection(excluded: ["*.o", "!x"], followsIgnoreFiles: false)
        let selection = ["--exclude", "*.o", "--no-ignore", "--exclude=!x"]
        #expect(
            try Options.parse(selection + ["--limit", "5", "--json", "--limit=3", "--retries=0", "--", "-a"])
                == expected)
        #expect(try Options.parse(["b", "--compare"])?.compares == true)
    }

    @Test("recognizes the request for help", arguments: [["--help"], ["-h"], [".", "--help", "--bogus"]])
    func help(_ arguments: [String]) throws {
        #expect(try Options.parse(arguments) == nil)
    }

    @Test(
        "reports an error in one line",
        arguments: [
            ([], "a directory is required"), ([""], "a directory is required"), (["--json"], "a directory is required"),
            (["--bogus", "."], "unknown option \"--bogus\""), (["-x"], "unknown option \"-x\""),
            ([".", "a\nb"], "unexpected argument \"a?b\""),
            (["--json=1", "."], "--json takes no value"),
            (["--limit"], "--limit needs a number"), (["--exclude"], "--exclude needs a pattern"),
            (["--exclude", "", "."], "--exclude needs a pattern"),
            (["--no-ignore=1", "."], "--no-ignore takes no value"),
            (["--limit", "x"], "--limit needs a whole number from 1 to 256, not \"x\""),
            (["--limit=0"], "--limit needs a whole number from 1 to 256, not \"0\""),
            (["--retries=-1"], "--retries needs a whole number from 0 to 1000000, not \"-1\""),
            (["--compare", "--json", "."], "--compare and --json cannot be combined"),
        ])
    func wrong(_ arguments: [String], _ message: String) {
        #expect(throws: UsageError(description: message)) { try Options.parse(arguments) }
    }

    @Test("lists every option in a help text that fits a terminal")
    func helpText() {
        for option in ["--json", "--exclude", "--no-ignore", "--limit", "--retries", "--compare", "--help"] {
            #expect(Options.help.contains("  \(option)"))
        }
        #expect(Options.help.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }
}
