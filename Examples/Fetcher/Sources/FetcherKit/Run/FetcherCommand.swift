package import ArgumentParser
import Foundation

/// The file of `--input` cannot be read.
package struct InputProblem: Error, CustomStringConvertible {
    package let description: String
}

/// The arguments of the command line.
package struct FetcherCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "Fetcher",
        abstract: "Fetches many URLs at the same time.",
        discussion: """
            Without --output, Fetcher counts the bytes it receives and discards them. Temporary failures are retried \
            after growing delays, and not before the time that the server asks for (Retry-After).

            Ctrl-C lets running requests finish, and starts no new ones. A second Ctrl-C stops immediately.

            Exit status: 0 if everything was fetched, 1 if something was not, 64 for wrong usage, 130 after Ctrl-C, \
            143 after SIGTERM.
            """)

    @Argument(help: ArgumentHelp("An http or https URL to fetch.", valueName: "url"))
    package var urls: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A file with more URLs, one per line; - for standard input. Empty lines and lines that begin with # are \
            ignored.
            """, valueName: "file"))
    package var input: String?

    @Option(
        help: ArgumentHelp(
            """
            Write the responses to this directory, in files named after the URLs. The directory is created if it does \
            not exist, but not its parents.
            """, valueName: "dir"))
    package var output: String?

    @Option(help: ArgumentHelp("The maximum number of concurrent requests.", valueName: "n"))
    package var concurrency = 8

    @Option(help: ArgumentHelp("The maximum number of concurrent requests to one host.", valueName: "n"))
    package var perHost = 4

    @Option(help: ArgumentHelp("The maximum number of retries per URL.", valueName: "n"))
    package var retries = 3

    @Option(
        help: ArgumentHelp(
            "The delay before the first retry. It doubles for each further one, up to 10 seconds.", valueName: "seconds"
        ))
    package var pause = 0.2

    @Option(help: ArgumentHelp("How long a server can send nothing before an attempt fails.", valueName: "seconds"))
    package var timeout = 30.0

    @Option(
        help: ArgumentHelp(
            "How long one URL can take, with all attempts and delays, from its first request.", valueName: "seconds"))
    package var totalTimeout = 300.0

    @Option(help: ArgumentHelp("How long running requests have to finish after Ctrl-C.", valueName: "seconds"))
    package var grace = 10.0

    @Flag(help: "Print the summary as one JSON object.")
    package var json = false

    @Flag(name: .shortAndLong, help: "Show no progress.")
    package var quiet = false

    @Flag(help: "Log what the HTTP client does, and print progress as lines.")
    package var verbose = false

    package init() {}

    package func validate() throws {
        try Self.check("concurrency", concurrency, 1...1000)
        try Self.check("per-host", perHost, 1...1000)
        try Self.check("retries", retries, 0...1000)
        try Self.check("pause", pause, 0...86_400)
        // A timeout of zero would make every request fail.
        try Self.check("timeout", timeout, 0.001...86_400)
        try Self.check("total-timeout", totalTimeout, 0.001...86_400)
        try Self.check("grace", grace, 0...86_400)
        for url in urls where WebAddress(url) == nil { throw Self.badURL(url) }
    }

    private static func check<Number>(_ name: String, _ value: Number, _ range: ClosedRange<Number>) throws {
        guard range.contains(value) else {
            throw ValidationError(
                "--\(name) must be a number from \(range.lowerBound) to \(range.upperBound), not \(value).")
        }
    }

    /// - Parameter file: The file that contains the text; `nil` if it is an argument.
    private static func badURL(_ text: String, in file: String? = nil) -> ValidationError {
        let place = file.map { " in \($0 == "-" ? "standard input" : $0.printable)" } ?? ""
        return ValidationError(
            """
            Cannot fetch "\(text.printable)"\(place). A URL must begin with http:// or https://, name a host, and \
            contain no user name.
            """)
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

    /// The URLs to fetch. Reads the file of `--input`.
    package func targets() throws -> [FetchTarget] {
        // Not in `validate()`, which is called before unknown options are reported.
        if urls.isEmpty, input == nil {
            throw ValidationError("There is nothing to fetch. Name a URL, or a file of URLs with --input.")
        }
        let listed = try input.map { try Self.lines(of: $0) } ?? []
        func addresses(_ texts: [String], in file: String?) throws -> [WebAddress] {
            try texts.map { text in
                guard let address = WebAddress(text) else { throw Self.badURL(text, in: file) }
                return address
            }
        }
        return FetchTarget.list(try addresses(urls, in: nil) + addresses(listed, in: input))
    }

    private static func lines(of file: String) throws -> [String] {
        do {
            return lines(of: Data(try file == "-" ? Console.readAll(Console.input) : Console.contents(of: file)))
        } catch {
            throw InputProblem(description: "cannot read \(file.printable): \(error.reason)")
        }
    }

    /// The lines with a URL, without empty lines and comments.
    static func lines(of data: Data) -> [String] {
        String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
