import ColdProducers
import HotSignals
public import ReactiveProperties

// Disfavored, so that a closure that returns a producer selects the other initializers.
extension Action {
    /// Creates an action whose work is an async function, and that is enabled unless it is executing.
    ///
    /// ```swift
    /// let logIn = Action { (credentials: Credentials) async throws(LogInError) in try await api.logIn(credentials) }
    /// ```
    ///
    /// Each unit of work runs in a task, as with ``/ColdProducers/SignalProducer/async(priority:_:)-(_,()->Value)``: it
    /// sends the function's result or fails with the error that it throws, and is cancelled when the start is disposed
    /// of.
    ///
    /// - Parameters:
    ///   - policy: What happens to a start while the action is executing.
    ///   - priority: The priority of the tasks. By default, that of the task that starts a unit.
    ///   - operation: Called when a unit begins, on no actor. A closure literal must state its error type; otherwise
    ///     the compiler infers `any Error`.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    @_disfavoredOverload
    public convenience init(
        policy: ActionPolicy = .refuse, priority: TaskPriority? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        async operation: @escaping @Sendable (Input) async throws(Failure) -> Output
    ) {
        self.init(policy: policy, file: file, line: line) { input in .running(operation, input, priority) }
    }

    /// Creates an action whose work is an async function, and that can be disabled: see
    /// ``init(policy:priority:file:line:async:)-8hi8``.
    ///
    /// - Parameters:
    ///   - isEnabled: Whether the action is enabled, unless it is executing. Retained by the action.
    ///   - policy: What happens to a start while the action is executing.
    ///   - priority: The priority of the tasks. By default, that of the task that starts a unit.
    ///   - operation: Called when a unit begins, on no actor.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    @_disfavoredOverload
    public convenience init(
        enabledIf isEnabled: some PropertyProtocol<Bool>, policy: ActionPolicy = .refuse, priority: TaskPriority? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        async operation: @escaping @Sendable (Input) async throws(Failure) -> Output
    ) {
        self.init(enabledIf: isEnabled, policy: policy, file: file, line: line) { input in
            .running(operation, input, priority)
        }
    }
}

extension Action where Input == Void {
    /// Creates an action without an input whose work is an async function: see
    /// ``init(policy:priority:file:line:async:)-8hi8``.
    @_disfavoredOverload
    public convenience init(
        policy: ActionPolicy = .refuse, priority: TaskPriority? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        async operation: @escaping @Sendable () async throws(Failure) -> Output
    ) {
        self.init(policy: policy, file: file, line: line) { () in .async(priority: priority, operation) }
    }

    /// Creates an action without an input whose work is an async function, and that can be disabled: see
    /// ``init(policy:priority:file:line:async:)-8hi8``.
    @_disfavoredOverload
    public convenience init(
        enabledIf isEnabled: some PropertyProtocol<Bool>, policy: ActionPolicy = .refuse, priority: TaskPriority? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        async operation: @escaping @Sendable () async throws(Failure) -> Output
    ) {
        self.init(enabledIf: isEnabled, policy: policy, file: file, line: line) { () in
            .async(priority: priority, operation)
        }
    }
}

extension SignalProducer {
    /// Returns a producer that calls `operation` with an input.
    fileprivate static func running<Input: Sendable>(
        _ operation: @escaping @Sendable (Input) async throws(Failure) -> Value, _ input: Input,
        _ priority: TaskPriority?
    ) -> SignalProducer {
        .async(priority: priority) { () async throws(Failure) in try await operation(input) }
    }
}
