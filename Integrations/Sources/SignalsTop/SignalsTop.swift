import ArgumentParser
import Foundation
import TopProtocol
import TopViewer

extension SortKey: ExpressibleByArgument {}

/// The program `signals-top`.
@main
struct SignalsTop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signals-top",
        abstract: "Shows what the streams of a running server do.",
        discussion: """
            The server calls TopServer.open() of ReactiveSignalsTop when it starts. Press ? for the keys.

            If the output is not a terminal, prints a table once.
            """)

    @Argument(help: "The path of a socket, or the number of a process. Not needed if there is one server.")
    var target: String?

    @Flag(help: "Print a table and exit.")
    var once = false

    @Flag(help: "Print JSON and exit.")
    var json = false

    @Flag(help: "Begin a recording of events, print its file and exit. For servers that allow it.")
    var record = false

    @Flag(help: "End the recording, print its file and exit.")
    var stopRecording = false

    @Option(help: "Sort by waiting, age, depth, count, or the rate at which properties are set.")
    var sort = SortKey.waiting

    @Option(help: "Show only streams whose name or file contains this.")
    var filter = ""

    @Flag(help: "Show streams with the same name as one.")
    var group = false

    @Flag(help: "Also show the streams that the library and Integrations make for themselves.")
    var all = false

    @Option(help: "Seconds between two snapshots.")
    var interval = 1.0

    @Option(help: "The maximum number of streams that are printed once.")
    var limit = 1_000

    func validate() throws {
        guard interval >= 0.1, interval <= 3_600 else {
            throw ValidationError("--interval must be at least 0.1 and at most 3600")
        }
        guard limit > 0 else { throw ValidationError("--limit must be positive") }
    }

    func run() async throws {
        do {
            try await show()
        } catch let error as TopClientError {
            FileHandle.standardError.write(Data("signals-top: \(error)\n".utf8))
            throw ExitCode.failure
        }
    }

    private func show() async throws {
        let client = try await TopClient(path: try TopClient.path(of: target))
        defer { client.close() }
        if record || stopRecording { return print(try await client.record(record ? .record : .stopRecording)) }
        let state = TopState(sort: sort, filter: filter, isGrouped: group, showsLibrary: all)
        if !once, !json, let terminal = Terminal() {
            return try await TopProgram(client, terminal, interval: .seconds(interval)).run(state)
        }
        // Two snapshots, for the rates and the warnings that compare them.
        var model = TopModel(client.greeting)
        model.receive(try await client.snapshot())
        // An observer that takes long is named if it takes a second between two snapshots.
        try await Task.sleep(for: .seconds(max(interval, 1.1)))
        model.receive(try await client.snapshot())
        print(json ? try TopReport(model, state, limit: limit).json() : TopTable.once(model, state, limit: limit))
    }
}
