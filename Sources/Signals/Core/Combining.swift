// Shared by the operators with several inputs. Such an operator is a state that is guarded by the gate of its result.
// An input enters that gate, changes the state, and delivers what results. The result is a root, because its inputs
// have their own gates. So an event enters one more gate.

extension Signal {
    /// Creates the result of an operator with several inputs.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed, without its inputs.
    ///   - inputs: The cores of the inputs. If any of them has the contention `.enqueue`, so has the result.
    ///   - connect: Observes the inputs. Disposables added to the lifetime are disposed of when the result ends.
    @_alwaysEmitIntoClient
    static func combining(
        _ name: StaticString, _ inputs: [SignalCore],
        connect: (_ core: Core<Value, Failure>, _ lifetime: Lifetime) -> Void
    ) -> Signal {
        root(StreamName(name, parent: OperatorInputs(inputs)), inputs, connect: connect)
    }

    /// Creates the result of an operator that derives from this signal but has its own gate, because other inputs or a
    /// scheduler act on it, too.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the operator delivers all events.
    ///   - passesSuspension: Whether consumers of the result can suspend the senders of this signal.
    @inlinable
    package func deriveRoot<NewValue, NewFailure>(
        _ name: StaticString, argument: Int = 0, others: [SignalCore] = [], on scheduler: (any Scheduler)? = nil,
        passesSuspension: Bool = false,
        connect: (_ core: Core<NewValue, NewFailure>, _ lifetime: Lifetime) -> Void
    ) -> Signal<NewValue, NewFailure> {
        .root(
            derivedName(name, argument), [core] + others, on: scheduler,
            suspending: passesSuspension ? core.senders : nil, connect: connect)
    }

    /// `deriveRoot` for an operator whose sink does all the work.
    @inlinable
    package func derive<NewValue, NewFailure, S: WorkingSink>(
        _ name: StaticString, argument: Int = 0, on scheduler: (any Scheduler)? = nil,
        passesSuspension: Bool = false, headed makeSink: (Core<NewValue, NewFailure>) -> S
    ) -> Signal<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        deriveRoot(name, argument: argument, on: scheduler, passesSuspension: passesSuspension) { core, lifetime in
            let sink = makeSink(core)
            var sources = lifetime
            if let users = sink.users {
                lifetime.observeEnded { users.endResult() }
                sources = users.makeLifetime()
            }
            sources.observeEnded(sink.stopWork)
            sources += observe(through: sink)
        }
    }

    /// `derive` for an operator that sends at a time.
    ///
    /// - Parameter machine: The rules of the operator, before the first event.
    @_alwaysEmitIntoClient
    package func deriveTimed<Machine: TimedMachine>(
        _ name: StaticString, argument: Int = 0, on scheduler: some DelayScheduler, running machine: Machine
    ) -> Signal<Machine.Output, Failure> where Machine.Value == Value, Machine.Failure == Failure {
        derive(name, argument: argument, on: scheduler) {
            TimedSink(machine, clock: OperatorClock(scheduler), downstream: GateSink($0))
        }
    }

    @inlinable
    static func root(
        _ name: StreamName, _ inputs: [SignalCore], on scheduler: (any Scheduler)? = nil,
        suspending senders: SenderQueue? = nil,
        connect: (_ core: Core<Value, Failure>, _ lifetime: Lifetime) -> Void
    ) -> Signal {
        let core = Core<Value, Failure>(
            rootNamed: name, contention: inputs.lazy.map { $0.gate.contention }.joined().behind(scheduler),
            scheduler: scheduler ?? inputs.first?.scheduler, senders: senders)
        let lifetime = core.makeLifetime()
        // Create the handle first: the result must not be ended as unreferenced while its inputs are being connected.
        let signal = Signal(core: core)
        connect(core, lifetime)
        return signal
    }
}

extension SignalCore {
    /// Runs `work` as the owner of the gate: now, or in order if the gate is taken.
    @inlinable
    package final func perform(_ work: @escaping @Sendable () -> Void) {
        perform(work, orLater: { DeferredWork(work) })
    }

    /// The same. Only `later`, which makes the operation that does the same as `now`, allocates anything.
    @inlinable @inline(__always)
    package final func perform(_ now: () -> Void, orLater later: () -> DeferredWork) {
        let thread = ThreadIdentity.current
        if gateReference._withUnsafeGuaranteedRef({ $0.enter(thread) }) {
            now()
            gateReference._withUnsafeGuaranteedRef { $0.leave(thread) }
        } else {
            gate.push(later())
        }
    }

    /// Like ``perform(_:)``, but leaves the operations that other threads have pushed to those threads.
    @usableFromInline
    package final func performPassively(_ work: @escaping @Sendable () -> Void) {
        let thread = ThreadIdentity.current
        if gate.enterToObserve(thread) {
            work()
            gate.leavePassively(thread)
        } else {
            PassiveSection.run { gate.push(DeferredWork(work)) }
        }
    }
}
