/// The starts that a start of `combineLatest` or `zip` combines, while it is being set up.
@usableFromInline
struct CombinedStarts<Failure: Error> {
    @usableFromInline var combiner: Combiner<Failure>
    /// The subscription of the result.
    @usableFromInline let result: Subscription

    @usableFromInline
    init(_ combiner: Combiner<Failure>, of result: Subscription) {
        self.combiner = combiner
        self.result = result
    }

    /// Creates the subscription of another start.
    @usableFromInline
    func makeSubscription() -> Subscription { Subscription(sourceOf: result) }
}

extension SignalProducer {
    /// Creates a producer that combines one value from each of several others. There is no signal in between.
    ///
    /// A start first adds all others to the combination. Then their work begins, in the order in which they have been
    /// added. Nothing can be added after that, so other threads cannot keep the start here.
    ///
    /// - Parameters:
    ///   - name: The operator, with its inputs.
    ///   - layout: The type of the memory in which the values lie: the tuple, or the element of the array.
    ///   - count: The number of such elements.
    ///   - read: Creates the combined value from the memory.
    ///   - add: Adds the others. Called once per start.
    @_alwaysEmitIntoClient
    static func combining<Layout>(
        _ name: StreamName, _ contention: Contention, layout: Layout.Type, count: Int = 1,
        read: @escaping @Sendable (UnsafeMutablePointer<Layout>) -> Value,
        add: @escaping @Sendable (inout CombinedStarts<Failure>) -> Void
    ) -> SignalProducer {
        SignalProducer(name, contention: contention) { subscription, downstream in
            let core = Core<Value, Failure>(rootNamed: name, contention: contention)
            core.adopt(downstream)
            let lifetime = core.makeLifetime()
            var starts = CombinedStarts(
                core.makeCombiner(lifetime, layout: layout, count: count, read: read), of: subscription)
            add(&starts)
            subscription.attach(core)
            starts.combiner.connect(lifetime)
        }
    }

    /// Creates a producer that combines one value from each producer of a collection.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed, without its inputs.
    ///   - none: What a start does if there are no producers.
    ///   - read: Creates the combined value from the values, which lie one after the other.
    ///   - add: Adds one of the producers.
    @_alwaysEmitIntoClient
    static func combining<Combined: Sendable>(
        _ name: StaticString, _ producers: some Collection<SignalProducer> & Sendable,
        none: SignalProducer<Combined, Failure>.Work = .ended(.completed),
        read: @escaping @Sendable (UnsafeMutableBufferPointer<Value>) -> Combined,
        add: @escaping @Sendable (SignalProducer, inout CombinedStarts<Failure>) -> Void
    ) -> SignalProducer<Combined, Failure> {
        let name = StreamName(name, parent: OperatorInputs(producers.map { $0.streamName }))
        let count = producers.count
        guard count > 0 else { return SignalProducer<Combined, Failure>(name, none) }
        let contention = producers.lazy.map { $0.contention }.joined()
        return .combining(
            name, contention, layout: Value.self, count: count,
            read: { read(UnsafeMutableBufferPointer(start: $0, count: count)) }
        ) { starts in
            for producer in producers { add(producer, &starts) }
        }
    }
}

extension SignalProducer where Value == Never {
    /// Creates a producer that combines one value from each of several producers into a tuple.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed, without its inputs.
    ///   - read: Takes the tuple, or copies it.
    ///   - add: Adds the producers.
    @_alwaysEmitIntoClient
    static func combining<each Input: Sendable>(
        _ name: StaticString, _ producers: repeat SignalProducer<each Input, Failure>,
        read: @escaping @Sendable (UnsafeMutablePointer<(repeat each Input)>) -> (repeat each Input),
        add: @escaping @Sendable (inout CombinedStarts<Failure>) -> Void
    ) -> SignalProducer<(repeat each Input), Failure> {
        var names: [StreamName] = []
        var contentions: [Contention] = []
        repeat names.append((each producers).streamName)
        repeat contentions.append((each producers).contention)
        let name = StreamName(name, parent: OperatorInputs(names))
        guard !names.isEmpty else { return SignalProducer<(repeat each Input), Failure>(name, .ended(.completed)) }
        return .combining(name, contentions.joined(), layout: (repeat each Input).self, read: read, add: add)
    }

    /// Overload for two producers, which is faster.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed, without its inputs.
    ///   - read: Takes the tuple, or copies it.
    ///   - add: Adds both producers.
    @_alwaysEmitIntoClient
    static func combiningPair<First, Second>(
        _ name: StaticString, _ first: SignalProducer<First, Failure>, _ second: SignalProducer<Second, Failure>,
        read: @escaping @Sendable (UnsafeMutablePointer<(First, Second)>) -> (First, Second),
        add: @escaping @Sendable (inout CombinedStarts<Failure>) -> Void
    ) -> SignalProducer<(First, Second), Failure> {
        .combining(
            StreamName(name, parent: OperatorInputs([first.streamName, second.streamName])),
            first.contention.joined(with: second.contention), layout: (First, Second).self, read: read, add: add)
    }
}
