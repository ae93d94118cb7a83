extension SignalProducer where Value == Never {
    /// Sends the first values of all producers together, then the second ones, and so on.
    ///
    /// Like the operator on ``Signal``, anew for each start. All producers are observed before any work begins; then their work
    /// begins in the order of the arguments. The queues have no bound.
    @inlinable
    public static func zip<each Input: Sendable>(
        _ producers: repeat SignalProducer<each Input, Failure>
    ) -> SignalProducer<(repeat each Input), Failure> {
        var names: [StreamName] = []
        repeat names.append((each producers).streamName)
        let name = StreamName("+zip:", parent: Junction(names))
        guard !names.isEmpty else { return SignalProducer<(repeat each Input), Failure>(name, .ended(.completed)) }
        return SignalProducer<(repeat each Input), Failure>(name) { _, sink in
            let starts = (repeat PreparedStart(each producers))
            var runs: [Run] = []
            repeat runs.append((each starts).run)
            let lifted = LiftedStart(
                Signal<Never, Failure>.zip(repeat (each starts).signal), into: sink, interrupting: runs)
            lifted.begin { repeat (each starts).begin() }
        }
    }

    /// Sends the first values of all producers together, then the second ones, and so on.
    ///
    /// The form for two, which is faster.
    @inlinable
    public static func zip<First, Second>(
        _ first: SignalProducer<First, Failure>, _ second: SignalProducer<Second, Failure>
    ) -> SignalProducer<(First, Second), Failure> {
        SignalProducer<(First, Second), Failure>(
            StreamName("+zip:", parent: Junction([first.streamName, second.streamName]))
        ) { _, sink in
            let (first, second) = (PreparedStart(first), PreparedStart(second))
            let lifted = LiftedStart(
                Signal<Never, Failure>.zip(first.signal, second.signal), into: sink,
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
    public static func zip(
        _ producers: some Collection<SignalProducer> & Sendable
    ) -> SignalProducer<[Value], Failure> {
        let name = StreamName("+zip:", parent: Junction(producers.map(\.streamName)))
        guard !producers.isEmpty else { return SignalProducer<[Value], Failure>(name, .ended(.completed)) }
        return SignalProducer<[Value], Failure>(name) { _, sink in
            let starts = producers.map { PreparedStart($0) }
            let lifted = LiftedStart(
                Signal.zip(starts.map(\.signal)), into: sink, interrupting: starts.map(\.run))
            lifted.begin {
                for start in starts { start.begin() }
            }
        }
    }

    /// The same for this producer and another stream, which is a signal or a producer.
    @inlinable
    public func zip<Other>(
        with other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
        SignalProducer<Never, Failure>.zip(self, other.producer)
    }
}
