extension SignalProducer where Value == Never {
    /// Sends the first values of all producers together, then the second values, and so on.
    ///
    /// Like ``/HotSignals/Signal/zip(_:)-6evzc`` of signals, separately for each start. All producers are observed
    /// before any work begins. Their work then begins in the order of the arguments. The queues are unbounded.
    @_alwaysEmitIntoClient
    public static func zip<each Input: Sendable>(
        _ producers: repeat SignalProducer<each Input, Failure>
    ) -> SignalProducer<(repeat each Input), Failure> {
        zip("+zip:", repeat each producers)
    }

    /// - Parameter name: The operator as it is printed, without its inputs.
    @_alwaysEmitIntoClient
    static func zip<each Input: Sendable>(
        _ name: StaticString, _ producers: repeat SignalProducer<each Input, Failure>
    ) -> SignalProducer<(repeat each Input), Failure> {
        combining(name, repeat each producers, read: { $0.move() }) { starts in
            repeat (each producers).zip(into: &starts)
        }
    }

    /// Sends the first values of all producers together, then the second values, and so on.
    ///
    /// Overload for two producers, which is faster.
    @_alwaysEmitIntoClient
    public static func zip<First, Second>(
        _ first: SignalProducer<First, Failure>, _ second: SignalProducer<Second, Failure>
    ) -> SignalProducer<(First, Second), Failure> {
        combiningPair("+zip:", first, second, read: { $0.move() }) { starts in
            first.zip(into: &starts)
            second.zip(into: &starts)
        }
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
        combining("+zip:", producers, none: none) { values in
            values.indices.map { values.moveElement(from: $0) }
        } add: { producer, starts in
            producer.zip(into: &starts)
        }
    }

    /// Adds this producer as an input.
    @_alwaysEmitIntoClient
    func zip(into starts: inout CombinedStarts<Failure>) {
        let subscription = starts.makeSubscription()
        starts.combiner.addQueue {
            beginSeparately(subscription, into: $0)
            return nil
        }
    }

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
