/// An operator with two inputs: the source, and another stream.
///
/// It consists of a state and the inputs that change it. The gate of the result serializes the inputs, so it needs no
/// lock: each of the methods that receive has the gate to itself, and delivers to the core. None is called once the
/// machine is over.
@usableFromInline
package protocol StateMachine<Value, Failure>: OperatorState {
    associatedtype Value: Sendable
    /// The source fails as the result does.
    associatedtype Failure: Error
    /// The values of the source.
    associatedtype Source: Sendable
    /// The values of the other stream.
    associatedtype Other: Sendable
    associatedtype OtherFailure: Error = Never

    /// The core of the result. It is a root.
    var core: Core<Value, Failure> { get }

    func receive(_ value: Source)
    func receiveOther(_ value: Other)

    /// Ends the result, unless the machine does something else.
    func receiveEnd(_ termination: Termination<Failure>)

    /// Called with the ends that the machine wants. Without this method it wants none.
    func receiveOtherEnd(_ termination: Termination<OtherFailure>)

    /// Whether the machine has to know of an end. Called outside the gate, so that an end that changes nothing waits
    /// for nobody.
    static func wantsEnd(_ termination: Termination<Failure>) -> Bool
    func wantsOtherEnd(_ termination: Termination<OtherFailure>) -> Bool

    /// For a machine that is done with its source, or the other stream, before the result ends: what it disposes of
    /// then.
    var sourceObservation: SerialDisposable? { get }
    var otherObservation: SerialDisposable? { get }

    /// What needs the inputs, for a machine that sends streams of an input's values. They may outlive the result: then
    /// the machine observes its inputs until it is not needed any more.
    var users: SourceUsers? { get }

    /// Whether inputs are not handled any more.
    var isOver: Bool { get }
}

extension StateMachine {
    @_alwaysEmitIntoClient
    package func receiveEnd(_ termination: Termination<Failure>) { core.deliverEnd(termination) }

    @_alwaysEmitIntoClient
    package func receiveOtherEnd(_ termination: Termination<OtherFailure>) {}

    @_alwaysEmitIntoClient
    package static func wantsEnd(_ termination: Termination<Failure>) -> Bool { true }

    @_alwaysEmitIntoClient
    package func wantsOtherEnd(_ termination: Termination<OtherFailure>) -> Bool { false }

    @_alwaysEmitIntoClient @inline(__always)
    package var sourceObservation: SerialDisposable? { nil }

    @_alwaysEmitIntoClient @inline(__always)
    package var otherObservation: SerialDisposable? { nil }

    @_alwaysEmitIntoClient @inline(__always)
    package var users: SourceUsers? { nil }

    @_alwaysEmitIntoClient @inline(__always)
    package var isOver: Bool { core.terminated.isRaised }

    @_alwaysEmitIntoClient
    package func clear() {}

    /// Passes an input to the machine, unless that is over by then. Enters the gate of the result: now, or in order if
    /// the gate is taken.
    ///
    /// - Parameter receive: Captures nothing, so that nothing is allocated unless the gate is taken.
    @_alwaysEmitIntoClient @inline(__always)
    func enter<Input: Sendable>(with input: Input, _ receive: @escaping @Sendable (Self, Input) -> Void) {
        core.perform(
            { if !isOver { receive(self, input) } },
            orLater: { DeferredWork { if !self.isOver { receive(self, input) } } })
    }
}

/// Receives the source of a state machine.
@frozen @usableFromInline
package struct SourceInput<Machine: StateMachine>: Sink {
    @usableFromInline let machine: Machine

    @inlinable
    package init(_ machine: Machine) { self.machine = machine }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Machine.Source) {
        machine.enter(with: value) { $0.receive($1) }
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Machine.Failure>) {
        guard Machine.wantsEnd(termination) else { return }
        machine.enter(with: termination) { $0.receiveEnd($1) }
    }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { machine.isOver }
}

/// Receives the other stream of a state machine.
@frozen @usableFromInline
package struct OtherInput<Machine: StateMachine>: Sink {
    @usableFromInline let machine: Machine

    @inlinable
    package init(_ machine: Machine) { self.machine = machine }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Machine.Other) {
        machine.enter(with: value) { $0.receiveOther($1) }
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Machine.OtherFailure>) {
        guard machine.wantsOtherEnd(termination), !machine.isOver else { return }
        machine.enter(with: termination) { $0.receiveOtherEnd($1) }
    }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { machine.isOver }
}

extension Signal {
    /// Creates the result of a state machine whose source is this signal.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed.
    ///   - argument: The operator's number, or its duration in nanoseconds.
    ///   - other: The machine's other stream.
    ///   - observesOtherFirst: Whether it is observed before this signal.
    ///   - work: What is disposed of when the inputs are not needed any more.
    ///   - make: Creates the machine.
    @inlinable
    package func machine<Machine: StateMachine>(
        _ name: StaticString, argument: Int = 0, _ other: Signal<Machine.Other, Machine.OtherFailure>,
        observesOtherFirst: Bool = true, stopping work: (any Disposable)? = nil,
        make: (Core<Machine.Value, Machine.Failure>) -> Machine
    ) -> Signal<Machine.Value, Machine.Failure> where Machine.Source == Value, Machine.Failure == Failure {
        deriveRoot(name, argument: argument, others: [other.core]) { core, lifetime in
            let machine = make(core)
            core.state = machine
            var inputs = lifetime
            if let users = machine.users {
                lifetime.observeEnded { users.endResult() }
                inputs = users.makeLifetime()
            }
            inputs += work
            if observesOtherFirst {
                inputs.hold(other.observe(through: OtherInput(machine)), by: machine.otherObservation)
            }
            inputs.hold(observe(through: SourceInput(machine)), by: machine.sourceObservation)
            if !observesOtherFirst {
                inputs.hold(other.observe(through: OtherInput(machine)), by: machine.otherObservation)
            }
        }
    }
}

extension Lifetime {
    /// Disposes of an observation at the end, or before, when its holder is disposed of.
    @usableFromInline
    func hold(_ observation: (any Disposable)?, by holder: SerialDisposable?) {
        holder?.inner = observation
        self += holder ?? observation
    }
}
