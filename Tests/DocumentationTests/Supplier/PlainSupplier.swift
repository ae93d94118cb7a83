/// What `quotes(on:fetch:)` does, without the library: an actor limits the requests, a task group their time, and a
/// loop retries them. The clock is a parameter, so that a test can run this on virtual time as well.
struct PlainSupplier<C: Clock>: Sendable where C.Duration == Duration {
    let clock: C
    let limiter = Limiter(limit: 2, waiting: 100)
    let fetch: @Sendable (String) async throws(SupplierError) -> Double

    /// - Throws: A `SupplierError`, `Limiter.Refused`, or `CancellationError`.
    func quote(_ item: String) async throws -> Double {
        try await limiter.run {
            var pause = Duration.milliseconds(100)
            for _ in 1...2 {
                do { return try await attempt(item) } catch is SupplierError {
                    try await clock.sleep(for: pause)
                    pause *= 2
                }
            }
            return try await attempt(item)
        }
    }

    /// Waits for `fetch` to return, even after a second, if it ignores cancellation.
    private func attempt(_ item: String) async throws -> Double {
        try await withThrowingTaskGroup(of: Double?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await fetch(item) }
            group.addTask {
                try await clock.sleep(for: .seconds(1))
                return nil
            }
            guard let price = try await group.next() ?? nil else { throw SupplierError.timeout }
            return price
        }
    }
}

/// Runs up to `limit` bodies at the same time. Up to `waiting` callers wait for their turn, in order.
actor Limiter {
    struct Refused: Error {}

    private var free: Int
    private let maxWaiting: Int
    private var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    private var lastID = 0

    init(limit: Int, waiting: Int) { (free, maxWaiting) = (limit, waiting) }

    func run<Output: Sendable>(_ body: @Sendable () async throws -> Output) async throws -> Output {
        if free > 0 { free -= 1 } else { try await waitForTurn() }
        defer { passTurn() }
        return try await body()
    }

    private func waitForTurn() async throws {
        guard waiters.count < maxWaiting else { throw Refused() }
        lastID += 1
        let id = lastID
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation that came earlier does not find the continuation.
                if Task.isCancelled {
                    continuation.resume(returning: false)
                } else {
                    waiters.append((id, continuation))
                }
            }
        } onCancel: {
            Task { await self.remove(id) }
        }
        guard hasTurn else { throw CancellationError() }
    }

    private func passTurn() {
        if waiters.isEmpty { free += 1 } else { waiters.removeFirst().continuation.resume(returning: true) }
    }

    private func remove(_ id: Int) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(returning: false)
    }
}
