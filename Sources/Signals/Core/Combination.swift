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

    /// Releases the stored values when the start of the result has ended.
    @usableFromInline
    package func clearWhenEnded(_ result: Subscription) { core.whenEnded(result) { self.clear() } }

    /// Releases the stored values.
    @usableFromInline
    func clear() {
        // A value that is replaced can end the result when it is released. Then nothing is emitted.
        missing = .max
        for slot in slots { slot.clear() }
        slots = []
    }
}

/// The part of a ``Combination`` that belongs to one input.
@usableFromInline
@_fixed_layout
package class CombinationSlot: @unchecked Sendable {
    // Sendable: only for the owner of the result's gate.

    /// Whether the input has completed.
    @exclusivity(unchecked) @usableFromInline final var isCompleted = false

    @_alwaysEmitIntoClient
    init() {}

    @usableFromInline
    package func clear() { preconditionFailure("CombinationSlot is abstract") }
}

/// A slot that knows what a value of its input and its completion do.
@usableFromInline
package protocol InputSlot: CombinationSlot {
    associatedtype Value: Sendable

    func take(_ value: Value, in combination: Combination<some Error>)
    func complete(in combination: Combination<some Error>)
}

/// Receives one of the inputs.
@frozen @usableFromInline
package struct CombinedSink<Slot: InputSlot, Failure: Error>: Sink {
    @usableFromInline package let slot: Slot
    @usableFromInline package let combination: Combination<Failure>

    @_alwaysEmitIntoClient
    init(slot: Slot, combination: Combination<Failure>) {
        self.slot = slot
        self.combination = combination
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Slot.Value) {
        let core = combination.core
        let thread = ThreadIdentity.current
        if core.gateReference._withUnsafeGuaranteedRef({ $0.enter(thread) }) {
            update(value)
            core.gateReference._withUnsafeGuaranteedRef { $0.leave(thread) }
        } else {
            core.gate.push(DeferredWork { update(value) })
        }
    }

    /// Only for the owner of the result's gate.
    @_alwaysEmitIntoClient
    package func update(_ value: Slot.Value) {
        guard !combination.core.terminated.isRaised else { return }
        combination.owner.writes()
        slot.take(value, in: combination)
    }

    @usableFromInline
    package func end(_ termination: Termination<Failure>) {
        combination.core.perform {
            guard case .completed = termination else { return combination.end(termination) }
            combination.owner.writes()
            slot.complete(in: combination)
        }
    }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { combination.core.terminated.isRaised }
}

/// An input of a signal that combines one value from each.
@frozen @usableFromInline
package struct CombinedInput<Failure: Error> {
    @usableFromInline let core: SignalCore
    /// Lays the input out, and says how to connect it.
    @usableFromInline let add: (inout Combiner<Failure>) -> Void

    @_alwaysEmitIntoClient
    init(core: SignalCore, add: @escaping (inout Combiner<Failure>) -> Void) {
        self.core = core
        self.add = add
    }
}

/// Lays out the inputs of a ``Combination`` in memory and connects them.
@usableFromInline
package struct Combiner<Failure: Error> {
    @usableFromInline package let combination: Combination<Failure>
    private let memory: UnsafeMutableRawPointer
    private var end = 0
    private var connections: [() -> (any Disposable)?] = []

    @usableFromInline
    init(_ combination: Combination<Failure>, _ memory: UnsafeMutableRawPointer, inputs: Int) {
        self.combination = combination
        self.memory = memory
        combination.slots.reserveCapacity(inputs)
        connections.reserveCapacity(inputs)
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

    /// Adds an input. Returns what receives it.
    @_alwaysEmitIntoClient
    mutating func add<Slot: InputSlot>(_ slot: Slot) -> CombinedSink<Slot, Failure> {
        combination.add(slot)
        return CombinedSink(slot: slot, combination: combination)
    }

    /// Inputs are connected only after all have been added, because the first one may send immediately.
    ///
    /// - Parameter connect: Observes a signal, or begins the work of a start.
    @usableFromInline
    package mutating func connect(_ connect: @escaping () -> (any Disposable)?) { connections.append(connect) }

    /// - Parameter lifetime: The lifetime of the result. What the inputs return is disposed of when it ends.
    @usableFromInline
    package func connect(_ lifetime: Lifetime) {
        for connect in connections { lifetime += connect() }
    }

    /// Begins the work of starts, whose subscriptions own what is to be disposed of.
    @usableFromInline
    package func connect() {
        for connect in connections { _ = connect() }
    }
}

extension Core {
    /// Makes this core the result of an operator that combines one value from each input. It has no inputs yet. Clear
    /// the combination when the result has ended.
    ///
    /// - Parameters:
    ///   - layout: The type of the memory: the tuple, or the element of the array.
    ///   - count: The number of such elements.
    ///   - inputs: The number of inputs.
    ///   - read: Creates the combined value from the memory.
    @_alwaysEmitIntoClient
    package func makeCombiner<Layout>(
        layout: Layout.Type, count: Int, inputs: Int,
        read: @escaping @Sendable (UnsafeMutablePointer<Layout>) -> Value
    ) -> Combiner<Failure> {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: Swift.max(1, MemoryLayout<Layout>.stride * count), alignment: MemoryLayout<Layout>.alignment)
        let typed = CombinedMemory(address: memory.assumingMemoryBound(to: Layout.self))
        let combination = Combination<Failure>(
            core: self, memory: memory,
            emit: { self.deliver(read(typed.address)) },
            end: { self.deliverEnd($0) })
        return Combiner(combination, memory, inputs: inputs)
    }
}

extension Signal {
    /// Creates the result of an operator that combines one value from each input.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed, without its inputs.
    ///   - inputs: Without any, the result has already completed.
    ///   - layout: See ``Core/makeCombiner(layout:count:inputs:read:)``, as for `count` and `read`.
    ///   - count: The number of elements.
    ///   - read: Creates the combined value.
    @_alwaysEmitIntoClient
    static func combining<Layout>(
        _ name: StaticString, _ inputs: [CombinedInput<Failure>], layout: Layout.Type, count: Int = 1,
        read: @escaping @Sendable (UnsafeMutablePointer<Layout>) -> Value
    ) -> Signal {
        guard !inputs.isEmpty else { return .empty }
        return combining(name, inputs.map { $0.core }) { core, lifetime in
            var combiner = core.makeCombiner(layout: layout, count: count, inputs: inputs.count, read: read)
            for input in inputs { input.add(&combiner) }
            lifetime.observeEnded { [combination = combiner.combination] in combination.clear() }
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
