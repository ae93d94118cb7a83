#if Explore
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting

/// An action whose units are counted, with checks of the guarantees to its users.
///
/// It needs no lock, because one thread runs at a time.
final class Units: @unchecked Sendable {
    typealias Unit = Action<Int, Int, TestFailure>
    typealias Failure = ActionError<TestFailure>

    /// A unit with a number from here on ends when the scenario ends it. Any other unit ends immediately.
    static let firstOpen = 100

    private let trial: Trial
    private let policy: ActionPolicy
    /// The policy of the group, if the action is a member of one.
    private let limits: ActionPolicy
    /// The units for which the action has called its closure, and those whose work was started.
    private(set) var prepared: [Int] = []
    private(set) var begun: [Int] = []
    private(set) var cleaned: [Int] = []
    private(set) var recorders: [Recorder<Int, Failure>] = []
    /// Set when the call that disables the action has returned, and no unit is running.
    var isOff = false {
        didSet { state.touch() }
    }
    /// Those of another member of the same group.
    weak var others: Units?
    private let state = Trial.State()
    private var open: [Int: Signal<Int, TestFailure>.Observer] = [:]
    private weak var current: Unit?

    let values: Recorder<Int, Never>
    let executing: Recorder<Bool, Never>
    let enabled: Recorder<Bool, Never>
    private let refusals: Recorder<Void, Never>
    private let events: Recorder<Event<Int, TestFailure>, Never>

    init(_ trial: Trial, _ policy: ActionPolicy, in group: ActionGroup? = nil) {
        self.trial = trial
        self.policy = group.map { .member(of: $0) } ?? policy
        limits = policy
        values = Recorder(trial, "values")
        executing = Recorder(trial, "isExecuting")
        enabled = Recorder(trial, "isEnabled")
        refusals = Recorder(trial, "disabledErrors")
        events = Recorder(trial, "events")
    }

    /// Creates the action.
    func make(enabledIf condition: MutableProperty<Bool>? = nil) -> Unit {
        let token = trial.token()
        let execute = { @Sendable (number: Int) -> SignalProducer<Int, TestFailure> in
            token.touch()
            return self.prepare(number)
        }
        let action = condition.map { Unit(enabledIf: $0, policy: policy, execute) } ?? Unit(policy: policy, execute)
        current = action
        action.values.observe(values)
        action.isExecuting.signal.observe(executing)
        action.isEnabled.signal.observe(enabled)
        action.disabledErrors.observe(refusals)
        action.events.observe(events)
        return action
    }

    /// The closure that the action calls when a unit begins.
    private func prepare(_ number: Int) -> SignalProducer<Int, TestFailure> {
        state.touch()
        trial.expect(!isOff, "unit \(number) begins after the action has been disabled")
        prepared.append(number)
        if let current {
            trial.expect(current.isExecuting.value, "unit \(number) begins, and nothing is executing")
            if limits == .refuse {
                trial.expect(!current.isEnabled.value, "unit \(number) begins, and the action is enabled")
            }
        }
        trial.pause()
        let token = trial.token()
        return SignalProducer { [self, token] observer, lifetime in
            // Registered first, as a disposal does not wait for work that is just beginning.
            lifetime.observeEnded { [self, token] in
                token.touch()
                state.touch()
                cleaned.append(number)
                open[number] = nil
            }
            state.touch()
            begun.append(number)
            let running = [self, others].reduce(0) { $0 + ($1.map { $0.begun.count - $0.cleaned.count } ?? 0) }
            // An interrupted unit may end shortly after the next one has begun.
            let areTwo = [.concurrent(limit: 2), .concurrent(limit: 2, waiting: 1)].contains(limits)
            let limit = limits == .restart ? .max : areTwo ? 2 : 1
            trial.expect(running <= limit, "\(running) units at a time")
            if number >= Self.firstOpen {
                if !lifetime.hasEnded { open[number] = observer }
            } else {
                observer.sendNext(number)
                observer.sendCompleted()
            }
        }
    }

    /// Starts a unit.
    @discardableResult
    func start(_ action: Unit, _ number: Int) -> any Disposable {
        let recorder = Recorder<Int, Failure>(trial, "start \(number)")
        state.touch()
        recorders.append(recorder)
        return action.apply(number).start(recorder)
    }

    enum End: CaseIterable { case completed, failed, interrupted }

    /// Ends an open unit if it is running.
    func end(_ number: Int, _ end: End = .completed, sending value: Int? = nil) {
        state.touch()
        guard let observer = open[number] else { return }
        if let value { observer.sendNext(value) }
        switch end {
        case .completed: observer.sendCompleted()
        case .failed: observer.sendError(TestFailure())
        case .interrupted: observer.sendInterrupted()
        }
    }

    /// Ends all running units, and checks the guarantees.
    ///
    /// - Parameter alone: Whether all starts were made by ``start(_:_:)``, so that they can be counted.
    func check(_ action: Unit?, isEnabled: Bool = true, alone: Bool = true) {
        while let number = open.keys.min() { end(number) }
        trial.expect(begun.sorted() == cleaned.sorted(), "begun \(begun), cleaned up \(cleaned)")
        trial.expect(Set(prepared).count == prepared.count, "units begin twice: \(prepared)")
        trial.expect(Set(begun).isSubset(of: prepared), "\(begun) of \(prepared)")
        for recorder in recorders { recorder.expectOneEnd() }
        if alone { checkReports() }
        for (recorder, first) in [(executing, true), (enabled, false)] {
            for (index, value) in recorder.values.enumerated() {
                let isRight = (value == first) == index.isMultiple(of: 2)
                trial.expect(isRight, "changes to the same: \(recorder.values)")
            }
        }
        trial.expect(executing.values.last != true, "it still executes: \(executing.values)")
        guard let action else { return }
        trial.expect(!action.isExecuting.value, "it still executes")
        trial.expect(action.isEnabled.value == isEnabled, "it is enabled: \(action.isEnabled.value)")
        trial.expect(enabled.values.last ?? true == isEnabled, "isEnabled: \(enabled.values)")
    }

    /// The action reports the same events that the starts receive.
    private func checkReports() {
        let disabled = recorders.count { if case .error(.disabled) = $0.end { true } else { false } }
        trial.expect(refusals.values.count == disabled, "\(refusals.values.count) of \(disabled) refusals are reported")
        // A unit's value and its end are each reported once.
        let reported = events.values.count { $0.value == nil }
        trial.expect(reported <= recorders.count - disabled, "\(reported) ends of \(recorders.count) starts")
        // An interrupted start may miss a reported value. No other start may.
        let sent = recorders.flatMap(\.values)
        let isInterrupted = recorders.contains { if case .interrupted = $0.end { true } else { false } }
        let isReported =
            isInterrupted
            ? Set(sent).isSubset(of: values.values) && Set(values.values).count == values.values.count
            : sent.sorted() == values.values.sorted()
        trial.expect(isReported, "values are \(values.values), and the starts have got \(sent)")
    }
}
#endif
