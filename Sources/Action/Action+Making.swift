public import ColdProducers
import HotSignals
public import ReactiveProperties

extension Action {
    /// Creates an action that is enabled unless it is executing.
    ///
    /// - Parameters:
    ///   - policy: What happens to a start while the action is executing.
    ///   - execute: Creates the work of a unit from its input. Called when the unit begins.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    public convenience init(
        policy: ActionPolicy = .refuse, file: StaticString = #fileID, line: UInt = #line,
        _ execute: @escaping @Sendable (Input) -> SignalProducer<Output, Failure>
    ) {
        self.init(policy, condition: nil, madeAt: CodeLocation(file, line), prepare: { execute })
    }

    /// Creates an action that can be disabled.
    ///
    /// - Parameters:
    ///   - isEnabled: Whether the action is enabled, unless it is executing. Retained by the action.
    ///   - policy: What happens to a start while the action is executing.
    ///   - execute: Creates the work of a unit from its input. Called when the unit begins.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    public convenience init(
        enabledIf isEnabled: some PropertyProtocol<Bool>, policy: ActionPolicy = .refuse,
        file: StaticString = #fileID, line: UInt = #line,
        _ execute: @escaping @Sendable (Input) -> SignalProducer<Output, Failure>
    ) {
        let condition = Property(capturing: isEnabled)
        let node = condition.node
        self.init(
            policy, condition: condition, madeAt: CodeLocation(file, line),
            prepare: { withExtendedLifetime(condition) { node.latest ? execute : nil } })
    }

    /// Creates an action whose work needs a state.
    ///
    /// The work receives exactly the value for which the action was found to be enabled, even if other threads change
    /// the state and start the action.
    ///
    /// - Parameters:
    ///   - state: The property that holds the state. Retained by the action.
    ///   - isEnabled: Whether the action is enabled in this state, unless it is executing. Called once per change.
    ///   - policy: What happens to a start while the action is executing.
    ///   - execute: Creates the work of a unit from the state and its input. Called when the unit begins.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    public convenience init<State: PropertyProtocol>(
        state: State, enabledIf isEnabled: @escaping @Sendable (State.Value) -> Bool = { _ in true },
        policy: ActionPolicy = .refuse,
        file: StaticString = #fileID, line: UInt = #line,
        execute: @escaping @Sendable (State.Value, Input) -> SignalProducer<Output, Failure>
    ) {
        self.init(stateful: state, policy, CodeLocation(file, line)) { state in
            guard isEnabled(state) else { return nil }
            return { input in execute(state, input) }
        }
    }

    /// Creates an action whose work needs an optional value: the action is disabled while that is `nil`.
    ///
    /// - Parameters:
    ///   - state: The property that holds the state. Retained by the action.
    ///   - policy: What happens to a start while the action is executing.
    ///   - execute: Creates the work of a unit from the value and its input. Called when the unit begins.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    public convenience init<Wrapped: Sendable>(
        unwrapping state: some PropertyProtocol<Wrapped?>, policy: ActionPolicy = .refuse,
        file: StaticString = #fileID, line: UInt = #line,
        execute: @escaping @Sendable (Wrapped, Input) -> SignalProducer<Output, Failure>
    ) {
        self.init(stateful: state, policy, CodeLocation(file, line)) { state in
            guard let state else { return nil }
            return { input in execute(state, input) }
        }
    }

    /// Creates an action whose work needs a valid value: the action is disabled while the last proposed value is
    /// invalid.
    ///
    /// - Parameters:
    ///   - state: The property that holds the state. Retained by the action.
    ///   - policy: What happens to a start while the action is executing.
    ///   - execute: Creates the work of a unit from the value and its input. Called when the unit begins.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    public convenience init<Value: Sendable, ValidationError: Error>(
        validated state: ValidatingProperty<Value, ValidationError>, policy: ActionPolicy = .refuse,
        file: StaticString = #fileID, line: UInt = #line,
        execute: @escaping @Sendable (Value, Input) -> SignalProducer<Output, Failure>
    ) {
        self.init(stateful: Property(capturing: state.result), holding: state, policy, CodeLocation(file, line)) {
            result in
            guard let value = result.value else { return nil }
            return { input in execute(value, input) }
        }
    }

    /// - Parameters:
    ///   - held: Retained by the action.
    ///   - makeWork: Creates the work for a state, or returns `nil` if the action is disabled in that state. Called
    ///     once per change.
    private convenience init<State: PropertyProtocol>(
        stateful state: State, holding held: any Sendable = (), _ policy: ActionPolicy, _ location: CodeLocation,
        _ makeWork: @escaping @Sendable (State.Value) -> Work?
    ) {
        let work = state.map(makeWork)
        let node = work.node
        self.init(
            policy, condition: work.map { $0 != nil }.skipRepeats(), madeAt: location,
            prepare: { withExtendedLifetime((state, held, work)) { node.latest } })
    }
}

