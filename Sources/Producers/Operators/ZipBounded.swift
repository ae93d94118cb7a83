extension SignalProducer {
    /// Combines this producer with another stream, and buffers a limited number of values of the one that is ahead.
    ///
    /// Like ``/HotSignals/Signal/zip(with:bufferLimit:whenFull:raising:)`` of signals, separately for each
    /// start. This producer's work begins first: what it sends immediately waits for the other stream.
    ///
    /// - Parameters:
    ///   - other: A signal, or a producer, which is started once per start.
    ///   - bufferLimit: The maximum number of values of one stream that wait for the other one. Traps unless positive.
    ///   - overflow: What happens when a stream sends one more value.
    ///   - error: Sent in case of `.fail`, which traps without it.
    @_alwaysEmitIntoClient
    public func zip<Other>(
        with other: some SignalProducerConvertible<Other, Failure>, bufferLimit: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil
    ) -> SignalProducer<(Value, Other), Failure> {
        overflow.require(for: "zip", (label: "bufferLimit", value: bufferLimit), hasError: error != nil)
        let other = other.producer
        return SignalProducer<Never, Failure>.zip(
            [queued(bufferLimit, overflow, error), other.queued(bufferLimit, overflow, error)])
    }

    /// Accepts leading-dot syntax: `zip(with: .init(value: 1), …)`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func zip<Other>(
        with other: SignalProducer<Other, Failure>, bufferLimit: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil
    ) -> SignalProducer<(Value, Other), Failure> {
        zip(with: other, bufferLimit: bufferLimit, whenFull: overflow, raising: error)
    }

    /// This producer as an input with a bounded queue.
    @_alwaysEmitIntoClient
    func queued(_ limit: Int, _ overflow: Overflow, _ error: Failure?) -> CombinedStart<Failure> {
        combined({ QueueSlot($0) }) { BoundedZipInput(input: $0, limit: limit, overflow: overflow, error: error) }
    }

    /// Combines this producer with another one, and suspends the one that is ahead while a number of its values wait.
    ///
    /// Like the form with an ``/HotSignals/Overflow``, but nothing is lost: for producers that are made of async code,
    /// and so can wait.
    ///
    /// ```swift
    /// let (names, nameInput) = AsyncStream<String>.makeStream()
    /// let (ports, portInput) = AsyncStream<Int>.makeStream()
    /// for name in ["a", "b", "c"] { nameInput.yield(name) }
    /// for port in [80, 81, 82] { portInput.yield(port) }
    /// nameInput.finish()
    /// portInput.finish()
    /// let pairs = SignalProducer(names).zip(with: SignalProducer(ports), bufferLimit: 1, whenFull: .suspend)
    /// print(await pairs.collectAll()?.count ?? 0)  // prints 3
    /// ```
    ///
    /// A source requests no further element while `bufferLimit` of its values wait for the other one. It goes on when
    /// half of them have been used. ``buffer(upTo:whenFull:on:)`` says which sources can be suspended, and
    /// what may exceed the limit. A consumer or an operator downstream that suspends its source suspends both of them.
    ///
    /// - Parameters:
    ///   - other: The other producer, which is started once per start.
    ///   - bufferLimit: The maximum number of values of one producer that wait for the other one. Traps unless
    ///     positive.
    ///   - overflow: `.suspend`. Traps if one of the producers cannot be suspended.
    @_alwaysEmitIntoClient
    public func zip<Other>(
        with other: SignalProducer<Other, Failure>, bufferLimit: Int, whenFull overflow: Overflow.Suspending
    ) -> SignalProducer<(Value, Other), Failure> {
        require(bufferLimit > 0, "zip(bufferLimit: \(bufferLimit)): the limit must be positive")
        let operation = "zip(bufferLimit: \(bufferLimit), whenFull: .suspend)"
        require(isSuspendable, "\(operation): the source cannot be suspended; use one made of async code")
        require(other.isSuspendable, "\(operation): the other producer cannot be suspended; use one made of async code")
        return SignalProducer<(Value, Other), Failure>(
            StreamName("+zip:", parent: OperatorInputs([streamName, other.streamName])),
            contention: contention.joined(with: other.contention), isSuspendable: true
        ) { start, sink in
            let senders = start.senders
            let stocks = (
                Stock(Room(limit: bufferLimit, goingOnAt: bufferLimit / 2, downstream: senders)),
                Stock(Room(limit: bufferLimit, goingOnAt: bufferLimit / 2, downstream: senders))
            )
            let taking = TakingSink(stock: stocks.0, downstream: TakingSink(stock: stocks.1, downstream: sink))
            let pairs: SignalProducer<(Value, Other), Failure> = SignalProducer<Never, Failure>.zip(
                [queued(countedBy: stocks.0), other.queued(countedBy: stocks.1)])
            pairs.beginWork(of: start, into: ProducerSink(erasing: taking, start))
        }
    }

    /// This producer as an input that is suspended while `stock` is full.
    @_alwaysEmitIntoClient
    func queued(countedBy stock: Stock) -> CombinedStart<Failure> {
        combined({ QueueSlot($0) }, suspendedBy: stock.senders) { StockedSink(stock: stock, receiver: $0) }
    }
}
