import ColdProducers
import HotSignals

extension Signal {
    /// Sends values, except while the latest value of `other` is false. Ends
    /// when this signal does.
    func pass(while other: Signal<Bool, Never>) -> Signal {
        machine("pass(while:)", other) { PassMachine(core: $0) }
    }
}

extension SignalProducer {
    func pass(while other: SignalProducer<Bool, Never>) -> SignalProducer {
        machine("pass(while:)", other) { PassMachine(core: $0) }
    }
}

/// What both inputs send arrives here, one at a time.
final class PassMachine<Value: Sendable, Failure: Error>: StateMachine {
    let core: Core<Value, Failure>
    let isOpen = SinkState(true)

    init(core: Core<Value, Failure>) { self.core = core }

    func receive(_ value: Value) { if isOpen.value { core.deliver(value) } }

    func receiveOther(_ value: Bool) { isOpen.value = value }
}
