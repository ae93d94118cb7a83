import Foundation

/// Divides bytes into lines, which end with a line feed. The memory of a long line is released when it has been taken.
package struct LineSplitter: Sendable {
    /// The number of bytes from which on a buffer is replaced by a smaller one. Several chunks fit into fewer.
    private static let longLine = 1 << 20

    /// What has been added. Bytes before `start` have been taken.
    private var bytes: [UInt8] = []
    private var start = 0
    /// No line feed lies between `start` and this position, so that a long line is searched once.
    private var searched = 0

    package init() {}

    /// The bytes behind the last line feed. Only once there is no complete line left.
    var rest: ArraySlice<UInt8> { bytes[start...] }

    /// Adds bytes behind those that have not been taken.
    package mutating func append(_ chunk: some Sequence<UInt8>) {
        bytes.removeSubrange(..<start)
        searched -= start
        start = 0
        bytes.append(contentsOf: chunk)
    }

    /// How many bytes fit before the buffer grows.
    package var capacity: Int { bytes.capacity }

    /// Takes the next complete line, without its line feed.
    package mutating func takeLine() -> ArraySlice<UInt8>? {
        let feed = bytes.withUnsafeBytes { bytes -> Int? in
            // An empty buffer may have no address.
            guard searched < bytes.count, let base = bytes.baseAddress else { return nil }
            let found = memchr(base + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched)
            return found.map { UnsafeRawPointer($0) - base }
        }
        guard let feed else {
            shrink()
            searched = bytes.count
            return nil
        }
        defer {
            start = feed + 1
            searched = start
        }
        return bytes[start..<feed]
    }

    /// Replaces a large buffer, most of which has been taken.
    private mutating func shrink() {
        guard bytes.capacity > Self.longLine, start > bytes.count / 2 else { return }
        bytes = Array(bytes[start...])
        start = 0
    }

    /// Takes what is left, which no line feed ends.
    mutating func takeRest() -> ArraySlice<UInt8>? {
        if start == bytes.count { return nil }
        defer {
            start = bytes.count
            searched = start
        }
        return rest
    }
}
