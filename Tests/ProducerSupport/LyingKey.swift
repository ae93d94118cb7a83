import HotSignals

/// A key whose hash values are set by the test.
package struct LyingKey: Hashable, Sendable {
    package let name: String
    /// The hash values, used in turn.
    package let hashes: Lies

    package init(_ name: String, _ hashes: [Int]) {
        self.name = name
        self.hashes = Lies(hashes)
    }

    /// The hash values that a key returns, one per call, repeatedly.
    package final class Lies: Sendable {
        private let hashes: [Int]
        private let next = Locked(0)

        package init(_ hashes: [Int]) { self.hashes = hashes }

        package func tell() -> Int {
            next.withLock { next in
                defer { next = (next + 1) % hashes.count }
                return hashes[next]
            }
        }
    }

    package static func == (left: LyingKey, right: LyingKey) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(hashes.tell()) }
}
