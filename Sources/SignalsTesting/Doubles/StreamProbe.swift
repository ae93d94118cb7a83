import ColdProducers
import HotSignals
public import ReactiveSignals

/// Counts the starts of a stream at one place in a chain, how each of them ended, and how many are live.
///
/// ```swift
/// let probe = StreamProbe(on: scheduler)
/// let start = requests.probed(by: probe).flatMap(.latest) { load($0) }.start()
/// start.dispose()
/// #expect(probe.starts == 1 && probe.disposals == 1 && probe.live == 0)
/// ```
///
/// You can put one probe into several streams: it counts all of them. Any thread can read it at any time.
public final class StreamProbe: Sendable, CustomStringConvertible {
    /// What happened to a start.
    public enum Occurrence: Sendable, Hashable {
        /// The work began.
        case started
        /// The stream completed.
        case completed
        /// The stream failed.
        case failed
        /// The stream was interrupted, but not by disposal downstream.
        case interrupted
        /// It was disposed of downstream, by your code or by an operator such as `take(first:)`.
        case disposed
    }

    /// An entry of the log.
    public struct Entry: Sendable, Hashable, CustomStringConvertible {
        /// The number of the start, beginning at 1.
        public let start: Int
        /// What happened to the start.
        public let occurrence: Occurrence
        /// When it happened, or `nil` for a probe without a scheduler.
        public let time: TestScheduler.Instant?

        /// Creates an entry to compare with.
        public init(start: Int, _ occurrence: Occurrence, at time: TestScheduler.Instant? = nil) {
            self.start = start
            self.occurrence = occurrence
            self.time = time
        }

        /// `start 1 completed at 2.0 seconds`.
        public var description: String {
            "start \(start) \(occurrence)\(time.map { " at \($0)" } ?? "")"
        }
    }

    private struct State {
        var log: [Entry] = []
        var counts: [Occurrence: Int] = [:]
        var values = 0
        /// The number of starts of producers that have not ended.
        var live = 0
        /// Closures that count the observers of each signal that has not ended, by the number of its start.
        var signals: [Int: @Sendable () -> Int] = [:]
    }

    private let state = Locked(State())
    private let scheduler: TestScheduler?

    /// Creates a probe that has counted nothing.
    ///
    /// - Parameter scheduler: Provides the times in the log, if given.
    public init(on scheduler: TestScheduler? = nil) { self.scheduler = scheduler }

    /// How many times a producer was started or a signal derived.
    public var starts: Int { count(.started) }
    /// How many of them completed.
    public var completions: Int { count(.completed) }
    /// How many of them failed.
    public var failures: Int { count(.failed) }
    /// How many of them were interrupted, other than by disposal downstream.
    public var interruptions: Int { count(.interrupted) }
    /// How many of them were disposed of downstream before their end.
    public var disposals: Int { count(.disposed) }
    /// How many values passed.
    public var values: Int { state.withLock { $0.values } }

    /// The current number of observers. For producers, the starts that have not ended. For signals, the observers of
    /// the derived signal and of signals derived from it.
    public var live: Int {
        let (live, signals) = state.withLock { ($0.live, Array($0.signals.values)) }
        return signals.reduce(live) { $0 + $1() }
    }

    /// Everything that happened except values, in order.
    public var log: [Entry] { state.withLock { $0.log } }

    /// The log, with one line per entry.
    public var description: String { log.map(\.description).joined(separator: "\n") }

    private func count(_ occurrence: Occurrence) -> Int { state.withLock { $0.counts[occurrence] ?? 0 } }

    /// Records a start.
    ///
    /// - Parameter countObservers: Counts the observers of a signal. `nil` for a producer, where each start counts as
    ///   one.
    func begin(countObservers: (@Sendable () -> Int)? = nil) -> ProbedStart {
        let now = scheduler?.now
        let number = state.withLock { state in
            let number = (state.counts[.started] ?? 0) + 1
            state.counts[.started] = number
            state.log.append(Entry(start: number, .started, at: now))
            if let countObservers { state.signals[number] = countObservers } else { state.live += 1 }
            return number
        }
        return ProbedStart(self, number)
    }

    fileprivate func noteValue() { state.withLock { $0.values += 1 } }

    fileprivate func note(_ occurrence: Occurrence, of start: Int) {
        let now = scheduler?.now
        state.withLock { state in
            state.counts[occurrence, default: 0] += 1
            state.log.append(Entry(start: start, occurrence, at: now))
            if state.signals.removeValue(forKey: start) == nil { state.live -= 1 }
        }
    }
}

/// A start that a probe tracks. Its end is recorded once.
final class ProbedStart: Sendable {
    private let probe: StreamProbe
    private let number: Int
    private let hasEnded = AtomicFlag()

    fileprivate init(_ probe: StreamProbe, _ number: Int) {
        self.probe = probe
        self.number = number
    }

    func noteValue() { probe.noteValue() }

    func end(_ occurrence: StreamProbe.Occurrence) {
        if hasEnded.raise() { probe.note(occurrence, of: number) }
    }

    func end<Failure>(_ termination: Termination<Failure>, isCancelled: Bool = false) {
        switch termination {
        case .completed: end(.completed)
        case .error: end(.failed)
        case .interrupted: end(isCancelled ? .disposed : .interrupted)
        }
    }
}

extension SignalProducer {
    /// Returns the same producer, with its starts counted by a probe.
    ///
    /// The probe records each event before it goes downstream, and a disposal when the work is cancelled.
    public func probed(by probe: StreamProbe) -> SignalProducer {
        SignalProducer(derivedName("probed"), contention: contention) { start, downstream in
            if start.isOver { return downstream.end(.interrupted) }
            let probed = probe.begin()
            start.addCleanup { probed.end(.disposed) }
            let sink = ProbeSink(probed: probed, start: start, downstream: downstream)
            beginWork(of: start, into: ProducerSink(erasing: sink, start))
        }
    }
}

extension Signal {
    /// Returns a signal derived from this one, whose values and observers a probe counts.
    ///
    /// A signal is in progress whether or not it is observed, so the only start is this call. It counts as disposed of
    /// when the resulting signal is neither retained nor observed. ``StreamProbe/live`` counts the observers of that
    /// signal.
    public func probed(by probe: StreamProbe) -> Signal {
        derive("probed") { (downstream: CoreSink<Value, Failure>, lifetime) in
            let probed = probe.begin { [weak core = downstream.core] in core?.observerCount ?? 0 }
            lifetime.observeEnded { probed.end(.disposed) }
            return ProbeSink(probed: probed, start: nil, downstream: downstream)
        }
    }
}

private struct ProbeSink<Downstream: Sink>: OperatorSink {
    let probed: ProbedStart
    /// `nil` for a signal.
    let start: Start?
    let downstream: Downstream

    func next(_ value: Downstream.Value) {
        probed.noteValue()
        downstream.next(value)
    }

    func end(_ termination: Termination<Downstream.Failure>) {
        probed.end(termination, isCancelled: start?.isCancelled ?? false)
        downstream.end(termination)
    }
}
