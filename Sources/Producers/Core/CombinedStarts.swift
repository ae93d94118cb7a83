/// An input of a producer that combines one value from each.
@frozen @usableFromInline
struct CombinedStart<Failure: Error>: Sendable {
    @usableFromInline typealias Connect = @Sendable (inout Combiner<Failure>, _ result: Start) -> Void

    @usableFromInline let name: StreamName
    @usableFromInline let contention: Contention
    /// Whether what suspends the result suspends the input.
    @usableFromInline let isSuspendable: Bool
    /// Lays the input out, and when all have been, begins its work.
    @usableFromInline let connect: Connect

    @_alwaysEmitIntoClient
    init(name: StreamName, contention: Contention, isSuspendable: Bool = false, connect: @escaping Connect) {
        self.name = name
        self.contention = contention
        self.isSuspendable = isSuspendable
        self.connect = connect
    }
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
    @_alwaysEmitIntoClient
    static func combining<Layout>(
        _ name: StreamName, _ inputs: [CombinedStart<Failure>], layout: Layout.Type, count: Int = 1,
        read: @escaping @Sendable (UnsafeMutablePointer<Layout>) -> Value
    ) -> SignalProducer {
        let contention = inputs.lazy.map { $0.contention }.joined()
        let isSuspendable = inputs.allSatisfy { $0.isSuspendable }
        return SignalProducer(name, contention: contention, isSuspendable: isSuspendable) { start, downstream in
            let core = Core.result(named: name, contention: contention, into: downstream)
            var combiner = core.makeCombiner(layout: layout, count: count, inputs: inputs.count, read: read)
            for input in inputs { input.connect(&combiner, start) }
            combiner.endLayout()
            start.attach(core)
            for input in inputs { input.connect(&combiner, start) }
        }
    }

    /// - Parameters:
    ///   - name: The operator as it is printed, without its inputs.
    ///   - none: What a start does if there are no inputs.
    @_alwaysEmitIntoClient
    static func combining<Layout>(
        _ name: StaticString, _ inputs: [CombinedStart<Failure>], none: Work = .ended(.completed),
        layout: Layout.Type, count: Int = 1, read: @escaping @Sendable (UnsafeMutablePointer<Layout>) -> Value
    ) -> SignalProducer {
        let name = StreamName(name, parent: OperatorInputs(inputs.map { $0.name }))
        return inputs.isEmpty
            ? SignalProducer(name, none) : .combining(name, inputs, layout: layout, count: count, read: read)
    }

    /// Creates a producer that combines one value from each producer of a collection.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed, without its inputs.
    ///   - none: What a start does if there are no inputs.
    ///   - read: Creates the combined value from the values, which lie one after the other.
    @_alwaysEmitIntoClient
    static func combining<Combined: Sendable>(
        _ name: StaticString, _ inputs: [CombinedStart<Failure>], none: SignalProducer<Combined, Failure>.Work,
        read: @escaping @Sendable (UnsafeMutableBufferPointer<Value>) -> Combined
    ) -> SignalProducer<Combined, Failure> {
        let count = inputs.count
        return .combining(name, inputs, none: none, layout: Value.self, count: count) {
            read(UnsafeMutableBufferPointer(start: $0, count: count))
        }
    }

    /// This producer as an input.
    ///
    /// - Parameters:
    ///   - makeSlot: Receives the place of the input's value.
    ///   - passesSuspension: Whether what suspends the result suspends the input.
    ///   - senders: What suspends the input otherwise.
    ///   - makeSink: Receives the input.
    @_alwaysEmitIntoClient
    func combined<Slot: InputSlot, S: Sink<Value, Failure>>(
        _ makeSlot: @escaping @Sendable (UnsafeMutablePointer<Value>) -> Slot, passesSuspension: Bool = false,
        suspendedBy senders: SenderQueue? = nil, into makeSink: @escaping @Sendable (CombinedSink<Slot, Failure>) -> S
    ) -> CombinedStart<Failure> {
        CombinedStart(
            name: streamName, contention: contention, isSuspendable: passesSuspension && isSuspendableInput
        ) { combiner, result in
            if combiner.isLaidOut {
                let (sink, start) = combiner.next(Slot.self)
                if let start { beginSeparately(start, into: makeSink(sink)) }
            } else {
                let start = Start(sourceOf: result)
                start.senders = passesSuspension ? result.senders : senders
                combiner.add(makeSlot(combiner.place(Value.self)), start: start)
            }
        }
    }
}
