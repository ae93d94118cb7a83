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
    var queued: CombinedInput<Failure> { combined({ QueueSlot($0) }, into: { $0 }) }
}

/// The values of one input that wait for values of the others. The first one is where it is combined.
@usableFromInline
@_fixed_layout
package final class QueueSlot<Value: Sendable>: AnyQueueSlot, InputSlot, @unchecked Sendable {
    // Sendable: for the same reason as the base class.

    /// The place of the first value.
    @usableFromInline let address: UnsafeMutablePointer<Value>
    /// The values behind the first one.
    @exclusivity(unchecked) @usableFromInline var others = Queue<Value>()

    @_alwaysEmitIntoClient
    package init(_ address: UnsafeMutablePointer<Value>) {
        self.address = address
        // Captures nothing. Created where the type is known, because a virtual method would run unspecialized.
        super.init { slot in
            let slot = unsafeDowncast(slot, to: QueueSlot<Value>.self)
            slot.address.initialize(to: slot.others.popFirst().unsafelyUnwrapped)
        }
    }

    @_alwaysEmitIntoClient
    func append(_ value: Value) {
        if count == 0 { address.initialize(to: value) } else { others.append(value) }
        count &+= 1
    }

    /// The queue must not be empty.
    @_alwaysEmitIntoClient
    func removeFirst() -> Value {
        let value = address.move()
        count &-= 1
        if count > 0 { moveUp(self) }
        return value
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
        if count > 0, !isFirstTaken { address.deinitialize(count: 1) }
        count = 0
        others = Queue()
    }
}

/// A ``QueueSlot`` without its value type.
@usableFromInline
@_fixed_layout
package class AnyQueueSlot: CombinationSlot, @unchecked Sendable {
    // Sendable: for the same reason as the base class.
    @exclusivity(unchecked) @usableFromInline final var count = 0
    /// Whether the first value, which still counts, is being sent.
    @exclusivity(unchecked) @usableFromInline final var isFirstTaken = false
    /// Moves the next value to the place of the first one.
    @usableFromInline final let moveUp: @Sendable (AnyQueueSlot) -> Void

    @_alwaysEmitIntoClient
    init(moveUp: @escaping @Sendable (AnyQueueSlot) -> Void) {
        self.moveUp = moveUp
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
        // `zip` adds only queues.
        for slot in slots { unsafeDowncast(slot, to: AnyQueueSlot.self).isFirstTaken = true }
        emit()
        var isExhausted = false
        // None if the values have ended the result.
        for slot in slots {
            let slot = unsafeDowncast(slot, to: AnyQueueSlot.self)
            slot.isFirstTaken = false
            slot.count &-= 1
            if slot.count > 0 { slot.moveUp(slot) } else { missing += 1 }
            if slot.isExhausted { isExhausted = true }
        }
        if isExhausted { end(.completed) }
    }
}
