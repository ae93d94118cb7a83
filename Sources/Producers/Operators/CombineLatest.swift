extension SignalProducer where Value == Never {
    /// Sends the latest values of all producers whenever one of them sends.
    ///
    /// Like ``/HotSignals/Signal/combineLatest(_:)-8i7ws`` of signals, separately for each start. All producers are
    /// observed before any work begins. Their work then begins in the order of the arguments. Of the values that a
    /// synchronous producer sends before the last one has begun, only the latest is used.
    ///
    /// A consumer or an operator downstream that suspends its source suspends all producers, if all of them can be
    /// suspended or send one value at most.
    @_alwaysEmitIntoClient
    public static func combineLatest<each Input: Sendable>(
        _ producers: repeat SignalProducer<each Input, Failure>
    ) -> SignalProducer<(repeat each Input), Failure> {
        var inputs: [CombinedStart<Failure>] = []
        repeat inputs.append((each producers).latest)
        return combineLatest(inputs)
    }

    // The compiler specializes the forms for two to six, but not the one for any number.

    /// Combines the latest values of two producers: see ``combineLatest(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func combineLatest<First, Second>(
        _ first: SignalProducer<First, Failure>, _ second: SignalProducer<Second, Failure>
    ) -> SignalProducer<(First, Second), Failure> {
        combineLatest([first.latest, second.latest])
    }

    /// Combines the latest values of three producers: see ``combineLatest(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func combineLatest<First, Second, Third>(
        _ first: SignalProducer<First, Failure>,
        _ second: SignalProducer<Second, Failure>,
        _ third: SignalProducer<Third, Failure>
    ) -> SignalProducer<(First, Second, Third), Failure> {
        combineLatest([first.latest, second.latest, third.latest])
    }

    /// Combines the latest values of four producers: see ``combineLatest(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func combineLatest<First, Second, Third, Fourth>(
        _ first: SignalProducer<First, Failure>,
        _ second: SignalProducer<Second, Failure>,
        _ third: SignalProducer<Third, Failure>,
        _ fourth: SignalProducer<Fourth, Failure>
    ) -> SignalProducer<(First, Second, Third, Fourth), Failure> {
        combineLatest([first.latest, second.latest, third.latest, fourth.latest])
    }

    /// Combines the latest values of five producers: see ``combineLatest(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func combineLatest<First, Second, Third, Fourth, Fifth>(
        _ first: SignalProducer<First, Failure>,
        _ second: SignalProducer<Second, Failure>,
        _ third: SignalProducer<Third, Failure>,
        _ fourth: SignalProducer<Fourth, Failure>,
        _ fifth: SignalProducer<Fifth, Failure>
    ) -> SignalProducer<(First, Second, Third, Fourth, Fifth), Failure> {
        combineLatest([first.latest, second.latest, third.latest, fourth.latest, fifth.latest])
    }

    /// Combines the latest values of six producers: see ``combineLatest(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func combineLatest<First, Second, Third, Fourth, Fifth, Sixth>(
        _ first: SignalProducer<First, Failure>,
        _ second: SignalProducer<Second, Failure>,
        _ third: SignalProducer<Third, Failure>,
        _ fourth: SignalProducer<Fourth, Failure>,
        _ fifth: SignalProducer<Fifth, Failure>,
        _ sixth: SignalProducer<Sixth, Failure>
    ) -> SignalProducer<(First, Second, Third, Fourth, Fifth, Sixth), Failure> {
        combineLatest([first.latest, second.latest, third.latest, fourth.latest, fifth.latest, sixth.latest])
    }

    @_alwaysEmitIntoClient
    static func combineLatest<Tuple: Sendable>(
        _ inputs: [CombinedStart<Failure>]
    ) -> SignalProducer<Tuple, Failure> {
        .combining("+combineLatest:", inputs, layout: Tuple.self, read: { $0.pointee })
    }
}

extension SignalProducer {
    /// Combines the producers of a collection into arrays, in the collection's order. Without producers, completes
    /// immediately.
    @_alwaysEmitIntoClient
    public static func combineLatest(
        _ producers: some Collection<SignalProducer> & Sendable
    ) -> SignalProducer<[Value], Failure> {
        combineLatest(producers, "+combineLatest:") { Array($0) }
    }

    /// Combines the producers of a collection into arrays, in the collection's order.
    ///
    /// - Parameters:
    ///   - producers: Their work begins in the collection's order.
    ///   - emptySentinel: What is sent, before the completion, if there are no producers.
    @_alwaysEmitIntoClient
    public static func combineLatest(
        _ producers: some Collection<SignalProducer> & Sendable, emptySentinel: [Value]
    ) -> SignalProducer<[Value], Failure> {
        combineLatest(producers, "+combineLatest:", none: .value(emptySentinel)) { Array($0) }
    }

    /// - Parameters:
    ///   - none: What a start does if there are no producers.
    ///   - combine: Creates the combined value from the latest values, in the collection's order.
    @_alwaysEmitIntoClient
    static func combineLatest<Combined: Sendable>(
        _ producers: some Collection<SignalProducer> & Sendable, _ name: StaticString,
        none: SignalProducer<Combined, Failure>.Work = .ended(.completed),
        _ combine: @escaping @Sendable (UnsafeMutableBufferPointer<Value>) -> Combined
    ) -> SignalProducer<Combined, Failure> {
        combining(name, producers.map { $0.latest }, none: none, read: combine)
    }

    /// This producer as an input whose latest value is combined.
    @_alwaysEmitIntoClient
    var latest: CombinedStart<Failure> { combined({ LatestSlot($0) }, passesSuspension: true, into: { $0 }) }

    /// Combines this producer with another stream, a signal or a producer.
    @_alwaysEmitIntoClient
    public func combineLatest<Other>(
        with other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
        SignalProducer<Never, Failure>.combineLatest(self, other.producer)
    }

    /// Accepts leading-dot syntax: `combineLatest(with: .init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func combineLatest<Other>(
        with other: SignalProducer<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
        combineLatest(with: other)
    }
}
