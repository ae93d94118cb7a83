extension SignalProducer where Value == Never {
    /// Sends the first values of all producers together, then the second values, and so on.
    ///
    /// Like ``/HotSignals/Signal/zip(_:)-6evzc`` of signals, separately for each start. All producers are observed
    /// before any work begins. Their work then begins in the order of the arguments. The queues are unbounded.
    @inlinable
    public static func zip<each Input: Sendable>(
        _ producers: repeat SignalProducer<each Input, Failure>
    ) -> SignalProducer<(repeat each Input), Failure> {
        combining("+zip:", repeat each producers) { (signals: repeat Signal<each Input, Failure>) in
            Signal<Never, Failure>.zip(repeat each signals)
        }
    }

    /// Sends the first values of all producers together, then the second values, and so on.
    ///
    /// Overload for two producers, which is faster.
    @inlinable
    public static func zip<First, Second>(
        _ first: SignalProducer<First, Failure>, _ second: SignalProducer<Second, Failure>
    ) -> SignalProducer<(First, Second), Failure> {
        combiningPair("+zip:", first, second) { Signal<Never, Failure>.zip($0, $1) }
    }
}

extension SignalProducer {
    /// Combines the producers of a collection into arrays, in the collection's order. Without producers, completes
    /// immediately.
    @inlinable
    public static func zip(
        _ producers: some Collection<SignalProducer> & Sendable
    ) -> SignalProducer<[Value], Failure> {
        combining("+zip:", producers) { Signal.zip($0) }
    }

    /// Combines the producers of a collection into arrays, in the collection's order.
    ///
    /// - Parameters:
    ///   - producers: Their work begins in the collection's order.
    ///   - emptySentinel: What is sent, before the completion, if there are no producers.
    @inlinable
    public static func zip(
        _ producers: some Collection<SignalProducer> & Sendable, emptySentinel: [Value]
    ) -> SignalProducer<[Value], Failure> {
        combining("+zip:", producers, none: .value(emptySentinel)) { Signal.zip($0) }
    }

    /// Combines this producer with another stream, a signal or a producer.
    @inlinable
    public func zip<Other>(
        with other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
        SignalProducer<Never, Failure>.zip(self, other.producer)
    }

    /// Accepts leading-dot syntax: `zip(with: .init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @inlinable
    public func zip<Other>(
        with other: SignalProducer<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
        zip(with: other)
    }
}
