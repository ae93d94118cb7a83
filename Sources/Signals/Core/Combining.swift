// What the operators with several inputs share. Such an operator is a state that the gate of its result guards: an input
// enters that gate, changes the state, and delivers what follows from it. It is a root, as its inputs have gates of their
// own, so an event costs one more entry.

extension Signal {
    /// The result of an operator with several inputs.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed, without its inputs.
    ///   - inputs: The cores of the inputs. If any of them enqueues, so does the result.
    ///   - connect: Observes the inputs. What it adds to the lifetime is disposed of when the result ends.
    @inlinable
    static func combining(
        _ name: StaticString, _ inputs: [(name: StreamName, contention: Contention)],
        connect: (_ core: Core<Value, Failure>, _ lifetime: Lifetime) -> Void
    ) -> Signal {
        let core = Core<Value, Failure>(
            rootNamed: StreamName(name, parent: Junction(inputs.map(\.name))),
            contention: inputs.contains { $0.contention == .enqueue } ? .enqueue : .wait)
        let lifetime = core.makeLifetime()
        // The handle first: the result must not be forgotten while its inputs are being connected.
        let signal = Signal(core: core)
        connect(core, lifetime)
        return signal
    }

    /// What ``combining(_:_:connect:)`` wants to know of an input.
    @inlinable
    var asInput: (name: StreamName, contention: Contention) { (streamName, core.gate.contention) }
}

extension SignalCore {
    /// Runs `work` as the owner of the gate, now or, if it is taken, in turn.
    @inlinable
    final func perform(_ work: @escaping @Sendable () -> Void) {
        let thread = ThreadIdentity.current
        if gateReference._withUnsafeGuaranteedRef({ $0.enter(thread) }) {
            work()
            gateReference._withUnsafeGuaranteedRef { $0.leave(thread) }
        } else {
            gate.push(DeferredWork(work))
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
class CombinationSlot: @unchecked Sendable {
    // Sendable: for the owner of the result's gate only.

    /// Whether the input has completed.
    @exclusivity(unchecked) @usableFromInline final var isCompleted = false

    @inlinable
    init() {}

    @usableFromInline
    func clear() { preconditionFailure("CombinationSlot is abstract") }
}

/// The memory of a ``Combination``, typed.
@frozen @usableFromInline
struct CombinedMemory<Value>: @unchecked Sendable {
    // Sendable: for the owner of the result's gate only.
    @usableFromInline let address: UnsafeMutablePointer<Value>

    @inlinable
    init(_ address: UnsafeMutablePointer<Value>) { self.address = address }
}

/// Where the elements of a tuple lie in memory: one after the other, each aligned as it needs to be.
@usableFromInline
struct TupleLayout {
    private var end = 0

    @usableFromInline
    init() {}

    /// The offset of the next element, which is a `Value`.
    @usableFromInline
    mutating func place<Value>(_: Value.Type) -> Int {
        let alignment = MemoryLayout<Value>.alignment
        let offset = (end + alignment - 1) & ~(alignment - 1)
        end = offset + MemoryLayout<Value>.size
        return offset
    }
}
