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
        var inputs: [CombinedInput<Failure>] = []
        repeat inputs.append((each signals).latest)
        return combineLatest(inputs)
    }

    // The compiler specializes the forms for two to six, but not the one for any number.

    /// Combines the latest values of two signals: see ``combineLatest(_:)->Signal<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func combineLatest<First, Second>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>
    ) -> Signal<(First, Second), Failure> {
        combineLatest([first.latest, second.latest])
    }

    /// Combines the latest values of three signals: see ``combineLatest(_:)->Signal<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func combineLatest<First, Second, Third>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>, _ third: Signal<Third, Failure>
    ) -> Signal<(First, Second, Third), Failure> {
        combineLatest([first.latest, second.latest, third.latest])
    }

    /// Combines the latest values of four signals: see ``combineLatest(_:)->Signal<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func combineLatest<First, Second, Third, Fourth>(
        _ first: Signal<First, Failure>,
        _ second: Signal<Second, Failure>,
        _ third: Signal<Third, Failure>,
        _ fourth: Signal<Fourth, Failure>
    ) -> Signal<(First, Second, Third, Fourth), Failure> {
        combineLatest([first.latest, second.latest, third.latest, fourth.latest])
    }

    /// Combines the latest values of five signals: see ``combineLatest(_:)->Signal<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func combineLatest<First, Second, Third, Fourth, Fifth>(
        _ first: Signal<First, Failure>,
        _ second: Signal<Second, Failure>,
        _ third: Signal<Third, Failure>,
        _ fourth: Signal<Fourth, Failure>,
        _ fifth: Signal<Fifth, Failure>
    ) -> Signal<(First, Second, Third, Fourth, Fifth), Failure> {
        combineLatest([first.latest, second.latest, third.latest, fourth.latest, fifth.latest])
    }

    /// Combines the latest values of six signals: see ``combineLatest(_:)->Signal<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func combineLatest<First, Second, Third, Fourth, Fifth, Sixth>(
        _ first: Signal<First, Failure>,
        _ second: Signal<Second, Failure>,
        _ third: Signal<Third, Failure>,
        _ fourth: Signal<Fourth, Failure>,
        _ fifth: Signal<Fifth, Failure>,
        _ sixth: Signal<Sixth, Failure>
    ) -> Signal<(First, Second, Third, Fourth, Fifth, Sixth), Failure> {
        combineLatest([first.latest, second.latest, third.latest, fourth.latest, fifth.latest, sixth.latest])
    }

    @_alwaysEmitIntoClient
    static func combineLatest<Tuple: Sendable>(_ inputs: [CombinedInput<Failure>]) -> Signal<Tuple, Failure> {
        .combining("+combineLatest:", inputs, layout: Tuple.self, read: { $0.pointee })
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
        let count = signals.count
        return Signal<Combined, Failure>.combining(
            name, signals.map { $0.latest }, layout: Value.self, count: count,
            read: { combine(UnsafeBufferPointer(start: $0, count: count)) })
    }

    /// Combines the latest values of this signal and another one: see ``combineLatest(_:)->Signal<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public func combineLatest<Other>(with other: Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
        Signal<Never, Failure>.combineLatest(self, other)
    }

    /// This signal as an input whose latest value is combined.
    @_alwaysEmitIntoClient
    var latest: CombinedInput<Failure> { combined({ LatestSlot($0) }, into: { $0 }) }
}

/// The latest value of one input.
@usableFromInline
@_fixed_layout
package final class LatestSlot<Value: Sendable>: CombinationSlot, InputSlot, @unchecked Sendable {
    // Sendable: for the same reason as the base class.
    @usableFromInline let address: UnsafeMutablePointer<Value>
    @exclusivity(unchecked) @usableFromInline var isFilled = false

    @_alwaysEmitIntoClient
    package init(_ address: UnsafeMutablePointer<Value>) {
        self.address = address
        super.init()
    }

    @_alwaysEmitIntoClient
    package func take(_ value: Value, in combination: Combination<some Error>) {
        if isFilled {
            // Released last: that may end the result, which clears the slot.
            let former = address.move()
            address.initialize(to: value)
            withExtendedLifetime(former) {}
        } else {
            address.initialize(to: value)
            isFilled = true
            combination.missing -= 1
        }
        if combination.missing == 0 { combination.emit() }
    }

    @_alwaysEmitIntoClient
    package func complete(in combination: Combination<some Error>) {
        combination.running -= 1
        if combination.running == 0 { combination.end(.completed) }
    }

    @usableFromInline
    package override func clear() {
        guard isFilled else { return }
        isFilled = false
        address.deinitialize(count: 1)
    }
}
