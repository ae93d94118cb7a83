import HotSignals

/// A key whose hash values are set by the test.
struct LyingKey: Hashable, Sendable {
    let name: String
    /// The hash values, used in turn.
    let hashes: Lies

    init(_ name: String, _ hashes: [Int]) {
        self.name = name
        self.hashes = Lies(hashes)
    }

    /// The hash values that a key returns, one per call, repeatedly.
    final class Lies: Sendable {
        private let hashes: [Int]
        private let next = Locked(0)

        init(_ hashes: [Int]) { self.hashes = hashes }

        func tell() -> Int {
            next.withLock { next in
                defer { next = (next + 1) % hashes.count }
                return hashes[next]
            }
        }
    }

    static func == (left: LyingKey, right: LyingKey) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(hashes.tell()) }
}
