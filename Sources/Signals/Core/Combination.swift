/// The values of several inputs of different types, laid out in memory as the tuple or array that they are combined
/// into, so that combining them is a single read.
///
/// Everything in it is only for the owner of the result's gate.
@usableFromInline
package final class Combination<Failure: Error>: OperatorState, @unchecked Sendable {
    // Sendable: see above.

    /// The core of the result. Its gate guards the combination and its memory.
    @usableFromInline let result: SignalCore
    /// Delivers the combined value that the memory holds.
    @usableFromInline let emit: @Sendable () -> Void
    /// Terminates the result.
    @usableFromInline let end: @Sendable (Termination<Failure>) -> Void
    private let memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) @usableFromInline var slots: ContiguousArray<CombinationSlot> = []
    /// The number of slots without an available value.
    @exclusivity(unchecked) @usableFromInline var missing = 0
    /// The number of inputs that have not completed.
    @exclusivity(unchecked) @usableFromInline var running = 0
    @usableFromInline let owner = Owner(of: "a combination of inputs")

    @usableFromInline
    init(
        result: SignalCore, memory: UnsafeMutableRawPointer, emit: @escaping @Sendable () -> Void,
        end: @escaping @Sendable (Termination<Failure>) -> Void
    ) {
        self.result = result
        self.memory = memory
        self.emit = emit
        self.end = end
    }

    deinit {
        clear()
        memory.deallocate()
    }

    /// Releases the stored values.
    @usableFromInline
    package func clear() {
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
    // Sendable: only for the owner of the result's gate, but for `start`, which is for the thread that begins the
    // inputs.

    /// Whether the input has completed.
    @exclusivity(unchecked) @usableFromInline final var isCompleted = false
    /// The start of the input, until it begins.
    @exclusivity(unchecked) @usableFromInline final var start: Start?

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
        combination.result.perform({ update(value) }, orLater: { DeferredWork { update(value) } })
    }

    /// Only for the owner of the result's gate.
    @_alwaysEmitIntoClient
    package func update(_ value: Slot.Value) {
        guard !combination.result.terminated.isRaised else { return }
        combination.owner.writes()
        slot.take(value, in: combination)
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) {
        combination.result.perform({ endInput(termination) }, orLater: { DeferredWork { endInput(termination) } })
    }

    /// Only for the owner of the result's gate.
    @_alwaysEmitIntoClient
    func endInput(_ termination: Termination<Failure>) {
        guard case .completed = termination else { return combination.end(termination) }
        combination.owner.writes()
        slot.complete(in: combination)
    }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { combination.result.terminated.isRaised }
}

/// Lays out the inputs of a ``Combination`` in memory, and then begins them: only then, because the first one may send
/// immediately. Each input is asked twice.
@usableFromInline
package struct Combiner<Failure: Error> {
    @usableFromInline package let combination: Combination<Failure>
    private let memory: UnsafeMutableRawPointer
    /// Where the next input is laid out.
    private var end = 0
    /// The slots of the inputs that begin. A copy, because the result may end meanwhile.
    private var slots: ArraySlice<CombinationSlot> = []
    /// Whether the inputs begin.
    @usableFromInline package private(set) var isLaidOut = false

    @usableFromInline
    init(_ combination: Combination<Failure>, _ memory: UnsafeMutableRawPointer, inputs: Int) {
        self.combination = combination
        self.memory = memory
        combination.slots.reserveCapacity(inputs)
    }

    /// Returns the address of the next element: after the previous one, at the required alignment. This is the memory
    /// layout of tuples and arrays.
    @usableFromInline
    package mutating func place<Value>(_: Value.Type) -> UnsafeMutablePointer<Value> {
        let alignment = MemoryLayout<Value>.alignment
        let offset = (end + alignment - 1) & ~(alignment - 1)
        end = offset + MemoryLayout<Value>.size
        return (memory + offset).assumingMemoryBound(to: Value.self)
    }

    /// Lays an input out.
    ///
    /// - Parameter start: What ``next(_:)`` returns with the slot.
    @usableFromInline
    package mutating func add(_ slot: CombinationSlot, start: Start? = nil) {
        slot.start = start
        combination.slots.append(slot)
        combination.missing += 1
        combination.running += 1
    }

    /// Call before anything can reach the result.
    @usableFromInline
    package mutating func endLayout() {
        slots = combination.slots[...]
        isLaidOut = true
    }

    /// Returns what receives the input that begins, and its start.
    @_alwaysEmitIntoClient
    package mutating func next<Slot: InputSlot>(
        _: Slot.Type
    ) -> (sink: CombinedSink<Slot, Failure>, start: Start?) {
        let slot = nextSlot()
        let start = slot.start.take()
        return (CombinedSink(slot: unsafeDowncast(slot, to: Slot.self), combination: combination), start)
    }

    @usableFromInline
    mutating func nextSlot() -> CombinationSlot { slots.removeFirst() }
}

extension Core {
    /// Makes this core the result of an operator that combines one value from each input. It has no inputs yet.
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
            result: self, memory: memory,
            emit: { self.deliver(read(typed.address)) },
            end: { self.deliverEnd($0) })
        state = combination
        return Combiner(combination, memory, inputs: inputs)
    }
}

/// An input of a signal that combines one value from each.
@frozen @usableFromInline
package struct CombinedInput<Failure: Error> {
    @usableFromInline let core: SignalCore
    /// Lays the input out, and when all have been, observes it.
    @usableFromInline let connect: (_ combiner: inout Combiner<Failure>, _ lifetime: Lifetime) -> Void

    @_alwaysEmitIntoClient
    init(core: SignalCore, connect: @escaping (_ combiner: inout Combiner<Failure>, _ lifetime: Lifetime) -> Void) {
        self.core = core
        self.connect = connect
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
            for input in inputs { input.connect(&combiner, lifetime) }
            combiner.endLayout()
            for input in inputs { input.connect(&combiner, lifetime) }
        }
    }

    /// This signal as an input.
    ///
    /// - Parameters:
    ///   - makeSlot: Receives the place of the input's value.
    ///   - makeSink: Receives the input.
    @_alwaysEmitIntoClient
    func combined<Slot: InputSlot, S: Sink<Value, Failure>>(
        _ makeSlot: @escaping (UnsafeMutablePointer<Value>) -> Slot,
        into makeSink: @escaping (CombinedSink<Slot, Failure>) -> S
    ) -> CombinedInput<Failure> {
        CombinedInput(core: core) { combiner, lifetime in
            if combiner.isLaidOut {
                lifetime += self.observe(through: makeSink(combiner.next(Slot.self).sink))
            } else {
                combiner.add(makeSlot(combiner.place(Value.self)))
            }
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
