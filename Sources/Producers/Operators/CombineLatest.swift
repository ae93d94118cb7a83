extension SignalProducer where Value == Never {
    /// Sends the latest values of all producers whenever one of them sends.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start. All producers are observed before any work begins; then their work
    /// begins in the order of the arguments. What synchronous ones send before the
    /// last has begun is seen only as their latest value.
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
    /// The form for two, which is faster.
    @inlinable
    public static func combineLatest<First, Second>(
        _ first: SignalProducer<First, Failure>, _ second: SignalProducer<Second, Failure>
    ) -> SignalProducer<(First, Second), Failure> {
        combiningPair("+combineLatest:", first, second) { Signal<Never, Failure>.combineLatest($0, $1) }
    }
}

extension SignalProducer {
    /// The same for the producers of a collection, as an array in their order. Without producers it completes at once.
    @inlinable
    public static func combineLatest(
        _ producers: some Collection<SignalProducer> & Sendable
    ) -> SignalProducer<[Value], Failure> {
        combining("+combineLatest:", producers) { Signal.combineLatest($0) }
    }

    /// The same for this producer and another stream, which is a signal or a producer.
    @inlinable
    public func combineLatest<Other>(
        with other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
        SignalProducer<Never, Failure>.combineLatest(self, other.producer)
    }

    /// A form in which a leading dot is enough: `combineLatest(with: .init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public func combineLatest<Other>(
        with other: SignalProducer<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
        combineLatest(with: other)
    }
}
