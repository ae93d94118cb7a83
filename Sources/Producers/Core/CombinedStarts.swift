/// Starts several producers and combines their signals: the shared part of `combineLatest` and `zip`.
///
/// A start first creates and combines the signals of all producers. Then the work begins, in the order of the
/// arguments.
extension SignalProducer where Value == Never {
    @inlinable
    static func combining<each Input: Sendable>(
        _ name: StaticString, _ producers: repeat SignalProducer<each Input, Failure>,
        by combine:
            @escaping @Sendable (repeat Signal<each Input, Failure>) -> Signal<(repeat each Input), Failure>
    ) -> SignalProducer<(repeat each Input), Failure> {
        var names: [StreamName] = []
        var contentions: [Contention] = []
        repeat names.append((each producers).streamName)
        repeat contentions.append((each producers).contention)
        let name = StreamName(name, parent: Junction(names))
        guard !names.isEmpty else { return SignalProducer<(repeat each Input), Failure>(name, .ended(.completed)) }
        return SignalProducer<(repeat each Input), Failure>(name, contention: contentions.joined()) { _, sink in
            let starts = (repeat PreparedStart(each producers))
            var runs: [Run] = []
            repeat runs.append((each starts).run)
            let lifted = LiftedStart(combine(repeat (each starts).signal), into: sink, interrupting: runs)
            lifted.begin { repeat (each starts).begin() }
        }
    }

    /// Overload for two producers, which is faster.
    @inlinable
    static func combiningPair<First, Second>(
        _ name: StaticString, _ first: SignalProducer<First, Failure>, _ second: SignalProducer<Second, Failure>,
        by combine:
            @escaping @Sendable (Signal<First, Failure>, Signal<Second, Failure>) -> Signal<(First, Second), Failure>
    ) -> SignalProducer<(First, Second), Failure> {
        SignalProducer<(First, Second), Failure>(
            StreamName(name, parent: Junction([first.streamName, second.streamName])),
            contention: first.contention.joined(with: second.contention)
        ) { _, sink in
            let (first, second) = (PreparedStart(first), PreparedStart(second))
            let lifted = LiftedStart(
                combine(first.signal, second.signal), into: sink, interrupting: [first.run, second.run])
            lifted.begin {
                first.begin()
                second.begin()
            }
        }
    }
}

extension SignalProducer {
    /// Overload for a collection of producers.
    ///
    /// - Parameter none: What a start does if there are no producers.
    @inlinable
    static func combining<Combined>(
        _ name: StaticString, _ producers: some Collection<SignalProducer> & Sendable,
        none: SignalProducer<Combined, Failure>.Work = .ended(.completed),
        by combine: @escaping @Sendable ([Signal<Value, Failure>]) -> Signal<Combined, Failure>
    ) -> SignalProducer<Combined, Failure> {
        let name = StreamName(name, parent: Junction(producers.map { $0.streamName }))
        guard !producers.isEmpty else { return SignalProducer<Combined, Failure>(name, none) }
        let contention = producers.lazy.map { $0.contention }.joined()
        return SignalProducer<Combined, Failure>(name, contention: contention) { _, sink in
            let starts = producers.map { PreparedStart($0) }
            let lifted = LiftedStart(combine(starts.map { $0.signal }), into: sink, interrupting: starts.map { $0.run })
            lifted.begin {
                for start in starts { start.begin() }
            }
        }
    }
}
