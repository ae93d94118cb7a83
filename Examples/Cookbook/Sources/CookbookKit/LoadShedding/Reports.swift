package import ReactiveSignals

/// Reports of a database whose driver cannot cancel a query, with limits that hold nevertheless.
package final class Reports<Scheduler: DelayScheduler>: Sendable {
    /// Why there is no report.
    package enum Refusal: Error {
        /// Too many callers are waiting.
        case busy
        /// The report takes too long. The query runs on, and keeps its connection.
        case late
        case failed
    }

    /// A query as the driver offers it. It calls back once, whatever has become of the caller.
    package typealias Query =
        @Sendable (
            _ name: String, _ whenDone: @escaping @Sendable (Result<String, Refusal>) -> Void
        ) -> Void

    private let queries: Action<String, String, Refusal>
    private let patience: Duration
    private let scheduler: Scheduler

    /// - Parameters:
    ///   - connections: How many queries run at the same time.
    ///   - waiting: How many callers wait for a connection.
    ///   - patience: How long a caller waits in all.
    package init(
        connections: Int, waiting: Int, patience: Duration, on scheduler: Scheduler, query: @escaping Query
    ) {
        queries = Action(
            policy: .concurrent(limit: connections, waiting: waiting)
        ) { name in
            SignalProducer(callback: { completion in query(name, completion) })
                .uninterruptible()
        }
        self.patience = patience
        self.scheduler = scheduler
    }

    /// Each start asks for a report. Disposing of it, and the end of its patience, take it out of the queue.
    package func report(_ name: String) -> SignalProducer<String, Refusal> {
        queries.apply(name)
            .timeout(after: patience, raising: .producerError(.late), on: scheduler)
            .mapError { error in
                switch error {
                case .disabled: .busy
                case .producerError(let refusal): refusal
                }
            }
    }

    /// Refuses further callers, and returns when all connections are free.
    package func close() async { await queries.drain() }
}
