public import ColdProducers
public import HotSignals

extension Signal {
    /// Holds back the latest value while a property is `true`, and delivers on a scheduler.
    ///
    /// Like ``/HotSignals/Signal/throttle(_:on:latest:discardWhenCompleted:)``, but a property says when values wait.
    ///
    /// ```marbles
    /// source                                       --1--2--3--4-----5--|
    /// property isBusy                              f---t--------f-------...
    /// source.throttle(while: isBusy, on: clock)    --1----------4---5--|
    /// ```
    ///
    /// When the property turns `false`, the value that is held is sent. All events are delivered on the scheduler, in
    /// order. A terminal event is scheduled immediately, and discards the value that is held. The property is not
    /// retained. When it ends, its last value remains in effect. Buffers one value.
    ///
    /// - Parameters:
    ///   - isThrottled: Observed before this signal.
    ///   - scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func throttle(while isThrottled: some PropertyProtocol<Bool>, on scheduler: some Scheduler) -> Signal {
        // The producer does not retain the property.
        let isThrottled = isThrottled.producer
        return machine("") {
            HoldMachine(core: $0)
        } connect: { machine, lifetime in
            lifetime += isThrottled.startWithNext { machine.receive(.isHolding($0)) }
            lifetime += observe(through: MachineInput(machine, value: { .value($0) }, termination: { .end($0) }))
        }
        .relayed("throttle(while:on:)", on: scheduler)
    }
}

extension SignalProducer {
    /// Holds back the latest value while a property is `true`, and delivers on a scheduler.
    ///
    /// Like ``HotSignals/Signal/throttle(while:on:)`` of signals, separately for each start. The property is not
    /// retained, either before or during a start.
    ///
    /// - Parameters:
    ///   - isThrottled: Observed before the work begins.
    ///   - scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func throttle(
        while isThrottled: some PropertyProtocol<Bool>, on scheduler: some Scheduler
    ) -> SignalProducer {
        machine("", isThrottled.producer, make: { HoldMachine(core: $0) }) { machine, _, _ in
            (
                MachineInput(machine, value: { .value($0) }, termination: { .end($0) }),
                MachineInput(machine, value: { .isHolding($0) }, termination: { _ in nil })
            )
        }
        .derive("throttle(while:on:)", on: scheduler) { Relay(core: $0, scheduler: scheduler) }
    }
}

/// Delivers values, or holds back the latest one.
@usableFromInline
@_fixed_layout
final class HoldMachine<Value: Sendable, Failure: Error>: StateMachine, @unchecked Sendable {
    // Sendable: only the owner of the core's gate accesses the variables.
    @frozen @usableFromInline
    enum Input: Sendable {
        case value(Value)
        case isHolding(Bool)
        case end(Termination<Failure>)
    }

    @usableFromInline let core: Core<Value, Failure>
    @exclusivity(unchecked) @usableFromInline var isHolding = false
    @exclusivity(unchecked) @usableFromInline var held: Value?

    @_alwaysEmitIntoClient
    init(core: Core<Value, Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    func handle(_ input: Input) {
        switch input {
        case .value(let value):
            if isHolding { held = value } else { core.deliver(value) }
        case .isHolding(let isHolding):
            self.isHolding = isHolding
            if !isHolding, let value = held.take() { core.deliver(value) }
        case .end(let termination): core.deliverEnd(termination)
        }
    }

    @_alwaysEmitIntoClient
    func clear() { held = nil }
}
