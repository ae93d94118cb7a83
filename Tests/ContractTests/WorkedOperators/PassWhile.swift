import ColdProducers
import HotSignals

extension Signal {
    /// Sends values, except while the latest value of `other` is false. Ends
    /// when this signal does.
    func pass(while other: Signal<Bool, Never>) -> Signal {
        machine("pass(while:)", others: [other.core]) {
            PassMachine(core: $0)
        } connect: { machine, lifetime in
            lifetime += other.observe(through: machine.otherInput)
            lifetime += observe(through: machine.sourceInput)
        }
    }
}

/// What both inputs send arrives here, one at a time.
final class PassMachine<Value: Sendable, Failure: Error>: StateMachine {
    enum Input {
        case value(Value)
        case end(Termination<Failure>)
        case other(Bool)
    }

    let core: Core<Value, Failure>
    let isOpen = SinkState(true)

    init(core: Core<Value, Failure>) { self.core = core }

    var sourceInput: MachineInput<PassMachine, Value, Failure> {
        MachineInput(self, value: { .value($0) }, termination: { .end($0) })
    }

    var otherInput: MachineInput<PassMachine, Bool, Never> {
        MachineInput(self, value: { .other($0) }, termination: { _ in nil })
    }

    func handle(_ input: Input) {
        switch input {
        case .value(let value): if isOpen.value { core.deliver(value) }
        case .end(let termination): core.deliverEnd(termination)
        case .other(let new): isOpen.value = new
        }
    }

    func clear() {}
}
