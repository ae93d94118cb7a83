#if Explore
package import InterleavingExplorer
package import ReactiveSignals

/// What an observer has been given, and whether it came as it must: one call at a time, one end, nothing after it, and
/// nothing that begins after a disposal has returned.
///
/// It needs no lock, because one thread runs at a time. A thread may be interrupted in the middle of a call.
package final class ExploredRecorder<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable: only the thread with the baton touches it.
    package private(set) var values: [Value] = []
    package private(set) var ends = 0
    package private(set) var end: Event<Value, Failure>?
    private var isInside = false
    private var disposal: Trial.Mark?
    private var cancellation: Trial.Mark?
    private let trial: Trial
    private let name: String
    /// An observer needs no lock of its own: each call sees what the one before has written.
    private let state = Ownership(of: "the state of an observer")
    /// Held until the observer is.
    private let token: Trial.Token

    package init(_ trial: Trial, _ name: String = "the observer") {
        self.trial = trial
        self.name = name
        token = trial.token()
    }

    package func receive(_ event: Event<Value, Failure>) {
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
        trial.pause()
        isInside = false
    }

    /// To be called when `dispose()` has returned. A call that has begun may go on; none begins.
    package func isDisposed() { disposal = trial.mark() }

    /// To be called when `dispose()` of a start has returned: the interruption may come later, but no value.
    package func isCancelled() { cancellation = trial.mark() }

    package func expectOneEnd() { trial.expect(ends == 1, "\(name) has got \(ends) terminal events") }
}

extension ExploredRecorder where Value: Hashable {
    /// Expects that each of `sent` has come once, and each thread's in its order.
    package func expectAll(_ sent: [[Value]]) {
        let all = sent.flatMap { $0 }
        trial.expect(values.count == all.count && Set(values) == Set(all), "\(name) has got \(values) of \(sent)")
        expectOrder(sent)
    }

    /// Expects that what has come has come once, and each thread's in its order.
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
