package import ArgumentParser
import Foundation

/// The command line.
package struct FetcherCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "Fetcher",
        abstract: "Fetches many addresses at the same time.",
        discussion: """
            Failed attempts are repeated after pauses that grow, and not before a server wants to be asked again \
            (Retry-After). A body that keeps coming may take until --total-timeout. Without --output what comes is counted and thrown away. \
            After Ctrl-C what is under way may end, and nothing new begins; a second Ctrl-C ends it at once.

            Exit codes: 0 all fetched, 1 some not, 2 usage, 130 interrupted.
            """)

    @Argument(help: ArgumentHelp("What to fetch: http or https.", valueName: "url"))
    package var urls: [String] = []

    @Option(
        help: ArgumentHelp(
            "Also fetch what this file lists, one address a line; - is standard input.", valueName: "file"))
    package var input: String?

    @Option(
        help: ArgumentHelp(
            "Keep what is fetched in this directory, under names made of the addresses.", valueName: "dir"))
    package var output: String?

    @Option(help: ArgumentHelp("How many requests at the same time.", valueName: "n"))
    package var concurrency = 8

    @Option(help: ArgumentHelp("How many of them with one host.", valueName: "n"))
    package var perHost = 4

    @Option(help: ArgumentHelp("How often a failed attempt is repeated.", valueName: "n"))
    package var retries = 3

    @Option(help: ArgumentHelp("Before the first repetition; further pauses double.", valueName: "seconds"))
    package var pause = 0.2

    @Option(help: ArgumentHelp("How long a server may be silent.", valueName: "seconds"))
    package var timeout = 30.0

    @Option(help: ArgumentHelp("How long one address may take, with all attempts.", valueName: "seconds"))
    package var totalTimeout = 300.0

    @Option(help: ArgumentHelp("How long what is under way may go on after Ctrl-C.", valueName: "seconds"))
    package var grace = 10.0

    @Flag(help: "Print the summary as JSON.")
    package var json = false

    @Flag(name: .shortAndLong, help: "Show no progress.")
    package var quiet = false

    @Flag(help: "Tell what the HTTP client does; no redrawn progress.")
    package var verbose = false

    package init() {}

    package func validate() throws {
        try Self.check("concurrency", concurrency, 1...1000)
        try Self.check("per-host", perHost, 1...1000)
        try Self.check("retries", retries, 0...1000)
        try Self.check("pause", pause, 0...86_400)
        // A time of nothing would let nothing be fetched.
        try Self.check("timeout", timeout, 0.001...86_400)
        try Self.check("total-timeout", totalTimeout, 0.001...86_400)
        try Self.check("grace", grace, 0...86_400)
        if urls.isEmpty, input == nil { throw ValidationError("There is nothing to fetch: give a URL or --input.") }
        for url in urls where WebAddress(url) == nil { throw Self.noAddress(url) }
    }

    private static func check<Number>(_ name: String, _ value: Number, _ range: ClosedRange<Number>) throws {
        guard range.contains(value) else {
            throw ValidationError("--\(name) wants a number from \(range.lowerBound) to \(range.upperBound).")
        }
    }

    private static func noAddress(_ text: String) -> ValidationError {
        ValidationError("\"\(text.printable)\" is no address that can be fetched: http or https, a host, no user name.")
    }

    package var settings: FetchSettings {
        var settings = FetchSettings()
        settings.concurrency = concurrency
        settings.perHost = perHost
        settings.retries = retries
        settings.pause = .seconds(pause)
        settings.timeout = .seconds(timeout)
        settings.overallTimeout = .seconds(totalTimeout)
        settings.grace = .seconds(grace)
        return settings
    }

    /// What is to be fetched. Reads the file, if there is one.
    package func targets() throws -> [FetchTarget] {
        let listed = try input.map { try Self.lines(of: $0) } ?? []
        return FetchTarget.list(
            try (urls + listed).map { text in
                guard let address = WebAddress(text) else { throw Self.noAddress(text) }
                return address
            })
    }

    private static func lines(of file: String) throws -> [String] {
        let data: Data
        do {
            data =
                file == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data() : try Data(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw ValidationError("Cannot read \(file.printable): \(error.localizedDescription)")
        }
        return lines(of: data)
    }

    /// The lines that say something: not those that are empty or begin with `#`.
    static func lines(of data: Data) -> [String] {
        String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
