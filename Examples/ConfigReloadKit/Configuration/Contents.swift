import ExamplesKit

/// What the file held when it was read.
enum Contents: Sendable, Equatable {
    case bytes([UInt8])
    /// - Parameter isTransient: Whether it may be readable in a moment, without a change of the file.
    case unreadable(reason: String, isTransient: Bool = false)

    /// Larger files are no configurations.
    static let largestSize = 1 << 20

    static func read(_ path: String) -> Contents {
        do {
            let status = try System.status(of: path)
            switch status.kind {
            case .file: break
            case .directory: return .unreadable(reason: "it is a directory")
            case .other: return .unreadable(reason: "it is not a regular file")
            }
            let bytes = try System.bytes(of: path, size: min(status.size, largestSize), limit: largestSize)
            return bytes.count <= largestSize ? .bytes(bytes) : .unreadable(reason: "it is larger than 1 MiB")
        } catch {
            let reason = error.code == 0 ? "it is larger than 1 MiB" : error.description
            return .unreadable(reason: reason, isTransient: error.isTransient)
        }
    }
}
