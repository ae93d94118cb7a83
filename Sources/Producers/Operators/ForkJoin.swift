extension SignalProducer {
    /// Starts all producers, and sends their last values as an array once all have completed.
    ///
    /// ```marbles
    /// cold a                             --1--2--|
    /// cold b                             ---3|
    /// SignalProducer.forkJoin([a, b])    --------[2,3]|
    /// ```
    ///
    /// The array has the order of the collection. If a producer completes without a value, the result completes without
    /// one. It does so immediately, and so does an error or an interruption of a producer, and the others are disposed
    /// of. Without producers, completes immediately. Buffers one value per producer.
    ///
    /// - Parameters:
    ///   - producers: The work begins in the order of the collection.
    ///   - maxConcurrent: The maximum number of producers that run at the same time. Traps unless positive.
    @_alwaysEmitIntoClient
    public static func forkJoin(
        _ producers: some Collection<SignalProducer> & Sendable, maxConcurrent: Int = .max
    ) -> SignalProducer<[Value], Failure> {
        require(
            maxConcurrent > 0, "forkJoin(maxConcurrent: \(maxConcurrent)): the number of producers must be positive")
        let count = producers.count
        let name = StreamName("+forkJoin:", parent: OperatorInputs(producers.map { $0.streamName }))
        guard count > 0 else { return SignalProducer<[Value], Failure>(name, .ended(.completed)) }
        let numbered = producers.enumerated().map { (number: $0.offset, producer: $0.element) }
        let joined = SignalProducer<(number: Int, producer: SignalProducer), Never>(numbered)
            .flatMap(.concurrent(limit: maxConcurrent)) { item in
                item.producer.take(last: 1).materialize().map { (number: item.number, event: $0) }
            }
            .derive("forkJoin") { ForkJoinSink(count: count, downstream: $0) }
        return SignalProducer<[Value], Failure>(
            name, joined.work, contention: producers.lazy.map { $0.contention }.joined())
    }
}

extension SignalProducer {
    /// This producer as an input whose last value is joined with those of the others.
    @_alwaysEmitIntoClient
    var joined: CombinedStart<Failure> { take(last: 1).queued }
}

extension SignalProducer where Value == Never {
    /// Starts all producers, and sends their last values as a tuple once all have completed.
    ///
    /// If a producer completes without a value, the result completes without one. It does so immediately, and so does
    /// an error or an interruption of a producer, and the others are disposed of. Without producers, completes
    /// immediately. Buffers one value per producer.
    ///
    /// - Parameter producers: Any number of producers of any value types and the same error type. Their work begins in
    ///   the order of the arguments.
    @_alwaysEmitIntoClient
    public static func forkJoin<each Input: Sendable>(
        _ producers: repeat SignalProducer<each Input, Failure>
    ) -> SignalProducer<(repeat each Input), Failure> {
        var inputs: [CombinedStart<Failure>] = []
        repeat inputs.append((each producers).joined)
        return zip(inputs, "+forkJoin:")
    }

    // The compiler specializes the forms for two to six, but not the one for any number.

    /// Sends the last values of two producers: see ``forkJoin(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func forkJoin<First, Second>(
        _ first: SignalProducer<First, Failure>, _ second: SignalProducer<Second, Failure>
    ) -> SignalProducer<(First, Second), Failure> {
        zip([first.joined, second.joined], "+forkJoin:")
    }

    /// Sends the last values of three producers: see ``forkJoin(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func forkJoin<First, Second, Third>(
        _ first: SignalProducer<First, Failure>,
        _ second: SignalProducer<Second, Failure>,
        _ third: SignalProducer<Third, Failure>
    ) -> SignalProducer<(First, Second, Third), Failure> {
        zip([first.joined, second.joined, third.joined], "+forkJoin:")
    }

    /// Sends the last values of four producers: see ``forkJoin(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func forkJoin<First, Second, Third, Fourth>(
        _ first: SignalProducer<First, Failure>,
        _ second: SignalProducer<Second, Failure>,
        _ third: SignalProducer<Third, Failure>,
        _ fourth: SignalProducer<Fourth, Failure>
    ) -> SignalProducer<(First, Second, Third, Fourth), Failure> {
        zip([first.joined, second.joined, third.joined, fourth.joined], "+forkJoin:")
    }

    /// Sends the last values of five producers: see ``forkJoin(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func forkJoin<First, Second, Third, Fourth, Fifth>(
        _ first: SignalProducer<First, Failure>,
        _ second: SignalProducer<Second, Failure>,
        _ third: SignalProducer<Third, Failure>,
        _ fourth: SignalProducer<Fourth, Failure>,
        _ fifth: SignalProducer<Fifth, Failure>
    ) -> SignalProducer<(First, Second, Third, Fourth, Fifth), Failure> {
        zip([first.joined, second.joined, third.joined, fourth.joined, fifth.joined], "+forkJoin:")
    }

    /// Sends the last values of six producers: see ``forkJoin(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func forkJoin<First, Second, Third, Fourth, Fifth, Sixth>(
        _ first: SignalProducer<First, Failure>,
        _ second: SignalProducer<Second, Failure>,
        _ third: SignalProducer<Third, Failure>,
        _ fourth: SignalProducer<Fourth, Failure>,
        _ fifth: SignalProducer<Fifth, Failure>,
        _ sixth: SignalProducer<Sixth, Failure>
    ) -> SignalProducer<(First, Second, Third, Fourth, Fifth, Sixth), Failure> {
        zip([first.joined, second.joined, third.joined, fourth.joined, fifth.joined, sixth.joined], "+forkJoin:")
    }
}

/// Collects the last value of each producer.
@frozen @usableFromInline
struct ForkJoinSink<Element: Sendable, Downstream: Sink>: OperatorSink where Downstream.Value == [Element] {
    @usableFromInline typealias Value = (number: Int, event: Event<Element, Downstream.Failure>)
    @usableFromInline typealias Failure = Never

    @frozen @usableFromInline
    struct State {
        @usableFromInline var values: [Element?]
        @usableFromInline var missing: Int

        @inlinable
        init(count: Int) {
            values = Array(repeating: nil, count: count)
            missing = count
        }
    }

    @usableFromInline let state: SinkState<State>
    @usableFromInline let downstream: Downstream

    @_alwaysEmitIntoClient
    init(count: Int, downstream: Downstream) {
        state = SinkState(State(count: count))
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        // Empty once the result has ended.
        guard !state.value.values.isEmpty else { return }
        switch value.event {
        case .next(let element):
            state.value.values[value.number] = element
            state.value.missing -= 1
        case .error(let error): finish(.error(error))
        case .interrupted: finish(.interrupted)
        case .completed:
            if state.value.values[value.number] == nil { return finish(.completed) }
            guard state.value.missing == 0 else { return }
            let values = state.value.values.compactMap { $0 }
            state.value.values = []
            downstream.next(values)
            downstream.end(.completed)
        }
    }

    @_alwaysEmitIntoClient
    func finish(_ termination: Termination<Downstream.Failure>) {
        state.value.values = []
        downstream.end(termination)
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Never>) { downstream.end(termination.promoted()) }
}
