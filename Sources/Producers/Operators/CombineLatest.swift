extension SignalProducer where Value == Never {
    /// Sends the latest values of all producers whenever one of them sends.
    ///
    /// Like ``/HotSignals/Signal/combineLatest(_:)-8i7ws`` of signals, separately for each start. All producers are
    /// observed before any work begins. Their work then begins in the order of the arguments. Of the values that a
    /// synchronous producer sends before the last one has begun, only the latest is used.
    @inlinable
    public static func combineLatest<each Input: Sendable>(
        _ producers: repeat SignalProducer<each Input, Failure>
    ) -> SignalProducer<(repeat each Input), Failure> {
        combining("+combineLatest:", repeat each producers) { (signals: repeat Signal<each Input, Failure>) in
            Signal<Never, Failure>.combineLatest(repeat each signals)
        }
    }

    /// Sends the latest values of all producers whenever one of them sends.
    ///
    /// Overload for two producers, which is faster.
    @inlinable
    public static func combineLatest<First, Second>(
        _ first: SignalProducer<First, Failure>, _ second: SignalProducer<Second, Failure>
    ) -> SignalProducer<(First, Second), Failure> {
        combiningPair("+combineLatest:", first, second) { Signal<Never, Failure>.combineLatest($0, $1) }
    }
}

extension SignalProducer {
    /// Combines the producers of a collection into arrays, in the collection's order. Without producers, completes
    /// immediately.
    @inlinable
    public static func combineLatest(
        _ producers: some Collection<SignalProducer> & Sendable
    ) -> SignalProducer<[Value], Failure> {
        combining("+combineLatest:", producers) { Signal.combineLatest($0) }
    }

    /// Combines the producers of a collection into arrays, in the collection's order.
    ///
    /// - Parameters:
    ///   - producers: Their work begins in the collection's order.
    ///   - emptySentinel: What is sent, before the completion, if there are no producers.
    @inlinable
    public static func combineLatest(
        _ producers: some Collection<SignalProducer> & Sendable, emptySentinel: [Value]
    ) -> SignalProducer<[Value], Failure> {
        combining("+combineLatest:", producers, none: .value(emptySentinel)) { Signal.combineLatest($0) }
    }

    /// Combines this producer with another stream, a signal or a producer.
    @inlinable
    public func combineLatest<Other>(
        with other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
        SignalProducer<Never, Failure>.combineLatest(self, other.producer)
    }

    /// Accepts leading-dot syntax: `combineLatest(with: .init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @inlinable
    public func combineLatest<Other>(
        with other: SignalProducer<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
        combineLatest(with: other)
    }
}
