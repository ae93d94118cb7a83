import ExamplesKit
import TestSupport
import Testing

@testable import VitalsKit

@Suite("The command line")
struct OptionsTests {
    @Test("shows /proc once per second by default")
    func nothing() throws {
        let options = try #require(try Options.parse([]))
        expect(options, is: Options())
        expect(options.root, is: "/proc")
        expect(options.milliseconds, is: 1000)
        #expect(options.samples == nil)
    }

    @Test("accepts values after a space or an equals sign, and uses the last one")
    func values() throws {
        let arguments = ["--samples", "9", "--interval=250", "--root", "a=b", "--json", "--samples=5", "--json"]
        var expected = Options()
        expected.format = .json
        expected.samples = 5
        expected.milliseconds = 250
        expected.root = "a=b"
        #expect(try Options.parse(arguments) == expected)
    }

    @Test("recognizes the request for help", arguments: [["--help"], ["-h"], ["--plain", "--help", "--bogus"]])
    func help(_ arguments: [String]) throws {
        #expect(try Options.parse(arguments) == nil)
    }

    @Test(
        "reports an error in one line",
        arguments: [
            (["--bogus"], "unknown option \"--bogus\""),
            (["-x"], "unknown option \"-x\""),
            (["--bogus=1"], "unknown option \"--bogus=1\""),
            (["stat"], "unknown argument \"stat\""),
            ([""], "unknown argument \"\""),
            (["a\nb\u{1B}"], "unknown argument \"a?b?\""),
            (["--plain=1"], "--plain takes no value"),
            (["--plain", "--json"], "--plain and --json cannot be combined"),
            (["--samples"], "--samples needs a number"),
            (["--samples", "five"], "--samples needs a whole number from 1 to 1000000000, not \"five\""),
            (["--samples", "0"], "--samples needs a whole number from 1 to 1000000000, not \"0\""),
            (["--samples", "-1"], "--samples needs a whole number from 1 to 1000000000, not \"-1\""),
            (["--samples=1.5"], "--samples needs a whole number from 1 to 1000000000, not \"1.5\""),
            (["--samples="], "--samples needs a whole number from 1 to 1000000000, not \"\""),
            (
                ["--samples", "99999999999999999999"],
                "--samples needs a whole number from 1 to 1000000000, not \"99999999999999999999\""
            ),
            (["--interval", "9"], "--interval needs a whole number from 10 to 86400000, not \"9\""),
            (["--interval"], "--interval needs a number of milliseconds"),
            (["--root"], "--root needs a directory"),
            (["--root="], "--root needs a directory"),
        ])
    func wrong(_ arguments: [String], _ message: String) {
        #expect(throws: UsageError(description: message)) { try Options.parse(arguments) }
    }

    @Test("lists every option in a help text that fits a terminal")
    func helpText() {
        for option in ["--samples", "--interval", "--plain", "--json", "--root", "--help"] {
            #expect(Options.help.contains("  \(option)"))
        }
        #expect(Options.help.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }
}
