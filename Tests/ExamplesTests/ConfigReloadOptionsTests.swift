import ExamplesKit
import TestSupport
import Testing

@testable import ConfigReloadKit

@Suite("The command line of ConfigReload")
struct ConfigReloadOptionsTests {
    @Test("watches the shipped file by default")
    func nothing() throws {
        let options = try #require(try Options.parse([]))
        expect(options.file, is: Options.shippedFile)
        #expect(!options.isOnce)
    }

    @Test(
        "accepts a file before or after the options",
        arguments: [["--once", "a.json"], ["a.json", "--once"], ["--once", "--", "a.json"]])
    func file(_ arguments: [String]) throws {
        var expected = Options()
        expected.file = "a.json"
        expected.isOnce = true
        #expect(try Options.parse(arguments) == expected)
    }

    @Test("treats arguments that only look like options as files", arguments: [["-"], ["--", "-"]])
    func odd(_ arguments: [String]) throws {
        #expect(try Options.parse(arguments)?.file == "-")
        #expect(try Options.parse(["--", "--once"])?.file == "--once")
    }

    @Test("recognizes the request for help", arguments: [["--help"], ["-h"], ["a.json", "--help", "--bogus"]])
    func help(_ arguments: [String]) throws {
        #expect(try Options.parse(arguments) == nil)
    }

    @Test(
        "reports an error in one line",
        arguments: [
            (["--bogus"], "unknown option \"--bogus\""),
            (["-x\n"], "unknown option \"-x?\""),
            (["--once=1"], "--once takes no value"),
            (["a", "b"], "unexpected argument \"b\""),
            ([""], "the file name is empty"),
        ])
    func wrong(_ arguments: [String], _ message: String) {
        #expect(throws: UsageError(description: message)) { try Options.parse(arguments) }
    }

    @Test("lists every option and key in a help text that fits a terminal")
    func helpText() {
        for word in ["--once", "--help"] + Key.allCases.map(\.rawValue) + LogLevel.allCases.map(\.rawValue) {
            #expect(Options.help.contains(word))
        }
        #expect(Options.help.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }
}
