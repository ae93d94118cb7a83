import Foundation
import ReactiveSignals
import ReactiveSignalsFoundation
public import ReactiveSignalsTesting

extension ContractError: Codable {
    /// Reads what ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        _ = try decoder.singleValueContainer().decode(Bool.self)
        self.init()
    }

    /// Writes something, as an encoder requires.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(true)
    }
}

extension EventRecorder {
    /// A recorder that is always off.
    static let off = EventRecorder()

    /// A recorder that is on for the first million events. Its file has no name.
    static let on: EventRecorder = {
        let recorder = EventRecorder()
        let file = FileManager.default.temporaryDirectory.appending(path: "contract-\(UUID().uuidString)")
        do {
            try recorder.start(writingTo: file, upTo: .events(1_000_000))
            try FileManager.default.removeItem(at: file)
        } catch {
            preconditionFailure("\(error)")
        }
        return recorder
    }()
}

/// A recording of one value and an error. It has no name, but an open descriptor.
let recording: URL = {
    let file = FileManager.default.temporaryDirectory.appending(path: "contract-\(UUID().uuidString)")
    let text = """
        {"format":"ReactiveSignals recording","version":1,"began":"2026-11-24T09:30:00.000Z","unit":"ns"}
        {"stream":0,"name":"numbers"}
        {"time":1000000000,"stream":0,"next":1}
        {"time":2000000000,"stream":0,"error":true}
        {"time":3000000000,"end":"stopped"}\n
        """
    do {
        try text.write(to: file, atomically: false, encoding: .utf8)
        let handle = try FileHandle(forReadingFrom: file)
        try FileManager.default.removeItem(at: file)
        // Never closed: the file is read through the descriptor.
        let descriptor = dup(handle.fileDescriptor)
        return URL(filePath: "/proc/self/fd/\(descriptor)")
    } catch {
        preconditionFailure("\(error)")
    }
}()
