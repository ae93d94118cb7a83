extension Signal where Value == Never {
    /// Sends the first values of all signals as a tuple, then the second values, and so on.
    ///
    /// ```marbles
    /// a                   --1-----2-----3--|
    /// b                   -----x-----y-------z--|
    /// Signal.zip(a, b)    -----(1,x)-(2,y)---(3,z)|
    /// ```
    ///
    /// Completes when one signal has completed and all of its values have been used. If a signal fails or is
    /// interrupted, the result does so immediately and releases the others. Values of a signal that is ahead of the
    /// others are buffered without a bound.
    ///
    /// - Parameter signals: Any number of signals of any value types and the same error type. Without signals, the
    ///   result has already completed.
    @_alwaysEmitIntoClient
    public static func zip<each Input: Sendable>(
        _ signals: repeat Signal<each Input, Failure>
    ) -> Signal<(repeat each Input), Failure> {
        typealias Tuple = (repeat each Input)
        var inputs: [SignalCore] = []
        repeat inputs.append((each signals).core)
        guard !inputs.isEmpty else { return .empty }
        return Signal<Tuple, Failure>.combining("+zip:", inputs, layout: Tuple.self, read: { $0.move() }) { combiner in
            repeat (each signals).zip(into: &combiner)
        }
    }

    /// Zips two signals: see ``zip(_:)->Signal<(Input),Failure>``.
    ///
    /// Unlike the form for any number of signals, it is fully specialized by the compiler.
    @_alwaysEmitIntoClient
    public static func zip<First, Second>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>
    ) -> Signal<(First, Second), Failure> {
        typealias Tuple = (First, Second)
        return Signal<Tuple, Failure>.combining(
            "+zip:", [first.core, second.core], layout: Tuple.self, read: { $0.move() }
        ) { combiner in
            first.zip(into: &combiner)
            second.zip(into: &combiner)
        }
    }
}

extension Signal {
    /// Zips the signals of a collection into arrays, in the collection's order: see
    /// ``zip(_:)->Signal<(Input),Failure>``.
    ///
    /// Without signals, the result has already completed.
    @_alwaysEmitIntoClient
    public static func zip(_ signals: some Collection<Signal>) -> Signal<[Value], Failure> {
        guard !signals.isEmpty else { return .empty }
        let count = signals.count
        return Signal<[Value], Failure>.combining(
            "+zip:", signals.map { $0.core }, layout: Value.self, count: count,
            read: { first in (0..<count).map { (first + $0).move() } }
        ) { combiner in
            for signal in signals { signal.zip(into: &combiner) }
        }
    }

    /// Zips this signal with another one: see ``zip(_:)->Signal<(Input),Failure>``. Values are buffered without a
    /// bound: see ``zip(with:bufferLimit:whenFull:raising:)``.
    @_alwaysEmitIntoClient
    public func zip<Other>(with other: Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
        Signal<Never, Failure>.zip(self, other)
    }

    /// Adds this signal as an input.
    @_alwaysEmitIntoClient
    func zip(into combiner: inout Combiner<Failure>) {
        combiner.addQueue { self.observe(through: $0) }
    }
}

extension Combiner {
    /// Adds an input whose values wait in a queue for those of the others.
    ///
    /// - Parameter connect: Receives the input's sink: see ``add(_:connect:)``.
    @_alwaysEmitIntoClient
    package mutating func addQueue<Value>(_ connect: @escaping (ZipInput<Value, Failure>) -> (any Disposable)?) {
        let slot = QueueSlot<Value>(place(Value.self))
        let input = ZipInput<Value, Failure>(slot: slot, combination: combination)
        add(slot) { connect(input) }
    }
}

/// The values of one input that wait for values of the others. A ring buffer that keeps its memory.
@usableFromInline
@_fixed_layout
final class QueueSlot<Value>: AnyQueueSlot, @unchecked Sendable {
    // Sendable: for the same reason as the base class.

