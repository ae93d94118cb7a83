extension Signal {
    /// Sends the values of all signals as they arrive.
    ///
    /// ```marbles
    /// a                     --1-----3----|
    /// b                     -----2----4-----|
    /// Signal.merge(a, b)    --1--2--3-4-----|
    /// ```
    ///
    /// Completes when all signals have completed. A signal that is interrupted counts as completed. Fails immediately
    /// when one of them fails, and releases the others. Without signals, the result has already completed.
    @_alwaysEmitIntoClient
    public static func merge(_ signals: Signal...) -> Signal { merge(signals) }

    /// Sends the values of all signals of a collection as they arrive: see ``merge(_:)-(Signal<Value,Failure>...)``.
    @_alwaysEmitIntoClient
    public static func merge(_ signals: some Collection<Signal>) -> Signal {
        guard !signals.isEmpty else { return .empty }
        return combining("+merge:", signals.map { $0.core }) { core, lifetime in
            let state = MergeState(remaining: signals.count, core: core)
            for signal in signals { lifetime += signal.observe(through: MergeInput(state: state)) }
        }
    }

    /// Sends the values of both signals as they arrive: see ``merge(_:)-(Signal<Value,Failure>...)``.
    @_alwaysEmitIntoClient
    public func merge(with other: Signal) -> Signal { .merge([self, other]) }

    /// Rejects a signal that has another error type.
    @available(
        *, unavailable, message: "the other stream fails in another way: promoteError() or mapError(_:) comes first"
    )
    public func merge<OtherFailure>(with other: Signal<Value, OtherFailure>) -> Signal { fatalError("unavailable") }
}

/// The number of inputs that have not terminated. Guarded by the gate of the result.
@usableFromInline
@_fixed_layout
final class MergeState<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable: only the owner of the core's gate accesses `remaining`.
    @exclusivity(unchecked) @usableFromInline var remaining: Int
    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline let owner = Owner(of: "the count of merged inputs")

    @_alwaysEmitIntoClient
    init(remaining: Int, core: Core<Value, Failure>) {
        self.remaining = remaining
        self.core = core
    }
}

/// Observes one of the inputs.
@frozen @usableFromInline
struct MergeInput<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let state: MergeState<Value, Failure>

    @_alwaysEmitIntoClient
    init(state: MergeState<Value, Failure>) { self.state = state }

    @_alwaysEmitIntoClient
    func next(_ value: Value) { state.core.sendNext(value) }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) {
        if case .error = termination { return state.core.sendEnd(termination) }
        state.core.perform { [state] in
            state.owner.writes()
            state.remaining -= 1
            if state.remaining == 0 { state.core.deliverEnd(.completed) }
        }
    }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { state.core.terminated.isRaised }
}
