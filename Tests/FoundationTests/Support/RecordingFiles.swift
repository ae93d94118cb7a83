import Foundation
import ReactiveSignals
import ReactiveSignalsFoundation
import TestSupport

/// A path in a folder that is deleted when this object is released. There is no file yet.
final class NewFile: Sendable {
    let url: URL
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID().uuidString)")
            .resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        url = folder.appending(path: "events.jsonl")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Another path in the folder.
    func sibling(_ name: String) -> URL { folder.appending(path: name) }

    var lines: [String] {
        get throws {
            try String(contentsOf: url, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
                .map(String.init)
        }
    }

    var size: Int { (try? FileManager.default.attributesOfItem(atPath: url.path())[.size] as? Int) ?? -1 }

    /// The number of descriptors of this process that refer to the file.
    var descriptors: Int { descriptorCount(of: url.path()) }
}

/// The first line of a recording that a test writes by hand.
let firstLine = #"{"format":"ReactiveSignals recording","version":1,"began":"2026-11-24T09:30:00.000Z","unit":"ns"}"#

/// A recording with these lines behind the first one.
func handmade(_ lines: String...) -> TemporaryFile {
    TemporaryFile(([firstLine] + lines).map { "\($0)\n" }.joined())
}

extension SignalProducer where Value: Equatable & Decodable {
    /// The events of a start that replays immediately.
    static func replayed(_ file: URL, stream: RecordedStream = .first) -> [String]
    where Failure == RecordingError {
        let log = Log<String>()
        replaying(contentsOf: file, as: Value.self, stream: stream).start { log.append($0.text) }
        return log.all
    }
}

/// The texts of the events of a recording of whole numbers.
func replayedNumbers(_ file: URL, stream: RecordedStream = .first) -> [String] {
    SignalProducer<Int, RecordingError>.replayed(file, stream: stream)
}
