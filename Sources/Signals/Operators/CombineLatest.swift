extension Signal where Value == Never {
    /// Sends the latest values of all signals as a tuple whenever one of them sends.
    ///
    /// ```marbles
    /// a                             --1--------------2--|
    /// b                             -----x-----y-----------|
    /// Signal.combineLatest(a, b)    -----(1,x)-(1,y)-(2,y)-|
    /// ```
    ///
    /// The first tuple is sent when every signal has sent a value. Completes only when all signals have completed, even
    /// if no further tuple is possible before that. If a signal fails or is interrupted, the result does so immediately
    /// and releases the others. Buffers one value per signal.
    ///
    /// - Parameter signals: Any number of signals of any value types and the same error type. Without signals, the
    ///   result has already completed.
    @_alwaysEmitIntoClient
    public static func combineLatest<each Input: Sendable>(
        _ signals: repeat Signal<each Input, Failure>
    ) -> Signal<(repeat each Input), Failure> {
        typealias Tuple = (repeat each Input)
        var inputs: [SignalCore] = []
        repeat inputs.append((each signals).core)
        guard !inputs.isEmpty else { return .empty }
        return Signal<Tuple, Failure>.combining("+combineLatest:", inputs, layout: Tuple.self, read: { $0.pointee }) {
            combiner in
            repeat (each signals).combineLatest(into: &combiner)
        }
    }

    /// Combines the latest values of two signals: see ``combineLatest(_:)->Signal<(Input),Failure>``.
    ///
    /// Unlike the form for any number of signals, it is fully specialized by the compiler.
    @_alwaysEmitIntoClient
    public static func combineLatest<First, Second>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>
    ) -> Signal<(First, Second), Failure> {
        typealias Tuple = (First, Second)
        return Signal<Tuple, Failure>.combining(
            "+combineLatest:", [first.core, second.core], layout: Tuple.self, read: { $0.pointee }
        ) { combiner in
            first.combineLatest(into: &combiner)
            second.combineLatest(into: &combiner)
        }
    }
}

extension Signal {
    /// Combines the latest values of the signals of a collection into an array, in the collection's order: see
    /// ``combineLatest(_:)->Signal<(Input),Failure>``.
    ///
    /// Without signals, the result has already completed.
    @_alwaysEmitIntoClient
    public static func combineLatest(_ signals: some Collection<Signal>) -> Signal<[Value], Failure> {
        combineLatest(signals, "+combineLatest:") { Array($0) }
    }

    /// - Parameter combine: Creates the combined value from the latest values, in the collection's order.
    @_alwaysEmitIntoClient
    static func combineLatest<Combined: Sendable>(
        _ signals: some Collection<Signal>, _ name: StaticString,
        _ combine: @escaping @Sendable (UnsafeBufferPointer<Value>) -> Combined
    ) -> Signal<Combined, Failure> {
        guard !signals.isEmpty else { return .empty }
        let count = signals.count
        return Signal<Combined, Failure>.combining(
            name, signals.map { $0.core }, layout: Value.self, count: count,
            read: { combine(UnsafeBufferPointer(start: $0, count: count)) }
        ) { combiner in
            for signal in signals { signal.combineLatest(into: &combiner) }
        }
    }

    /// Combines the latest values of this signal and another one: see ``combineLatest(_:)->Signal<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public func combineLatest<Other>(with other: Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
        Signal<Never, Failure>.combineLatest(self, other)
    }

    /// Adds this signal as an input.
    @_alwaysEmitIntoClient
    func combineLatest(into combiner: inout Combiner<Failure>) {
        combiner.addLatest { self.observe(through: $0) }
    }
}

extension Combiner {
    /// Adds an input whose latest value is combined.
    ///
    /// - Parameter connect: Receives the input's sink: see ``add(_:connect:)``.
    @_alwaysEmitIntoClient
    package mutating func addLatest<Value>(
        _ connect: @escaping (CombineLatestInput<Value, Failure>) -> (any Disposable)?
    ) {
        let slot = LatestSlot<Value>(place(Value.self))
        let input = CombineLatestInput<Value, Failure>(slot: slot, combination: combination)
        add(slot) { connect(input) }
    }
}

/// The latest value of one input.
@usableFromInline
@_fixed_layout
final class LatestSlot<Value>: CombinationSlot, @unchecked Sendable {
    // Sendable: for the same reason as the base class.
    @usableFromInline let address: UnsafeMutablePointer<Value>
    @exclusivity(unchecked) @usableFromInline var isFilled = false

    @_alwaysEmitIntoClient
    init(_ address: UnsafeMutablePointer<Value>) {
        self.address = address
        super.init()
    }

    @usableFromInline
    override func clear() {
        guard isFilled else { return }
        isFilled = false
        address.deinitialize(count: 1)
    }
}

/// Receives one of the inputs.
@frozen @usableFromInline
package struct CombineLatestInput<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let slot: LatestSlot<Value>
    @usableFromInline let combination: Combination<Failure>

    @_alwaysEmitIntoClient
    init(slot: LatestSlot<Value>, combination: Combination<Failure>) {
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
        if slot.isFilled {
            slot.address.pointee = value
        } else {
            slot.address.initialize(to: value)
            slot.isFilled = true
            combination.missing -= 1
        }
        if combination.missing == 0 { combination.emit() }
    }

    @usableFromInline
    package func end(_ termination: Termination<Failure>) {
        combination.core.perform {
            guard case .completed = termination else { return combination.end(termination) }
            combination.owner.writes()
            combination.running -= 1
            if combination.running == 0 { combination.end(.completed) }
        }
    }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { combination.core.terminated.isRaised }
}