extension Action where Input == Void {
    /// Creates an action without an input.
    ///
    /// - Parameters:
    ///   - policy: What happens to a start while the action is executing.
    ///   - execute: Creates the work of a unit. Called when the unit begins.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    public convenience init(
        policy: ActionPolicy = .refuse, file: StaticString = #fileID, line: UInt = #line,
        _ execute: @escaping @Sendable () -> SignalProducer<Output, Failure>
    ) {
        self.init(policy: policy, file: file, line: line) { (_: Void) in execute() }
    }

    /// Creates an action without an input that can be disabled: see
    /// ``init(enabledIf:policy:file:line:_:)-(_,_,_,_,(Input)->SignalProducer<Output,Failure>)``.
    public convenience init(
        enabledIf isEnabled: some PropertyProtocol<Bool>, policy: ActionPolicy = .refuse,
        file: StaticString = #fileID, line: UInt = #line,
        _ execute: @escaping @Sendable () -> SignalProducer<Output, Failure>
    ) {
        self.init(enabledIf: isEnabled, policy: policy, file: file, line: line) { (_: Void) in execute() }
    }

    /// Creates an action without an input whose work needs a state. Like the initializer of the same name for an action
    /// with an input.
    public convenience init<State: PropertyProtocol>(
        state: State, enabledIf isEnabled: @escaping @Sendable (State.Value) -> Bool = { _ in true },
        policy: ActionPolicy = .refuse, file: StaticString = #fileID, line: UInt = #line,
        execute: @escaping @Sendable (State.Value) -> SignalProducer<Output, Failure>
    ) {
        self.init(state: state, enabledIf: isEnabled, policy: policy, file: file, line: line) { state, _ in
            execute(state)
        }
    }

    /// Creates an action without an input whose work needs an optional value: see
    /// ``init(unwrapping:policy:file:line:execute:)-(_,_,_,_,(Wrapped,Input)->SignalProducer<Output,Failure>)``.
    public convenience init<Wrapped: Sendable>(
        unwrapping state: some PropertyProtocol<Wrapped?>, policy: ActionPolicy = .refuse,
        file: StaticString = #fileID, line: UInt = #line,
        execute: @escaping @Sendable (Wrapped) -> SignalProducer<Output, Failure>
    ) {
        self.init(unwrapping: state, policy: policy, file: file, line: line) { state, _ in execute(state) }
    }

    /// Creates an action without an input whose work needs a valid value: see
    /// ``init(validated:policy:file:line:execute:)-(_,_,_,_,(Value,Input)->SignalProducer<Output,Failure>)``.
    public convenience init<Value: Sendable, ValidationError: Error>(
        validated state: ValidatingProperty<Value, ValidationError>, policy: ActionPolicy = .refuse,
        file: StaticString = #fileID, line: UInt = #line,
        execute: @escaping @Sendable (Value) -> SignalProducer<Output, Failure>
    ) {
        self.init(validated: state, policy: policy, file: file, line: line) { value, _ in execute(value) }
    }
}
