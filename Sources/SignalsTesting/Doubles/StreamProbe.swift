import ColdProducers
import HotSignals
public import ReactiveSignals

/// Counts what happens to a stream at one place: how often it is started, how each start ends, and how many are live.
///
///     let probe = StreamProbe(on: scheduler)
///     let subscription = requests.probed(by: probe).flatMap(.latest) { load($0) }.start()
///     subscription.dispose()
///     #expect(probe.starts == 1 && probe.disposals == 1 && probe.live == 0)
///
/// One probe may be put into several streams, and counts for all of them. It may be read from any thread at any time.
public final class StreamProbe: Sendable, CustomStringConvertible {
    /// What happened to a start.
    public enum Occurrence: Sendable, Hashable {
        /// The work began.
        case started
        /// The stream completed.
        case completed
        /// The stream failed.
        case failed
        /// The stream was interrupted, by itself.
        case interrupted
        /// Somebody downstream did not want more: a user who disposed of it, or an operator such as `take(first:)`.
        case disposed
    }

    /// A line of the log.
    public struct Entry: Sendable, Hashable, CustomStringConvertible {
        /// The start that this is about: the first one is number 1.
        public let start: Int
        /// What happened to it.
        public let occurrence: Occurrence
        /// When; nil for a probe without a scheduler.
        public let time: TestScheduler.Instant?

        /// A line to compare with.
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
        /// Starts of producers that have not ended.
        var live = 0
        /// Counts the observers of each signal that has not ended.
        var signals: [Int: @Sendable () -> Int] = [:]
    }

    private let state = Locked(State())
    private let scheduler: TestScheduler?

    /// A probe that has seen nothing.
    ///
    /// - Parameter scheduler: Whose time the log notes, if any.
    public init(on scheduler: TestScheduler? = nil) { self.scheduler = scheduler }

    /// How often a producer was started or a signal was derived.
    public var starts: Int { count(.started) }
    /// How many of these have completed.
    public var completions: Int { count(.completed) }
    /// How many have failed.
    public var failures: Int { count(.failed) }
    /// How many were interrupted by themselves.
    public var interruptions: Int { count(.interrupted) }
    /// How many were not wanted any more before their end.
    public var disposals: Int { count(.disposed) }
    /// How many values have passed.
    public var values: Int { state.withLock { $0.values } }

    /// How many observers there are at this moment: of producers, starts that have not ended; of signals, the observers of the derived
    /// signal and what is derived from it.
    public var live: Int {
        let (live, signals) = state.withLock { ($0.live, Array($0.signals.values)) }
        return signals.reduce(live) { $0 + $1() }
    }

    /// Everything that happened but the values, in order.
    public var log: [Entry] { state.withLock { $0.log } }

    /// The log, a line an entry.
    public var description: String { log.map(\.description).joined(separator: "\n") }

    private func count(_ occurrence: Occurrence) -> Int { state.withLock { $0.counts[occurrence] ?? 0 } }

    /// Notes a start.
    ///
    /// - Parameter countObservers: Counts those of a signal; nil for a producer, whose start is one.
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

/// A start that a probe follows until it ends, once.
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
    /// The same producer, whose starts a probe counts.
    ///
    /// It notes each event before it goes downstream, and a disposal when the work is told to stop.
    public func probed(by probe: StreamProbe) -> SignalProducer {
        SignalProducer(derivedName("probed"), contention: contention) { run, downstream in
            if run.isOver { return downstream.finish(.interrupted) }
            let start = probe.begin()
            run.cleanUp { start.end(.disposed) }
            let sink = ProbeSink(start: start, run: run, downstream: downstream)
            begin(run, ProducerSink(run) { sink.receive($0) })
        }
    }
}

extension Signal {
    /// The same signal, derived so that a probe counts what passes and who observes it.
    ///
    /// A signal goes on whether or not it is observed: its one start is this call. It counts as disposed of when nobody holds or
    /// observes the resulting signal any more. ``StreamProbe/live`` counts the observers of that.
    public func probed(by probe: StreamProbe) -> Signal {
        derive("probed") { (downstream: CoreSink<Value, Failure>, lifetime) in
            let start = probe.begin { [weak core = downstream.core] in core?.observerCount ?? 0 }
            lifetime.observeEnded { start.end(.disposed) }
            return ProbeSink(start: start, run: nil, downstream: downstream)
        }
    }
}

private struct ProbeSink<Downstream: Sink>: OperatorSink {
    let start: ProbedStart
    /// Nil for a signal.
    let run: Run?
    let downstream: Downstream

    func next(_ value: Downstream.Value) {
        start.noteValue()
        downstream.next(value)
    }

    func end(_ termination: Termination<Downstream.Failure>) {
        start.end(termination, isCancelled: run?.isCancelled ?? false)
        downstream.end(termination)
    }
}
