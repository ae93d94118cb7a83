import HotSignals
package import ReactiveSignals

/// Records the events of a stream, and checks as they arrive that they are serial and follow the grammar.
package final class ContractRecorder: Sendable {
    private struct State {
        var events: [Event<Int, ContractError>] = []
        var violations: [String] = []
        var calls = 0
        var end: Event<Int, ContractError>?
    }

    private let state = Locked(State())
    package let ended: ContractMoment

    package init(in trial: ContractTrial) { ended = trial.moment("a terminal event") }

    /// - Parameter meanwhile: Runs during the event.
    package func record(_ event: Event<Int, ContractError>, meanwhile: () -> Void = {}) {
        state.withLock { state in
            state.calls += 1
            if state.calls > 1 { state.violations.append("\(event) overlaps another event") }
            if let end = state.end { state.violations.append("\(event) after \(end)") }
            if event.isTerminating { state.end = event }
            state.events.append(event)
        }
        // Between the two critical sections, and outside the lock, an overlapping event is detected.
        meanwhile()
        state.withLock { $0.calls -= 1 }
        if event.isTerminating { ended.arrive() }
    }

    package var events: [Event<Int, ContractError>] { state.withLock { $0.events } }
    package var values: [Int] { events.compactMap(\.value) }
    package var violations: [String] { state.withLock { $0.violations } }
    package var terminals: Int { events.count { $0.isTerminating } }
}

extension ContractTrial {
    package func recorder() -> ContractRecorder { ContractRecorder(in: self) }

    /// Observes a signal.
    package func record(_ signal: Signal<Int, ContractError>) -> ContractRecorder {
        let recorder = recorder()
        signal.observe { recorder.record($0) }
        return recorder
    }
}
