import FetcherKit
import Foundation
import Logging
import NIOCore
import ReactiveSignals

/// The targets for these URLs.
func targets(_ urls: String...) -> [FetchTarget] { targets(urls) }

func targets(_ urls: [String]) -> [FetchTarget] {
    FetchTarget.list(
        urls.map { url in
            guard let address = WebAddress(url) else { fatalError("\(url) is not a URL that Fetcher accepts") }
            return address
        })
}

extension FetchSettings {
    /// Short pauses, for a server on loopback.
    static var quick: FetchSettings {
        var settings = FetchSettings()
        settings.pause = .milliseconds(5)
        settings.timeout = patience
        return settings
    }

    func with(_ change: (inout FetchSettings) -> Void) -> FetchSettings {
        var settings = self
        change(&settings)
        return settings
    }
}

/// A directory that is deleted when this object is released.
final class TemporaryDirectory {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("fetcher-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var path: String { url.path }

    /// The names of all files, including hidden ones.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    func text(_ name: String) throws -> String {
        try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
    }
}

extension TemporaryDirectory {
    func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(
            at: url.appendingPathComponent(name), withIntermediateDirectories: false)
    }
}

/// Fetches from real servers, and returns the result.
func fetch(
    _ targets: [FetchTarget], _ settings: FetchSettings = .quick, into directory: TemporaryDirectory? = nil
) async throws -> Ledger {
    let transport = HTTPTransport(settings, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let run = FetchRun(
        targets, settings, directory: try directory.map { try Directory($0.path) }, on: QueueScheduler(),
        transport: transport.transport)
    let ledger = await run.ledger.end()
    await transport.shutDown()
    return ledger
}

extension SignalProducer where Value == Ledger, Failure == Never {
    /// The one ledger that a run sends.
    func end() async -> Ledger {
        await withCheckedContinuation { continuation in
            startWithNext { continuation.resume(returning: $0) }
        }
    }
}

extension Ledger {
    /// The stage of each target.
    var stages: [Transfer.Stage] { transfers.map(\.stage) }
}
