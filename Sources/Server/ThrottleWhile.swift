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
        return deriveRoot("") { core, lifetime in
            let machine = HoldMachine(core: core)
            core.state = machine
            let isHolding = OtherInput(machine)
            lifetime += isThrottled.startWithNext { isHolding.next($0) }
            lifetime += observe(through: SourceInput(machine))
        }
        .derive("throttle(while:on:)", on: scheduler) { Relay(core: $0, scheduler: scheduler) }
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
        machine("", isThrottled.producer) { HoldMachine(core: $0) }
            .derive("throttle(while:on:)", on: scheduler) { Relay(core: $0, scheduler: scheduler) }
    }
}

/// Delivers values, or holds back the latest one.
@usableFromInline
@_fixed_layout
final class HoldMachine<Value: Sendable, Failure: Error>: StateMachine, @unchecked Sendable {
    // Sendable: only the owner of the core's gate accesses the variables.
    @usableFromInline let core: Core<Value, Failure>
    @exclusivity(unchecked) @usableFromInline var isHolding = false
    @exclusivity(unchecked) @usableFromInline var held: Value?

    @_alwaysEmitIntoClient
    init(core: Core<Value, Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    func receive(_ value: Value) {
        guard isHolding else { return core.deliver(value) }
        // The former value may end the result when it is released.
        _ = exchange(&held, with: value)
    }

    @_alwaysEmitIntoClient
    func receiveOther(_ isHolding: Bool) {
        self.isHolding = isHolding
        if !isHolding, let value = held.take() { core.deliver(value) }
    }

    @_alwaysEmitIntoClient
    func clear() { held = nil }
}
