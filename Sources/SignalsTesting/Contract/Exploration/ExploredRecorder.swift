#if Explore
package import InterleavingExplorer
package import ReactiveSignals

/// Records the events that an observer receives, and checks that they follow the rules: one call at a time, one
/// terminal event, nothing after it, and no call that begins after a disposal has returned.
///
/// It needs no lock, because only one thread runs at a time. A thread may be interrupted in the middle of a call.
package final class ExploredRecorder<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable: only the thread that holds the baton accesses it.
    package private(set) var values: [Value] = []
    package private(set) var ends = 0
    package private(set) var end: Event<Value, Failure>?
    private var isInside = false
    private var disposal: Trial.Mark?
    private var cancellation: Trial.Mark?
    private let trial: Trial
    private let name: String
    private let outcome: Trial.Outcome?
    private let shared = Trial.State()
    /// Checks that an observer needs no lock of its own: each call sees what the previous one has written.
    private let state = Ownership(of: "the state of an observer")
    /// Released with the recorder, so that the trial detects an observer that is never released.
    private let token: Trial.Token

    package init(_ trial: Trial, _ name: String = "the observer") {
        self.trial = trial
        self.name = name
        token = trial.token()
        outcome = trial.outcome()
    }

    package func receive(_ event: Event<Value, Failure>) {
        shared.touch()
        trial.expect(!isInside, "\(name) is called while it is being called")
        if let disposal, trial.isAfter(disposal) {
            trial.expect(false, "\(name) is called after its disposal has returned")
        }
        if let cancellation, trial.isAfter(cancellation) {
            trial.expect(event.isTerminating, "\(name) gets a value after its start has been disposed of")
        }
        trial.expect(ends == 0, "\(name) is called after the end")
        isInside = true
        state.write()
        if let value = event.value {
            values.append(value)
        } else {
            ends += 1
            end = event
        }
        outcome?.text += "\(event) "
        trial.pause()
        shared.touch()
        isInside = false
    }

    /// Call when `dispose()` has returned. A call that has begun may continue, but none may begin.
    package func isDisposed() {
        shared.touch()
        disposal = trial.mark()
    }

    /// Call when `dispose()` of a start has returned. The interruption may arrive later, but no value.
    package func isCancelled() {
        shared.touch()
        cancellation = trial.mark()
    }

    package func expectOneEnd() { trial.expect(ends == 1, "\(name) has got \(ends) terminal events") }
}

extension ExploredRecorder where Value: Hashable {
    /// Expects that each value of `sent` has been received once, and the values of each thread in order.
    package func expectAll(_ sent: [[Value]]) {
        let all = sent.flatMap { $0 }
        trial.expect(values.count == all.count && Set(values) == Set(all), "\(name) has got \(values) of \(sent)")
        expectOrder(sent)
    }

    /// Expects that no value has been received twice, and the values of each thread in order.
    package func expectOrder(_ sent: [[Value]]) {
        trial.expect(Set(values).count == values.count, "\(name) has got values twice: \(values)")
        for thread in sent {
            let places = thread.compactMap { values.firstIndex(of: $0) }
            trial.expect(places == places.sorted(), "\(name) has got \(values), which is not in the order of \(thread)")
        }
    }
}

extension Signal {
    /// Observes with a recorder.
    @discardableResult
    package func observe(_ recorder: ExploredRecorder<Value, Failure>) -> (any Disposable)? {
        observe { [recorder] event in recorder.receive(event) }
    }
}

extension SignalProducer {
    /// Starts with a recorder.
    package func start(_ recorder: ExploredRecorder<Value, Failure>) -> any Disposable {
        start { [recorder] event in recorder.receive(event) }
    }
}
#endif
