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
        var inputs: [CombinedInput<Failure>] = []
        repeat inputs.append((each signals).queued)
        return zip(inputs)
    }

    // The compiler specializes the forms for two to six, but not the one for any number.

    /// Zips two signals: see ``zip(_:)->Signal<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func zip<First, Second>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>
    ) -> Signal<(First, Second), Failure> {
        zip([first.queued, second.queued])
    }

    /// Zips three signals: see ``zip(_:)->Signal<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func zip<First, Second, Third>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>, _ third: Signal<Third, Failure>
    ) -> Signal<(First, Second, Third), Failure> {
        zip([first.queued, second.queued, third.queued])
    }

    /// Zips four signals: see ``zip(_:)->Signal<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func zip<First, Second, Third, Fourth>(
        _ first: Signal<First, Failure>,
        _ second: Signal<Second, Failure>,
        _ third: Signal<Third, Failure>,
        _ fourth: Signal<Fourth, Failure>
    ) -> Signal<(First, Second, Third, Fourth), Failure> {
        zip([first.queued, second.queued, third.queued, fourth.queued])
    }

    /// Zips five signals: see ``zip(_:)->Signal<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func zip<First, Second, Third, Fourth, Fifth>(
        _ first: Signal<First, Failure>,
        _ second: Signal<Second, Failure>,
        _ third: Signal<Third, Failure>,
        _ fourth: Signal<Fourth, Failure>,
        _ fifth: Signal<Fifth, Failure>
    ) -> Signal<(First, Second, Third, Fourth, Fifth), Failure> {
        zip([first.queued, second.queued, third.queued, fourth.queued, fifth.queued])
    }

    /// Zips six signals: see ``zip(_:)->Signal<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func zip<First, Second, Third, Fourth, Fifth, Sixth>(
        _ first: Signal<First, Failure>,
        _ second: Signal<Second, Failure>,
        _ third: Signal<Third, Failure>,
        _ fourth: Signal<Fourth, Failure>,
        _ fifth: Signal<Fifth, Failure>,
        _ sixth: Signal<Sixth, Failure>
    ) -> Signal<(First, Second, Third, Fourth, Fifth, Sixth), Failure> {
        zip([first.queued, second.queued, third.queued, fourth.queued, fifth.queued, sixth.queued])
    }

    @_alwaysEmitIntoClient
    static func zip<Tuple: Sendable>(_ inputs: [CombinedInput<Failure>]) -> Signal<Tuple, Failure> {
        .combining("+zip:", inputs, layout: Tuple.self, read: { $0.move() })
    }
}

extension Signal {
    /// Zips the signals of a collection into arrays, in the collection's order: see
    /// ``zip(_:)->Signal<(Input),Failure>``.
    ///
    /// Without signals, the result has already completed.
    @_alwaysEmitIntoClient
    public static func zip(_ signals: some Collection<Signal>) -> Signal<[Value], Failure> {
        let count = signals.count
        return Signal<[Value], Failure>.combining(
            "+zip:", signals.map { $0.queued }, layout: Value.self, count: count,
            read: { first in (0..<count).map { (first + $0).move() } })
    }

    /// Zips this signal with another one: see ``zip(_:)->Signal<(Input),Failure>``. Values are buffered without a
    /// bound: see ``zip(with:bufferLimit:whenFull:raising:)``.
    @_alwaysEmitIntoClient
    public func zip<Other>(with other: Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
        Signal<Never, Failure>.zip(self, other)
    }

    /// This signal as an input whose values wait in a queue for those of the others.
    @_alwaysEmitIntoClient
    var queued: CombinedInput<Failure> {
        CombinedInput(core: core) {
            let input = $0.addQueue(Value.self)
            $0.connect { self.observe(through: input) }
        }
    }
}

extension Combiner {
    /// Adds an input whose values wait in a queue for those of the others. Returns what receives them.
    @_alwaysEmitIntoClient
    package mutating func addQueue<Value>(_: Value.Type) -> CombinedSink<QueueSlot<Value>, Failure> {
        add(QueueSlot<Value>(place(Value.self)))
    }
}

/// The values of one input that wait for values of the others. A ring buffer that keeps its memory.
@usableFromInline
@_fixed_layout
package final class QueueSlot<Value: Sendable>: AnyQueueSlot, InputSlot, @unchecked Sendable {
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

    @_alwaysEmitIntoClient
    package func take(_ value: Value, in combination: Combination<some Error>) {
        append(value)
        guard count == 1 else { return }
        combination.missing -= 1
        if combination.missing == 0 { combination.emitZipped() }
    }

    @_alwaysEmitIntoClient
    package func complete(in combination: Combination<some Error>) {
        isCompleted = true
        if isExhausted { combination.end(.completed) }
    }

    @usableFromInline
    package override func clear() {
        for position in 0..<count { (ring + ((head + position) & (capacity - 1))).deinitialize(count: 1) }
        count = 0
    }
}

/// A ``QueueSlot`` without its value type.
@usableFromInline
@_fixed_layout
package class AnyQueueSlot: CombinationSlot, @unchecked Sendable {
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
