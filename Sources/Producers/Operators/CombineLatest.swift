extension SignalProducer where Value == Never {
    /// Sends the latest values of all producers whenever one of them sends.
    ///
    /// Like the operator on ``Signal``, anew for each start. All producers are observed before any work begins; then their work
    /// begins in the order of the arguments. What synchronous ones send before the
    /// last has begun is seen only as their latest value.
    @inlinable
    public static func combineLatest<each Input: Sendable>(
        _ producers: repeat SignalProducer<each Input, Failure>
    ) -> SignalProducer<(repeat each Input), Failure> {
        var names: [StreamName] = []
        repeat names.append((each producers).streamName)
        let name = StreamName("+combineLatest:", parent: Junction(names))
        guard !names.isEmpty else { return SignalProducer<(repeat each Input), Failure>(name, .ended(.completed)) }
        return SignalProducer<(repeat each Input), Failure>(name) { _, sink in
            let starts = (repeat PreparedStart(each producers))
            var runs: [Run] = []
            repeat runs.append((each starts).run)
            let lifted = LiftedStart(
                Signal<Never, Failure>.combineLatest(repeat (each starts).signal), into: sink, interrupting: runs)
            lifted.begin { repeat (each starts).begin() }
        }
    }

    /// Sends the latest values of all producers whenever one of them sends.
    ///
    /// The form for two, which is faster.
    @inlinable
    public static func combineLatest<First, Second>(
        _ first: SignalProducer<First, Failure>, _ second: SignalProducer<Second, Failure>
    ) -> SignalProducer<(First, Second), Failure> {
        SignalProducer<(First, Second), Failure>(
            StreamName("+combineLatest:", parent: Junction([first.streamName, second.streamName]))
        ) { _, sink in
            let (first, second) = (PreparedStart(first), PreparedStart(second))
            let lifted = LiftedStart(
                Signal<Never, Failure>.combineLatest(first.signal, second.signal), into: sink,
                interrupting: [first.run, second.run])
            lifted.begin {
                first.begin()
                second.begin()
            }
        }
    }
}

extension SignalProducer {
    /// The same for the producers of a collection, as an array in their order. Without producers it completes at once.
    @inlinable
    public static func combineLatest(
        _ producers: some Collection<SignalProducer> & Sendable
    ) -> SignalProducer<[Value], Failure> {
        let name = StreamName("+combineLatest:", parent: Junction(producers.map(\.streamName)))
        guard !producers.isEmpty else { return SignalProducer<[Value], Failure>(name, .ended(.completed)) }
        return SignalProducer<[Value], Failure>(name) { _, sink in
            let starts = producers.map { PreparedStart($0) }
            let lifted = LiftedStart(
                Signal.combineLatest(starts.map(\.signal)), into: sink, interrupting: starts.map(\.run))
            lifted.begin {
                for start in starts { start.begin() }
            }
        }
    }

    /// The same for this producer and another stream, which is a signal or a producer.
    @inlinable
    public func combineLatest<Other>(
        with other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
        SignalProducer<Never, Failure>.combineLatest(self, other.producer)
    }
}
