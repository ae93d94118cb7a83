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
    /// - Parameter scheduler: The scheduler on which the operator delivers all events.
    @_alwaysEmitIntoClient
    package func deriveRoot<NewValue, NewFailure>(
        _ name: StaticString, argument: Int = 0, others: [SignalCore] = [], on scheduler: (any Scheduler)? = nil,
        connect: (_ core: Core<NewValue, NewFailure>, _ lifetime: Lifetime) -> Void
    ) -> Signal<NewValue, NewFailure> {
        .root(derivedName(name, argument), [core] + others, on: scheduler, connect: connect)
    }

    /// `deriveRoot` for an operator whose sink does all the work.
    @_alwaysEmitIntoClient
    package func derive<NewValue, NewFailure, S: WorkingSink>(
        _ name: StaticString, argument: Int = 0, on scheduler: (any Scheduler)? = nil,
        headed makeSink: (Core<NewValue, NewFailure>) -> S
    ) -> Signal<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        deriveRoot(name, argument: argument, on: scheduler) { core, lifetime in
            let sink = makeSink(core)
            var sources = lifetime
            if let users = sink.users {
                lifetime.observeEnded { users.endResult() }
                sources = users.lifetime
            }
            sources.observeEnded(sink.stopWork)
            sources += observe(through: sink)
        }
    }

    /// `deriveRoot` for an operator that sends at a time.
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

    @_alwaysEmitIntoClient
    static func root(
        _ name: StreamName, _ inputs: [SignalCore], on scheduler: (any Scheduler)? = nil,
        connect: (_ core: Core<Value, Failure>, _ lifetime: Lifetime) -> Void
    ) -> Signal {
        let core = Core<Value, Failure>(
            rootNamed: name, contention: scheduler == nil ? inputs.lazy.map { $0.gate.contention }.joined() : .wait,
            scheduler: scheduler ?? inputs.first?.schedulerObject)
        let lifetime = core.makeLifetime()
        // Create the handle first: the result must not be ended as unreferenced while its inputs are being connected.
        let signal = Signal(core: core)
        connect(core, lifetime)
        return signal
    }
}

