package import ReactiveSignals

/// Copies rows into a store, in batches, and reads no faster than they are saved.
///
/// - Parameters:
///   - size: How many rows to save at once.
///   - delay: How long a row waits for others.
///   - save: Saves a batch in one transaction.
/// - Returns: The number of rows, when the source has ended.
/// - Throws: The error of the source, or of the store.
package func importRows<Rows: AsyncSequence & Sendable>(
    from rows: Rows, size: Int, delay: Duration,
    on scheduler: some DelayScheduler,
    save: ([Rows.Element]) async throws(Rows.Failure) -> Void
) async throws(Rows.Failure) -> Int where Rows.Element: Sendable {
    var count = 0
    let batches = SignalProducer(rows)
        .collect(every: delay, upTo: size, on: scheduler)
        .values(buffering: .suspending(1))
    for try await batch in batches {
        try await save(batch)
        count += batch.count
    }
    return count
}
