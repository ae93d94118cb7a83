// What the operators with several inputs share. Such an operator is a state that the gate of its result guards: an input
// enters that gate, changes the state, and delivers what follows from it. It is a root, as its inputs have gates of their
// own, so an event costs one more entry.

extension Signal {
    /// The result of an operator that has several inputs.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed, without its inputs.
    ///   - inputs: The cores of the inputs. If any of them enqueues, so does the result.
    ///   - connect: Observes the inputs. What it adds to the lifetime is disposed of when the result ends.
    @inlinable
    static func combining(
        _ name: StaticString, _ inputs: [SignalCore],
        connect: (_ core: Core<Value, Failure>, _ lifetime: Lifetime) -> Void
    ) -> Signal {
        root(StreamName(name, parent: Junction(inputs)), inputs, connect: connect)
    }

    /// The result of an operator that derives from this signal, but has a gate of its own: other inputs act on it, too, or a
    /// scheduler.
    ///
    /// - Parameter scheduler: Where the operator delivers all events.
    @inlinable
    package func deriveRoot<NewValue, NewFailure>(
        _ name: StaticString, argument: Int = 0, others: [SignalCore] = [], on scheduler: (any Scheduler)? = nil,
        connect: (_ core: Core<NewValue, NewFailure>, _ lifetime: Lifetime) -> Void
    ) -> Signal<NewValue, NewFailure> {
        .root(derivedName(name, argument), [core] + others, on: scheduler, connect: connect)
    }

    /// The same for an operator whose sink does all that there is to do.
    @inlinable
    package func derive<NewValue, NewFailure, S: WorkingSink>(
        _ name: StaticString, argument: Int = 0, on scheduler: (any Scheduler)? = nil,
        headed makeSink: (Core<NewValue, NewFailure>) -> S
    ) -> Signal<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        deriveRoot(name, argument: argument, on: scheduler) { core, lifetime in
            let sink = makeSink(core)
            lifetime.observeEnded(sink.stopWork)
            lifetime += observe(through: sink)
        }
    }

    @inlinable
    static func root(
        _ name: StreamName, _ inputs: [SignalCore], on scheduler: (any Scheduler)? = nil,
        connect: (_ core: Core<Value, Failure>, _ lifetime: Lifetime) -> Void
    ) -> Signal {
        let core = Core<Value, Failure>(
            rootNamed: name, contention: inputs.contains { $0.gate.contention == .enqueue } ? .enqueue : .wait,
            scheduler: scheduler ?? inputs.first?.schedulerObject)
        let lifetime = core.makeLifetime()
        // The handle first: the result must not be forgotten while its inputs are being connected.
        let signal = Signal(core: core)
        connect(core, lifetime)
        return signal
    }
}

extension SignalCore {
    /// Runs `work` as the owner of the gate, now or, if it is taken, in turn.
    @inlinable
    package final func perform(_ work: @escaping @Sendable () -> Void) {
        let thread = ThreadIdentity.current
        if gateReference._withUnsafeGuaranteedRef({ $0.enter(thread) }) {
            work()
            gateReference._withUnsafeGuaranteedRef { $0.leave(thread) }
        } else {
            gate.push(DeferredWork(work))
        }
    }

    /// As ``perform(_:)``, but leaves to others what they have pushed.
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

/// The values of several inputs of different types, laid out as the tuple or the array that they are combined into, so
/// that combining them is one read.
///
/// Everything in it is for the owner of the result's gate only.
@usableFromInline
final class Combination<Failure: Error>: @unchecked Sendable {
    // Sendable: see above.

    /// The result. Its memory is the combination's to reach, its gate guards the combination.
    @usableFromInline let core: SignalCore
    /// Delivers the combined value that lies in the memory.
    @usableFromInline let emit: @Sendable () -> Void
    /// Ends the result.
    @usableFromInline let end: @Sendable (Termination<Failure>) -> Void
    private let memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) @usableFromInline var slots: [CombinationSlot] = []
    /// How many slots have nothing to offer.
    @exclusivity(unchecked) @usableFromInline var missing = 0
    /// How many inputs have not completed.
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

    /// Releases the values that are held.
    @usableFromInline
    func clear() {
        for slot in slots { slot.clear() }
        slots = []
    }
}

/// One input's part of a ``Combination``.
@usableFromInline
@_fixed_layout
class CombinationSlot: @unchecked Sendable {
    // Sendable: for the owner of the result's gate only.

    /// Whether the input has completed.
    @exclusivity(unchecked) @usableFromInline final var isCompleted = false

    @inlinable
    init() {}

    @usableFromInline
    func clear() { preconditionFailure("CombinationSlot is abstract") }
}

/// Lays out the inputs of a ``Combination`` and connects them.
@usableFromInline
struct Combiner<Failure: Error> {
    @usableFromInline let combination: Combination<Failure>
    private let memory: UnsafeMutableRawPointer
    private var end = 0
    private var connections: [() -> (any Disposable)?] = []

    @usableFromInline
    init(_ combination: Combination<Failure>, _ memory: UnsafeMutableRawPointer) {
        self.combination = combination
        self.memory = memory
    }

    /// Where the next element lies: behind the one before, aligned as it needs to be. That is how tuples lie in memory, and
    /// arrays.
    @usableFromInline
    mutating func place<Value>(_: Value.Type) -> UnsafeMutablePointer<Value> {
        let alignment = MemoryLayout<Value>.alignment
        let offset = (end + alignment - 1) & ~(alignment - 1)
        end = offset + MemoryLayout<Value>.size
        return (memory + offset).assumingMemoryBound(to: Value.self)
    }

    /// Adds an input, which is observed when all have been added: the first one may send at once.
    @usableFromInline
    mutating func add(_ slot: CombinationSlot, connect: @escaping () -> (any Disposable)?) {
        combination.add(slot)
        connections.append(connect)
    }

    @usableFromInline
    func connect(_ lifetime: Lifetime) {
        for connect in connections { lifetime += connect() }
    }
}

extension Signal {
    /// The result of an operator that combines one value of each input.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed, without its inputs.
    ///   - inputs: The cores of the inputs.
    ///   - layout: What lies in the memory: the tuple, or the elements of the array.
    ///   - count: How many of it.
    ///   - read: Makes the combined value from the memory.
    ///   - add: Adds the inputs.
    @inlinable
    static func combining<Layout>(
        _ name: StaticString, _ inputs: [SignalCore],
        layout: Layout.Type, count: Int = 1,
        read: @escaping @Sendable (UnsafeMutablePointer<Layout>) -> Value,
        add: (inout Combiner<Failure>) -> Void
    ) -> Signal {
        combining(name, inputs) { core, lifetime in
            let memory = UnsafeMutableRawPointer.allocate(
                byteCount: Swift.max(1, MemoryLayout<Layout>.stride * count), alignment: MemoryLayout<Layout>.alignment)
            let typed = CombinedMemory(address: memory.assumingMemoryBound(to: Layout.self))
            let combination = Combination<Failure>(
                core: core, memory: memory,
                emit: { core.deliver(read(typed.address)) },
                end: { core.deliverEnd($0) })
            lifetime.observeEnded { combination.clear() }
            var combiner = Combiner(combination, memory)
            add(&combiner)
            combiner.connect(lifetime)
        }
    }
}

/// The memory of a ``Combination``, typed.
@frozen @usableFromInline
struct CombinedMemory<Value>: @unchecked Sendable {
    // Sendable: for the owner of the result's gate only.
    @usableFromInline let address: UnsafeMutablePointer<Value>

    @inlinable
    init(address: UnsafeMutablePointer<Value>) { self.address = address }
}
