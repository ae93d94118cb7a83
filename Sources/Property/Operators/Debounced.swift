public import HotSignals

extension PropertyProtocol {
    /// A property that takes on a new value of this property only after no other has come for `interval`.
    ///
    /// ```marbles
    /// source                                      1--2-3--------4--|
    /// source.debounced(.seconds(4), on: clock)    1--------3--------4|
    /// ```
    ///
    /// Begins with the current value. Changes on the scheduler. Like
    /// ``/HotSignals/Signal/debounce(_:on:discardWhenCompleted:)``, but when this property ends, the last
    /// value is taken on when it is due, and then the result ends.
    ///
    /// The result is a root, like a ``MutableProperty``, because it changes at other times than this property: see
    /// <doc:Glitches>. It observes this property as long as it is referenced, and stores one value.
    ///
    /// - Parameters:
    ///   - interval: How long this property must keep a value. Traps if negative.
    ///   - scheduler: Where the property changes.
    public func debounced(_ interval: Duration, on scheduler: some DelayScheduler) -> Property<Value> {
        require(interval >= .zero, "debounced(\(interval)): the interval must not be negative")
        return following(
            "debounced: @", interval, DebounceMachine(interval: interval, discardWhenCompleted: false), on: scheduler)
    }

    /// - Parameter machine: Decides when a new value is taken on. It does not receive the current one.
    func following<Machine: TimedMachine>(
        _ name: StaticString, _ interval: Duration, _ machine: Machine, on scheduler: some DelayScheduler
    ) -> Property<Value> where Machine.Value == Value, Machine.Output == Value, Machine.Failure == Never {
        Property(
            StreamName(
                name, argument: interval.nanoseconds, parent: (self as? any NodeHolding<Value>)?.node.namedCore()),
            following: promptProducer.derive(name, argument: interval.nanoseconds, on: scheduler) { core in
                FirstAtOnceSink(
                    core, TimedSink(machine, clock: OperatorClock(scheduler), downstream: GateSink(core)))
            }, otherwise: { value })
    }
}

/// Sends the first value directly, and the others through a timed operator.
private struct FirstAtOnceSink<Value: Sendable, Timed: WorkingSink>: WorkingSink
where Timed.Value == Value, Timed.Failure == Never {
    private let core: Core<Value, Never>
    private let timed: Timed
    private let isFirst = SinkState(true)

    init(_ core: Core<Value, Never>, _ timed: Timed) {
        self.core = core
        self.timed = timed
    }

    func next(_ value: Value) {
        guard isFirst.value else { return timed.next(value) }
        isFirst.value = false
        core.sendNext(value)
    }

    func end(_ termination: Termination<Never>) { timed.end(termination) }

    var hasEnded: Bool { timed.hasEnded }

    var stopWork: @Sendable () -> Void { timed.stopWork }
}
