public import Metrics
public import ReactiveSignals
import Synchronization

/// A tap that counts and measures what streams do, with swift-metrics.
///
/// ```swift
/// let metrics = StreamMetrics("orders")
/// orders.tapped(by: metrics).start()
/// ```
///
/// | metric | is |
/// |---|---|
/// | `orders.starts` | a counter of the starts, executions, signals and properties that were tapped |
/// | `orders.in_flight` | a meter of those of them that have not ended |
/// | `orders.values` | a counter of the values |
/// | `orders.ends` | a counter of the ends, with the dimension `outcome` |
/// | `orders.duration` | a timer from the beginning to the end, with the dimension `outcome` |
/// | `orders.waiting` | a meter of what waits now, with the dimension `kind`: see `StreamWaiting` |
/// | `orders.lag` | a timer of what has waited, from the beginning to the end of the wait, with the dimension `kind` |
///
/// The outcome is `completed`, `failed`, `interrupted` or `released`: the last one if the stream was no longer needed
/// before it terminated, as after `first()`.
///
/// The lag is for how long an execution waits for its turn, a sender for room, or a thread for the stream. If several
/// senders or threads wait for one stream at the same time, the first that goes on counts as the first that has waited:
/// the sum and the number are right, but single waits can be exchanged. A value that waits in a buffer after it has been
/// sent is not seen: see ``BufferMetrics``.
///
/// Create a tap once, not for each stream: the metrics are created with it. Taps with the same label and the same
/// dimensions add up to the same metrics, if the backend says so.
///
/// **Cost**: an event costs one call of the backend, and 25 to 40 instructions besides. A start costs three, an
/// allocation and two readings of the clock.
public struct StreamMetrics: StreamTap {
    /// How a stream has ended.
    @usableFromInline
    enum Outcome: UInt8, CaseIterable {
        case released, completed, failed, interrupted
    }

    /// What the tap stores for a stream.
    public final class Record: Sendable {
        fileprivate let metrics: MetricSet
        /// The handler of the counter of values, which each value calls.
        @usableFromInline let values: any CounterHandler
        fileprivate let start = ContinuousClock.now
        fileprivate let outcome = Atomic(Outcome.released.rawValue)
        /// What waits, since when, the longest wait first.
        private let waits = Mutex<[(kind: StreamWaiting.Kind, since: ContinuousClock.Instant)]>([])

        fileprivate init(_ metrics: MetricSet) {
            self.metrics = metrics
            values = metrics.values
        }

        fileprivate func beginWait(_ kind: StreamWaiting.Kind) {
            metrics.waiting[kind]?.increment()
            waits.withLock { $0.append((kind, .now)) }
        }

        fileprivate func endWait(_ kind: StreamWaiting.Kind) {
            let since = waits.withLock { waits in
                waits.firstIndex { $0.kind == kind }.map { waits.remove(at: $0).since }
            }
            metrics.waiting[kind]?.decrement()
            if let since { metrics.lag[kind]?.recordNanoseconds(nanoseconds(since: since)) }
        }

        @usableFromInline
        func terminate(_ outcome: Outcome) { self.outcome.store(outcome.rawValue, ordering: .releasing) }
    }

    private let catalog: MetricCatalog

    /// Creates a tap that adds all of its streams to the same metrics.
    ///
    /// - Parameters:
    ///   - label: The beginning of the labels of the metrics.
    ///   - dimensions: The dimensions of all of them.
    ///   - factory: Makes the metrics. By default, that of `MetricsSystem`.
    public init(_ label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil) {
        catalog = MetricCatalog(label, dimensions, factory ?? MetricsSystem.factory, limit: 0) { _ in nil }
    }

    /// Creates a tap with metrics for each name, such as one for `StreamHooks.tap`.
    ///
    /// ```swift
    /// StreamHooks.tap = StreamMetrics("streams", limit: 50) { stream in stream.name }
    /// ```
    ///
    /// Every backend keeps every combination of dimensions in memory. So the number of names is limited: all streams
    /// whose names come later have the name `other`. Names must not contain data, such as the number of a request.
    ///
    /// - Parameters:
    ///   - label: The beginning of the labels of the metrics.
    ///   - dimensions: The dimensions of all of them.
    ///   - factory: Makes the metrics. By default, that of `MetricsSystem`.
    ///   - limit: The maximum number of names. Traps unless positive.
    ///   - name: The value of the dimension `stream`. Called once per stream.
    public init(
        _ label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil, limit: Int,
        name: @escaping @Sendable (TappedStream) -> String
    ) {
        precondition(limit > 0, "StreamMetrics(limit: \(limit)): the number of names must be positive")
        catalog = MetricCatalog(label, dimensions, factory ?? MetricsSystem.factory, limit: limit, name: name)
    }

    /// Counts a stream.
    public func begin(_ stream: TappedStream) -> Record {
        let metrics = catalog.metrics(of: stream)
        metrics.starts.increment()
        metrics.inFlight.increment()
        return Record(metrics)
    }

    /// Counts a value, or notes how the stream terminates.
    @inlinable @inline(__always)
    public func event<Value, Failure>(_ event: Event<Value, Failure>, in state: Record) {
        switch event {
        case .next: state.values.increment(by: 1)
        case .completed: state.terminate(.completed)
        case .error: state.terminate(.failed)
        case .interrupted: state.terminate(.interrupted)
        }
    }

    /// Returns an action that counts a value.
    public func valueAction(in state: Record) -> (@Sendable () -> Void)? { state.metrics.countValue }

    /// Counts what begins and stops waiting, and records for how long it has waited.
    public func waiting(_ waiting: StreamWaiting, in state: Record) {
        switch waiting {
        case .began(let kind): state.beginWait(kind)
        case .ended(let kind): state.endWait(kind)
        }
    }

    /// Counts the end, and records the duration.
    public func end(_ state: Record) {
        let outcome = Int(state.outcome.load(ordering: .acquiring))
        state.metrics.inFlight.decrement()
        state.metrics.ends[outcome].increment()
        state.metrics.durations[outcome].recordNanoseconds(nanoseconds(since: state.start))
    }
}

private func nanoseconds(since start: ContinuousClock.Instant) -> Int64 {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
}
