/// An operator that is driven by more than one source: several inputs, or an input and a scheduler.
///
/// It consists of a state and the inputs that change it. The gate of the result serializes the inputs, so it needs no
/// lock. Every input goes through ``receive(_:)``, from any thread. ``handle(_:)`` makes the decisions and delivers.
/// The end of the result, or of its start, ends the machine.
@usableFromInline
package protocol StateMachine<Value, Failure>: OperatorState {
    associatedtype Value: Sendable
    associatedtype Failure: Error
    /// An event that the machine reacts to.
    associatedtype Input: Sendable

    /// The core of the result. It is a root.
    var core: Core<Value, Failure> { get }

    /// Only for the owner of the gate. Never called after the end.
    func handle(_ input: Input)

    /// What needs the inputs, for a machine that sends streams of an input's values. They may outlive the result: then
    /// the machine observes its inputs until it is not needed any more.
    var users: SourceUsers? { get }

    /// Whether inputs are not handled any more.
    var isOver: Bool { get }
}

extension StateMachine {
    @_alwaysEmitIntoClient @inline(__always)
    package var users: SourceUsers? { nil }

    @_alwaysEmitIntoClient @inline(__always)
    package var isOver: Bool { core.terminated.isRaised }

    /// Handles an input: now, or in order if the gate is taken.
    @_alwaysEmitIntoClient @inline(__always)
    package func receive(_ input: Input) {
        let thread = ThreadIdentity.current
        if core.gateReference._withUnsafeGuaranteedRef({ $0.enter(thread) }) {
            if !isOver { handle(input) }
            core.gateReference._withUnsafeGuaranteedRef { $0.leave(thread) }
        } else {
            enqueue(input)
        }
    }

    /// The slow path of ``receive(_:)``, kept out of line.
    @_alwaysEmitIntoClient @inline(never)
    func enqueue(_ input: Input) {
        core.gate.push(
            DeferredWork { [self] in
                if !isOver { handle(input) }
            })
    }
}

/// The sink that observes one input of a state machine.
@frozen @usableFromInline
package struct MachineInput<Machine: StateMachine, Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let machine: Machine
    /// Convert an event to an input of the machine, or to `nil` if the machine ignores it.
    @usableFromInline let value: @Sendable (Value) -> Machine.Input?
    @usableFromInline let termination: @Sendable (Termination<Failure>) -> Machine.Input?

    @_alwaysEmitIntoClient
    package init(
        _ machine: Machine, value: @escaping @Sendable (Value) -> Machine.Input?,
        termination: @escaping @Sendable (Termination<Failure>) -> Machine.Input?
    ) {
        self.machine = machine
        self.value = value
        self.termination = termination
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Value) {
        if let input = self.value(value) { machine.receive(input) }
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) {
        if let input = self.termination(termination) { machine.receive(input) }
    }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { machine.isOver }
}

extension Signal {
    /// Creates the result of a state machine whose first input is this signal.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed.
    ///   - argument: The operator's number, or its duration in nanoseconds.
    ///   - others: The other inputs.
    ///   - make: Creates the machine.
    ///   - connect: Observes the inputs. Disposables added to the lifetime are disposed of when the inputs are not
    ///     needed any more.
    @_alwaysEmitIntoClient
    package func machine<Machine: StateMachine>(
        _ name: StaticString, argument: Int = 0, others: [SignalCore] = [],
        make: (Core<Machine.Value, Machine.Failure>) -> Machine,
        connect: (_ machine: Machine, _ lifetime: Lifetime) -> Void
    ) -> Signal<Machine.Value, Machine.Failure> {
        deriveRoot(name, argument: argument, others: others) { core, lifetime in
            let machine = make(core)
            core.state = machine
            guard let users = machine.users else { return connect(machine, lifetime) }
            lifetime.observeEnded { users.endResult() }
            connect(machine, users.makeLifetime())
        }
    }
}
