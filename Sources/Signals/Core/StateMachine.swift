/// An operator that more than one source acts on: several inputs, or an input and a scheduler.
///
/// It is a state and what may happen to it. The gate of its result serialises that, so it has no lock; whatever happens goes
/// through ``receive(_:)``, from any thread. ``handle(_:)`` decides and delivers. The result's lifetime ends it.
@usableFromInline
package protocol StateMachine<Value, Failure>: AnyObject, Sendable {
    associatedtype Value: Sendable
    associatedtype Failure: Error
    /// What can happen to it.
    associatedtype Input: Sendable

    /// The core of its result. It is a root.
    var core: Core<Value, Failure> { get }

    /// As the owner of the gate, and never after the end.
    func handle(_ input: Input)

    /// Lets go of the values that it holds. As the owner of the gate, once, at the end.
    func clear()
}

extension StateMachine {
    /// Takes an input, now or, if the gate is taken, in turn.
    @inlinable @inline(__always)
    package func receive(_ input: Input) {
        let thread = ThreadIdentity.current
        if core.gateReference._withUnsafeGuaranteedRef({ $0.enter(thread) }) {
            if !core.terminated.isRaised { handle(input) }
            core.gateReference._withUnsafeGuaranteedRef { $0.leave(thread) }
        } else {
            enqueue(input)
        }
    }

    /// The slow path of ``receive(_:)``, kept out of the fast one.
    @inlinable @inline(never)
    func enqueue(_ input: Input) {
        core.gate.push(
            DeferredWork { [self] in
                if !core.terminated.isRaised { handle(input) }
            })
    }
}

/// What observes an input of a state machine.
@frozen @usableFromInline
package struct MachineInput<Machine: StateMachine, Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let machine: Machine
    /// What an event means to the machine; nil if nothing. They capture nothing.
    @usableFromInline let value: @Sendable (Value) -> Machine.Input?
    @usableFromInline let termination: @Sendable (Termination<Failure>) -> Machine.Input?

    @inlinable
    package init(
        _ machine: Machine, value: @escaping @Sendable (Value) -> Machine.Input?,
        termination: @escaping @Sendable (Termination<Failure>) -> Machine.Input?
    ) {
        self.machine = machine
        self.value = value
        self.termination = termination
    }

    @inlinable
    package func next(_ value: Value) {
        if let input = self.value(value) { machine.receive(input) }
    }

    @inlinable
    package func end(_ termination: Termination<Failure>) {
        if let input = self.termination(termination) { machine.receive(input) }
    }

    @inlinable
    package var hasEnded: Bool { machine.core.terminated.isRaised }
}

extension Signal {
    /// The result of a state machine with this signal as its first input.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed.
    ///   - argument: The number, or the duration in nanoseconds, in it.
    ///   - others: The other inputs.
    ///   - make: Makes the machine.
    ///   - connect: Observes the inputs. What it adds to the lifetime is disposed of when the result ends.
    @inlinable
    package func machine<Machine: StateMachine>(
        _ name: StaticString, argument: Int = 0, others: [SignalCore] = [],
        make: (Core<Machine.Value, Machine.Failure>) -> Machine,
        connect: (_ machine: Machine, _ lifetime: Lifetime) -> Void
    ) -> Signal<Machine.Value, Machine.Failure> {
        deriveRoot(name, argument: argument, others: others) { core, lifetime in
            let machine = make(core)
            lifetime.observeEnded { machine.clear() }
            connect(machine, lifetime)
        }
    }
}
