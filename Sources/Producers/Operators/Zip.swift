extension SignalProducer where Value == Never {
    /// Sends the first values of all producers together, then the second values, and so on.
    ///
    /// Like ``/HotSignals/Signal/zip(_:)-6evzc`` of signals, separately for each start. All producers are observed
    /// before any work begins. Their work then begins in the order of the arguments. The queues are unbounded.
    @_alwaysEmitIntoClient
    public static func zip<each Input: Sendable>(
        _ producers: repeat SignalProducer<each Input, Failure>
    ) -> SignalProducer<(repeat each Input), Failure> {
        var inputs: [CombinedStart<Failure>] = []
        repeat inputs.append((each producers).queued)
        return zip(inputs)
    }

    // The compiler specializes the forms for two to six, but not the one for any number.

    /// Zips two producers: see ``zip(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func zip<First, Second>(
        _ first: SignalProducer<First, Failure>, _ second: SignalProducer<Second, Failure>
    ) -> SignalProducer<(First, Second), Failure> {
        zip([first.queued, second.queued])
    }

    /// Zips three producers: see ``zip(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func zip<First, Second, Third>(
        _ first: SignalProducer<First, Failure>,
        _ second: SignalProducer<Second, Failure>,
        _ third: SignalProducer<Third, Failure>
    ) -> SignalProducer<(First, Second, Third), Failure> {
        zip([first.queued, second.queued, third.queued])
    }

    /// Zips four producers: see ``zip(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func zip<First, Second, Third, Fourth>(
        _ first: SignalProducer<First, Failure>,
        _ second: SignalProducer<Second, Failure>,
        _ third: SignalProducer<Third, Failure>,
        _ fourth: SignalProducer<Fourth, Failure>
    ) -> SignalProducer<(First, Second, Third, Fourth), Failure> {
        zip([first.queued, second.queued, third.queued, fourth.queued])
    }

    /// Zips five producers: see ``zip(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func zip<First, Second, Third, Fourth, Fifth>(
        _ first: SignalProducer<First, Failure>,
        _ second: SignalProducer<Second, Failure>,
        _ third: SignalProducer<Third, Failure>,
        _ fourth: SignalProducer<Fourth, Failure>,
        _ fifth: SignalProducer<Fifth, Failure>
    ) -> SignalProducer<(First, Second, Third, Fourth, Fifth), Failure> {
        zip([first.queued, second.queued, third.queued, fourth.queued, fifth.queued])
    }

    /// Zips six producers: see ``zip(_:)->SignalProducer<(Input),Failure>``.
    @_alwaysEmitIntoClient
    public static func zip<First, Second, Third, Fourth, Fifth, Sixth>(
        _ first: SignalProducer<First, Failure>,
        _ second: SignalProducer<Second, Failure>,
        _ third: SignalProducer<Third, Failure>,
        _ fourth: SignalProducer<Fourth, Failure>,
        _ fifth: SignalProducer<Fifth, Failure>,
        _ sixth: SignalProducer<Sixth, Failure>
    ) -> SignalProducer<(First, Second, Third, Fourth, Fifth, Sixth), Failure> {
        zip([first.queued, second.queued, third.queued, fourth.queued, fifth.queued, sixth.queued])
    }

    /// - Parameter name: The operator as it is printed, without its inputs.
    @_alwaysEmitIntoClient
    static func zip<Tuple: Sendable>(
        _ inputs: [CombinedStart<Failure>], _ name: StaticString = "+zip:"
    ) -> SignalProducer<Tuple, Failure> {
        .combining(name, inputs, layout: Tuple.self, read: { $0.move() })
    }
}

extension SignalProducer {
    /// Combines the producers of a collection into arrays, in the collection's order. Without producers, completes
    /// immediately.
    @_alwaysEmitIntoClient
    public static func zip(
        _ producers: some Collection<SignalProducer> & Sendable
    ) -> SignalProducer<[Value], Failure> {
        zip(producers, none: .ended(.completed))
    }

    /// Combines the producers of a collection into arrays, in the collection's order.
    ///
    /// - Parameters:
    ///   - producers: Their work begins in the collection's order.
    ///   - emptySentinel: What is sent, before the completion, if there are no producers.
    @_alwaysEmitIntoClient
    public static func zip(
        _ producers: some Collection<SignalProducer> & Sendable, emptySentinel: [Value]
    ) -> SignalProducer<[Value], Failure> {
        zip(producers, none: .value(emptySentinel))
    }

    /// - Parameter none: What a start does if there are no producers.
    @_alwaysEmitIntoClient
    static func zip(
        _ producers: some Collection<SignalProducer> & Sendable, none: SignalProducer<[Value], Failure>.Work
    ) -> SignalProducer<[Value], Failure> {
        combining("+zip:", producers.map { $0.queued }, none: none) { values in
            values.indices.map { values.moveElement(from: $0) }
        }
    }

    /// This producer as an input whose values wait in a queue for those of the others.
    @_alwaysEmitIntoClient
    var queued: CombinedStart<Failure> { combined({ QueueSlot($0) }, into: { $0 }) }

    /// Combines this producer with another stream, a signal or a producer.
    @_alwaysEmitIntoClient
    public func zip<Other>(
        with other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
        SignalProducer<Never, Failure>.zip(self, other.producer)
    }

    /// Accepts leading-dot syntax: `zip(with: .init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func zip<Other>(
        with other: SignalProducer<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
        zip(with: other)
    }
}
