import ReactiveSignals

enum SupplierError: Error { case timeout, unavailable }

/// Asks a supplier for prices: two requests at a time, one second for each
/// attempt, two retries with back-off.
func quotes(
    on scheduler: some DelayScheduler,
    fetch: @escaping @Sendable (String) async throws(SupplierError) -> Double
) -> Action<String, Double, SupplierError> {
    Action(policy: .concurrent(limit: 2, waiting: 100)) { item in
        SignalProducer.async { () async throws(SupplierError) in
            try await fetch(item)
        }
        .timeout(after: .seconds(1), raising: .timeout, on: scheduler)
        .retry(.exponential(from: .milliseconds(100), upTo: 2), on: scheduler)
    }
}
