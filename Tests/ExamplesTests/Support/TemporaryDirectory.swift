import Foundation
import Glibc

/// A directory that a test may modify, and that is deleted after the test.
final class TemporaryDirectory {
    let path: String

    /// Creates an empty directory.
    init() throws {
        path = Self.newPath()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    init(copying original: String) throws {
        path = Self.newPath()
        try FileManager.default.copyItem(atPath: original, toPath: path)
    }

    private static func newPath() -> String {
        NSTemporaryDirectory() + "/examples-\(UUID().uuidString)"
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    }

    func write(bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: false)
    }

    func link(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: destination)
    }

    func makePipe(_ name: String) throws {
        guard mkfifo("\(path)/\(name)", 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
