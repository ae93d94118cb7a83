import HotSignals

/// A manually advanced clock that records the sleep requests.
package final class ManualClock: Clock {
    package struct Instant: InstantProtocol {
        package let offset: Duration

        package init(offset: Duration) { self.offset = offset }

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        package func duration(to other: Instant) -> Duration { other.offset - offset }

        package static func < (earlier: Instant, later: Instant) -> Bool { earlier.offset < later.offset }
    }

    /// A request to sleep.
    package struct Request: Sendable, Equatable {
        package let deadline: Duration
        package let tolerance: Duration?

        package init(_ deadline: Duration, _ tolerance: Duration?) {
            self.deadline = deadline
            self.tolerance = tolerance
        }
    }

    private struct Sleeper {
        let number: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .seconds(1_000))
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var count = 0
        var requests: [Request] = []
        var failsNext = false
    }

    private let state = Locked(State())

    package init() {}

    package var now: Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .zero }

    /// The number of sleeping tasks.
    package var sleeping: Int { state.withLock { $0.sleepers.count } }
    /// The requests to sleep, with deadlines relative to the start.
    package var requests: [Request] { state.withLock { $0.requests } }

    /// Makes all sleeping tasks throw, at the end of a test: a task that sleeps forever is a leak.
    package func failSleeps() {
        let failed = state.withLock { state in
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in failed { sleeper.continuation.resume(throwing: TestError.first) }
    }

    /// Makes the next sleep fail at once.
    package func failNext() { state.withLock { $0.failsNext = true } }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.count += 1
            state.requests.append(Request(deadline.offset - .seconds(1_000), tolerance))
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if state.failsNext {
                        state.failsNext = false
                        return .failure(TestError.first)
                    }
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers.append(Sleeper(number: number, deadline: deadline, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the time, and wakes the tasks that are due.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let woken = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return woken
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }
}
