extension SignalProducer where Value == Never {
    /// Sends the latest values of all producers whenever one of them sends.
    ///
    /// Like ``/HotSignals/Signal/combineLatest(_:)-8i7ws`` of signals, separately for each start. All producers are
    /// observed before any work begins. Their work then begins in the order of the arguments. Of the values that a
    /// synchronous producer sends before the last one has begun, only the latest is used.
    @_alwaysEmitIntoClient
    public static func combineLatest<each Input: Sendable>(
        _ producers: repeat SignalProducer<each Input, Failure>
    ) -> SignalProducer<(repeat each Input), Failure> {
        combining("+combineLatest:", repeat each producers, read: { $0.pointee }) { starts in
            repeat (each producers).combineLatest(into: &starts)
        }
    }

    /// Sends the latest values of all producers whenever one of them sends.
    ///
    /// Overload for two producers, which is faster.
    @_alwaysEmitIntoClient
    public static func combineLatest<First, Second>(
        _ first: SignalProducer<First, Failure>, _ second: SignalProducer<Second, Failure>
    ) -> SignalProducer<(First, Second), Failure> {
        combiningPair("+combineLatest:", first, second, read: { $0.pointee }) { starts in
            first.combineLatest(into: &starts)
            second.combineLatest(into: &starts)
        }
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
        combining(name, producers, none: none, read: combine) { producer, starts in
            producer.combineLatest(into: &starts)
        }
    }

    /// Adds this producer as an input.
    @_alwaysEmitIntoClient
    func combineLatest(into starts: inout CombinedStarts<Failure>) {
        let subscription = starts.makeSubscription()
        starts.combiner.addLatest {
            beginSeparately(subscription, into: $0)
            return nil
        }
    }

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