extension SignalCore {
    /// Runs `work` as the owner of the gate: now, or in order if the gate is taken.
    @_alwaysEmitIntoClient
    package final func perform(_ work: @escaping @Sendable () -> Void) {
        let thread = ThreadIdentity.current
        if gateReference._withUnsafeGuaranteedRef({ $0.enter(thread) }) {
            work()
            gateReference._withUnsafeGuaranteedRef { $0.leave(thread) }
        } else {
            gate.push(DeferredWork(work))
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

/// The values of several inputs of different types, laid out in memory as the tuple or array that they are combined
/// into, so that combining them is a single read.
///
/// Everything in it is only for the owner of the result's gate.
@usableFromInline
package final class Combination<Failure: Error>: @unchecked Sendable {
    // Sendable: see above.

    /// The core of the result. Its gate guards the combination and its memory.
    @usableFromInline let core: SignalCore
    /// Delivers the combined value that the memory holds.
    @usableFromInline let emit: @Sendable () -> Void
    /// Terminates the result.
    @usableFromInline let end: @Sendable (Termination<Failure>) -> Void
    private let memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) @usableFromInline var slots: [CombinationSlot] = []
    /// The number of slots without an available value.
    @exclusivity(unchecked) @usableFromInline var missing = 0
    /// The number of inputs that have not completed.
    @exclusivity(unchecked) @usableFromInline var running = 0
    @usableFromInline let owner = Owner(of: "a combination of inputs")

    @usableFromInline
    init(
        core: SignalCore, memory: UnsafeMutableRawPointer, emit: @escaping @Sendable () -> Void,
        end: @escaping @Sendable (Termination<Failure>) -> Void
    ) {
        self.core = core
        self.memory = memory
        self.emit = emit
        self.end = end
    }

    deinit {
        clear()
        memory.deallocate()
    }

    @usableFromInline
    func add(_ slot: CombinationSlot) {
        slots.append(slot)
        missing += 1
        running += 1
    }

    /// Releases the stored values.
    @usableFromInline
    func clear() {
        for slot in slots { slot.clear() }
        slots = []
    }
}

/// The part of a ``Combination`` that belongs to one input.
@usableFromInline
@_fixed_layout
class CombinationSlot: @unchecked Sendable {
    // Sendable: only for the owner of the result's gate.

    /// Whether the input has completed.
    @exclusivity(unchecked) @usableFromInline final var isCompleted = false

    @_alwaysEmitIntoClient
    init() {}

    @usableFromInline
    func clear() { preconditionFailure("CombinationSlot is abstract") }
}

/// Lays out the inputs of a ``Combination`` in memory and connects them.
@usableFromInline
package struct Combiner<Failure: Error> {
    @usableFromInline let combination: Combination<Failure>
    private let memory: UnsafeMutableRawPointer
    private var end = 0
    private var connections: [() -> (any Disposable)?] = []

    @usableFromInline
    init(_ combination: Combination<Failure>, _ memory: UnsafeMutableRawPointer) {
        self.combination = combination
        self.memory = memory
    }

    /// Returns the address of the next element: after the previous one, at the required alignment. This is the memory
    /// layout of tuples and arrays.
    @usableFromInline
    mutating func place<Value>(_: Value.Type) -> UnsafeMutablePointer<Value> {
        let alignment = MemoryLayout<Value>.alignment
        let offset = (end + alignment - 1) & ~(alignment - 1)
        end = offset + MemoryLayout<Value>.size
        return (memory + offset).assumingMemoryBound(to: Value.self)
    }

    /// Adds an input. Inputs are connected only after all have been added, because the first one may send immediately.
    ///
    /// - Parameter connect: Observes a signal, or begins the work of a start.
    @usableFromInline
    mutating func add(_ slot: CombinationSlot, connect: @escaping () -> (any Disposable)?) {
        combination.add(slot)
        connections.append(connect)
    }

    /// - Parameter lifetime: The lifetime of the result. What the inputs return is disposed of when it ends.
    @usableFromInline
    package func connect(_ lifetime: Lifetime) {
        for connect in connections { lifetime += connect() }
    }
}

extension Core {
    /// Makes this core the result of an operator that combines one value from each input. It has no inputs yet.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime of this core.
    ///   - layout: The type of the memory: the tuple, or the element of the array.
    ///   - count: The number of such elements.
    ///   - read: Creates the combined value from the memory.
    @_alwaysEmitIntoClient
    package func makeCombiner<Layout>(
        _ lifetime: Lifetime, layout: Layout.Type, count: Int,
        read: @escaping @Sendable (UnsafeMutablePointer<Layout>) -> Value
    ) -> Combiner<Failure> {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: Swift.max(1, MemoryLayout<Layout>.stride * count), alignment: MemoryLayout<Layout>.alignment)
        let typed = CombinedMemory(address: memory.assumingMemoryBound(to: Layout.self))
        let combination = Combination<Failure>(
            core: self, memory: memory,
            emit: { self.deliver(read(typed.address)) },
            end: { self.deliverEnd($0) })
        lifetime.observeEnded { combination.clear() }
        return Combiner(combination, memory)
    }
}

extension Signal {
    /// Creates the result of an operator that combines one value from each input.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed, without its inputs.
    ///   - inputs: The cores of the inputs.
    ///   - layout: See ``Core/makeCombiner(_:layout:count:read:)``, as for `count` and `read`.
    ///   - count: The number of elements.
    ///   - read: Creates the combined value.
    ///   - add: Adds the inputs.
    @_alwaysEmitIntoClient
    static func combining<Layout>(
        _ name: StaticString, _ inputs: [SignalCore],
        layout: Layout.Type, count: Int = 1,
        read: @escaping @Sendable (UnsafeMutablePointer<Layout>) -> Value,
        add: (inout Combiner<Failure>) -> Void
    ) -> Signal {
        combining(name, inputs) { core, lifetime in
            var combiner = core.makeCombiner(lifetime, layout: layout, count: count, read: read)
            add(&combiner)
            combiner.connect(lifetime)
        }
    }
}

/// The typed memory of a ``Combination``.
@frozen @usableFromInline
struct CombinedMemory<Value>: @unchecked Sendable {
    // Sendable: only for the owner of the result's gate.
    @usableFromInline let address: UnsafeMutablePointer<Value>

    @_alwaysEmitIntoClient
    init(address: UnsafeMutablePointer<Value>) { self.address = address }
}
