import ColdProducers
import HotSignals
public import ReactiveProperties

// Disfavoured, so that a closure that returns a producer is taken for what it is.
extension Action {
    /// An action whose work is an asynchronous function, enabled unless it is executing.
    ///
    ///     let logIn = Action { (credentials: Credentials) async throws(LogInError) in try await api.logIn(credentials) }
    ///
    /// Each unit of work is a task, as of ``/ColdProducers/SignalProducer/async(priority:_:)-(_,()->Value)``: it sends what the function returns, or
    /// fails with what that throws, and is cancelled when the start is disposed of.
    ///
    /// - Parameters:
    ///   - policy: What becomes of a start meanwhile.
    ///   - priority: That of the tasks. That of the task which starts a unit, if not given.
    ///   - operation: Called when a unit begins, on no actor. A closure literal states its error, as the compiler takes it for `any Error` otherwise.
    @_disfavoredOverload
    public convenience init(
        policy: ActionPolicy = .refuse, priority: TaskPriority? = nil,
        async operation: @escaping @Sendable (Input) async throws(Failure) -> Output
    ) {
        self.init(policy: policy) { input in .running(operation, input, priority) }
    }

    /// An action whose work is an asynchronous function, and that can be disabled: see ``init(policy:priority:async:)-70vc2``.
    ///
    /// - Parameters:
    ///   - isEnabled: Whether it is enabled, unless it is executing. The action holds it.
    ///   - policy: What becomes of a start meanwhile.
    ///   - priority: That of the tasks. That of the task which starts a unit, if not given.
    ///   - operation: Called when a unit begins, on no actor.
    @_disfavoredOverload
    public convenience init(
        enabledIf isEnabled: some PropertyProtocol<Bool>, policy: ActionPolicy = .refuse, priority: TaskPriority? = nil,
        async operation: @escaping @Sendable (Input) async throws(Failure) -> Output
    ) {
        self.init(enabledIf: isEnabled, policy: policy) { input in .running(operation, input, priority) }
    }
}

extension Action where Input == Void {
    /// An action without an input whose work is an asynchronous function: see ``init(policy:priority:async:)-70vc2``.
    @_disfavoredOverload
    public convenience init(
        policy: ActionPolicy = .refuse, priority: TaskPriority? = nil,
        async operation: @escaping @Sendable () async throws(Failure) -> Output
    ) {
        self.init(policy: policy) { () in .async(priority: priority, operation) }
    }

    /// An action without an input whose work is an asynchronous function, and that can be disabled: see
    /// ``init(policy:priority:async:)-70vc2``.
    @_disfavoredOverload
    public convenience init(
        enabledIf isEnabled: some PropertyProtocol<Bool>, policy: ActionPolicy = .refuse, priority: TaskPriority? = nil,
        async operation: @escaping @Sendable () async throws(Failure) -> Output
    ) {
        self.init(enabledIf: isEnabled, policy: policy) { () in .async(priority: priority, operation) }
    }
}

extension SignalProducer {
    /// A producer that calls `operation` with an input.
    fileprivate static func running<Input: Sendable>(
        _ operation: @escaping @Sendable (Input) async throws(Failure) -> Value, _ input: Input,
        _ priority: TaskPriority?
    ) -> SignalProducer {
        .async(priority: priority) { () async throws(Failure) in try await operation(input) }
    }
}
