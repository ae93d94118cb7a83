import HotSignals
import TestSupport

/// Transformations of numbers that end when the test says so, in any order.
final class HeldWork: Sendable {
    private let held = Locked<[Int: [CheckedContinuation<Bool, Never>]]>([:])
    /// The number of transformations that were cancelled while they were held.
    let cancellations = Counter()

    /// The values that are being transformed.
    var values: [Int] { held.withLock { $0.keys.sorted() } }

    /// Returns the value times ten. A cancellation does not end it.
    func transform(_ value: Int) async throws(TestError) -> Int {
        let succeeds = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                held.withLock { $0[value, default: []].append(continuation) }
            }
        } onCancel: {
            cancellations.increment()
        }
        if !succeeds { throw .first }
        return value * 10
    }

    func finish(_ value: Int) { end(value, true) }

    func fail(_ value: Int) { end(value, false) }

    private func end(_ value: Int, _ succeeds: Bool) {
        let ended = held.withLock { $0.removeValue(forKey: value) } ?? []
        for continuation in ended { continuation.resume(returning: succeeds) }
    }
}
