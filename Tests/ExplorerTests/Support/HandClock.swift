#if Explore
import HotSignals

/// A clock that a thread of a scenario advances.
///
/// It needs no lock, because one thread runs at a time, and no thread switch occurs within a call.
final class HandClock: Clock, @unchecked Sendable {
    typealias Duration = Swift.Duration

    struct Instant: InstantProtocol {
        var offset: Swift.Duration = .zero

        func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }

        func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: UnsafeContinuation<Void, Never>
    }

    private(set) var now = Instant()
    let minimumResolution = Duration.zero
    private var sleepers: [Int: Sleeper] = [:]
    private var cancelled: Set<Int> = []
    private var begun = 0

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        begun += 1
        let number = begun
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if deadline <= now || cancelled.contains(number) {
                    continuation.resume()
                } else {
                    sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
                }
            }
        } onCancel: {
            cancelled.insert(number)
            sleepers.removeValue(forKey: number)?.continuation.resume()
        }
        try Task.checkCancellation()
    }

    /// The number of sleeping tasks.
    var sleeping: Int { sleepers.count }

    func advance(by duration: Duration) {
        now = now.advanced(by: duration)
        // Resumes sleepers in the order in which they began, as the order of a dictionary varies.
        for number in sleepers.keys.sorted() {
            guard let sleeper = sleepers[number], sleeper.deadline <= now else { continue }
            sleepers[number] = nil
            sleeper.continuation.resume()
        }
    }
}
#endif
