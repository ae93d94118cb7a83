import ReactiveServer
package import ReactiveSignals

/// A cache of values that are expensive to load. Concurrent requests for a key share one load.
package struct Cache<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    private let results: SingleFlight<Key, Value, Failure>

    /// - Parameters:
    ///   - maxAge: How long to keep a value after it has been loaded.
    ///   - maxEntries: How many values to keep.
    package init(
        maxAge: Duration, maxEntries: Int, on scheduler: some DelayScheduler,
        load: @escaping @Sendable (Key) async throws(Failure) -> Value
    ) {
        results = SingleFlight(
            timeToLive: maxAge, maxEntries: maxEntries, on: scheduler
        ) { key in
            .async { () async throws(Failure) in try await load(key) }
        }
    }

    /// Returns `nil` only if the task is cancelled.
    package func value(for key: Key) async throws(Failure) -> Value? {
        // Not `first()`, which would cancel the load before it has completed, and
        // then there is nothing to keep.
        try await results.producer(for: key).last()
    }

    /// Changes the original, and forgets the value.
    package func update(
        _ key: Key, _ change: () async throws(Failure) -> Void
    ) async throws(Failure) {
        // Afterwards, so that a value that was loaded during the change is not kept.
        // Also after an error: the change may have been made before it.
        defer { results.invalidate(key) }
        try await change()
    }
}