    /// The place in the tuple to which the first value is moved when the tuple is complete.
    @usableFromInline let address: UnsafeMutablePointer<Value>
    @exclusivity(unchecked) @usableFromInline var ring = UnsafeMutablePointer<Value>.allocate(capacity: 4)
    /// A power of two.
    @exclusivity(unchecked) @usableFromInline var capacity = 4
    @exclusivity(unchecked) @usableFromInline var head = 0

    @_alwaysEmitIntoClient
    init(_ address: UnsafeMutablePointer<Value>) {
        self.address = address
        // Captures nothing. Created where the type is known, because a virtual method would run unspecialized.
        super.init { slot in
            let slot = unsafeDowncast(slot, to: QueueSlot<Value>.self)
            slot.address.moveInitialize(from: slot.ring + slot.head, count: 1)
            slot.head = (slot.head &+ 1) & (slot.capacity &- 1)
            slot.count &-= 1
        }
    }

    deinit { ring.deallocate() }

    @_alwaysEmitIntoClient
    func append(_ value: Value) {
        if count == capacity { grow() }
        (ring + ((head &+ count) & (capacity &- 1))).initialize(to: value)
        count &+= 1
    }

    /// The queue must not be empty.
    @_alwaysEmitIntoClient
    func removeFirst() -> Value {
        let value = (ring + head).move()
        head = (head &+ 1) & (capacity &- 1)
        count &-= 1
        return value
    }

    @_alwaysEmitIntoClient
    func grow() {
        let new = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2)
        for position in 0..<count {
            (new + position).moveInitialize(from: ring + ((head + position) & (capacity - 1)), count: 1)
        }
        ring.deallocate()
        ring = new
        capacity *= 2
        head = 0
    }

    @usableFromInline
    override func clear() {
        for position in 0..<count { (ring + ((head + position) & (capacity - 1))).deinitialize(count: 1) }
        count = 0
    }
}

/// A ``QueueSlot`` without its value type.
@usableFromInline
@_fixed_layout
class AnyQueueSlot: CombinationSlot, @unchecked Sendable {
    // Sendable: for the same reason as the base class.
    @exclusivity(unchecked) @usableFromInline final var count = 0
    /// Moves the first value to its place in the tuple.
    @usableFromInline final let moveFirst: @Sendable (AnyQueueSlot) -> Void

    @_alwaysEmitIntoClient
    init(moveFirst: @escaping @Sendable (AnyQueueSlot) -> Void) {
        self.moveFirst = moveFirst
        super.init()
    }

    /// Whether the input has completed and its queue is empty.
    @_alwaysEmitIntoClient
    final var isExhausted: Bool { isCompleted && count == 0 }
}

/// Receives one of the inputs.
@frozen @usableFromInline
package struct ZipInput<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let slot: QueueSlot<Value>
    @usableFromInline let combination: Combination<Failure>

    @_alwaysEmitIntoClient
    init(slot: QueueSlot<Value>, combination: Combination<Failure>) {
        self.slot = slot
        self.combination = combination
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Value) {
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
    func update(_ value: Value) {
        guard !combination.core.terminated.isRaised else { return }
        combination.owner.writes()
        slot.append(value)
        guard slot.count == 1 else { return }
        combination.missing -= 1
        if combination.missing == 0 { combination.emitZipped() }
    }

    @usableFromInline
    package func end(_ termination: Termination<Failure>) {
        combination.core.perform {
            guard case .completed = termination else { return combination.end(termination) }
            combination.owner.writes()
            slot.isCompleted = true
            if slot.isExhausted { combination.end(.completed) }
        }
    }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { combination.core.terminated.isRaised }
}

extension Combination {
    /// Sends the first values of all slots, and completes if one of them is exhausted.
    @usableFromInline
    func emitZipped() {
        var isExhausted = false
        for slot in slots {
            // `zip` adds only queues.
            let slot = unsafeDowncast(slot, to: AnyQueueSlot.self)
            slot.moveFirst(slot)
            if slot.count == 0 { missing += 1 }
            if slot.isExhausted { isExhausted = true }
        }
        emit()
        if isExhausted { end(.completed) }
    }
}
