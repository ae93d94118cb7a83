extension SignalProducer {
    /// Applies an operator whose result needs its own gate, because this producer's work is not the only source of its
    /// events: a scheduler or inner streams, for example, act on it too.
    ///
    /// Each start creates the core of the result, whose receiver is the downstream sink, and a subscription for the
    /// upstream producer. There is no signal in between.
    ///
    /// - Parameters:
    ///   - name: The operator as printed in the name of the result: see ``StreamName``.
    ///   - argument: The number in the name.
    ///   - scheduler: The scheduler on which the operator delivers all events, including the interruption caused by a
    ///     disposal.
    ///   - makeSink: Creates the operator's upstream sink from the core of the result. Called once per start.
    @_alwaysEmitIntoClient
    package func derive<NewValue, NewFailure, S: WorkingSink>(
        _ name: StaticString, argument: Int = 0, on scheduler: (any Scheduler)? = nil,
        headed makeSink: @escaping @Sendable (Core<NewValue, NewFailure>) -> S
    ) -> SignalProducer<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        let name = derivedName(name, argument)
        return SignalProducer<NewValue, NewFailure>(name, contention: contention) { subscription, downstream in
            let core = Core<NewValue, NewFailure>(rootNamed: name, contention: contention, scheduler: scheduler)
            if scheduler == nil { core.adopt(downstream) } else { core.adopt(WantedSink(downstream: downstream)) }
            beginUpstream(of: subscription, into: makeSink(core), headedBy: core)
        }
    }

    /// `derive` for an operator that sends at a time.
    ///
    /// - Parameter machine: The rules of the operator, before the first event.
    @_alwaysEmitIntoClient
    package func deriveTimed<Machine: TimedMachine>(
        _ name: StaticString, argument: Int = 0, on scheduler: some DelayScheduler, running machine: Machine
    ) -> SignalProducer<Machine.Output, Failure> where Machine.Value == Value, Machine.Failure == Failure {
        derive(name, argument: argument, on: scheduler) {
            TimedSink(machine, clock: OperatorClock(scheduler), downstream: GateSink($0))
        }
    }
}

/// Connects a start of an operator's result to the subscription of the upstream producer.
///
/// A disposal interrupts the upstream subscription and also the result itself: upstream may already have ended, and
/// then no interruption arrives from there. Without a scheduler, the result is interrupted immediately. If a scheduler
/// delivers the events, the result is interrupted there, once the upstream subscription has ended. After the observer
/// has received the terminal event, the rest is stopped without an event.
///
/// While streams that the operator has sent need the source, the result ends alone.
@usableFromInline
@_fixed_layout
final class OperatorHead: SubscriptionHead {
    /// Serializes the events of the result.
    @usableFromInline let core: SignalCore
    /// Stops the operator's own work. Created where the type of its sink is known, because a generic method would run
    /// unspecialized.
    @usableFromInline let stopWork: @Sendable () -> Void
    @usableFromInline let users: SourceUsers?
    /// The upstream subscription. Counted separately in the caller's counter, because it is cleaned up after the
    /// observer of the result has received the terminal event.
    @usableFromInline let source = Subscription(within: LibraryTask.captured)

    @_alwaysEmitIntoClient
    init(_ core: SignalCore, stopWork: @escaping @Sendable () -> Void, users: SourceUsers? = nil) {
        self.core = core
        self.stopWork = stopWork
        self.users = users
    }

    @usableFromInline @discardableResult
    func interrupt() -> Bool {
        if let users, users.endResult() {
            core.interrupt()
            return false
        }
        _ = source.interruptForDisposal()
        guard core.schedulerObject == nil else {
            source.observeDelivered { [core] in core.interruptOnScheduler() }
            return true
        }
        core.interrupt()
        // If the operator is sending, the interruption is delivered only after that, so its work is stopped here.
        stopWork()
        return false
    }

    @usableFromInline
    func cutOff() {
        core.cutOff()
        if let users, users.endResult() { return }
        source.cutOff()
        stopWork()
    }

    @usableFromInline var graphCore: SignalCore? { core }

    @usableFromInline var graphSources: [Subscription] { [source] }
}
