extension SignalProducer {
    /// Sends the latest value whenever another stream sends.
    ///
    /// Like ``/HotSignals/Signal/sample(on:)`` of signals, separately for each start. This producer's work begins
    /// first.
    ///
    /// - Parameter sampler: A signal, or a producer, which is started once per start.
    @_alwaysEmitIntoClient
    public func sample<Tick>(on sampler: some SignalProducerConvertible<Tick, Never>) -> SignalProducer {
        sample("sample(on:)", sampler.producer) { value, _ in value }
    }

    /// Accepts leading-dot syntax: `sample(on: .interval(.seconds(1), on: queue))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func sample<Tick>(on sampler: SignalProducer<Tick, Never>) -> SignalProducer { sample(on: sampler) }

    /// Sends the latest value together with another stream's value whenever that stream sends.
    ///
    /// Like ``/HotSignals/Signal/sample(with:)`` of signals, separately for each start. This producer's work begins
    /// first.
    ///
    /// - Parameter sampler: A signal, or a producer, which is started once per start.
    @_alwaysEmitIntoClient
    public func sample<Tick>(
        with sampler: some SignalProducerConvertible<Tick, Never>
    ) -> SignalProducer<(Value, Tick), Failure> {
        sample("sample(with:)", sampler.producer) { ($0, $1) }
    }

    /// Accepts leading-dot syntax: `sample(with: .interval(.seconds(1), on: queue))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func sample<Tick>(with sampler: SignalProducer<Tick, Never>) -> SignalProducer<(Value, Tick), Failure> {
        sample(with: sampler)
    }

    @_alwaysEmitIntoClient
    func sample<Tick, Output>(
        _ name: StaticString, _ sampler: SignalProducer<Tick, Never>,
        combine: @escaping @Sendable (Value, Tick) -> Output
    ) -> SignalProducer<Output, Failure> {
        machine(name, sampler, startsOtherFirst: false) { SampleMachine(core: $0, combine: combine) }
    }
}

extension Signal {
    /// Sends the latest value whenever a producer or a property sends. A producer is started immediately: see
    /// ``/HotSignals/Signal/sample(on:)``.
    @_alwaysEmitIntoClient
    public func sample<Tick>(on sampler: some SignalProducerConvertible<Tick, Never>) -> Signal {
        sampler.producer.startWithSignal { ticks, interrupter in sample(on: ticks).disposing(interrupter) }
    }

    /// Accepts leading-dot syntax: `sample(on: .interval(.seconds(1), on: queue))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func sample<Tick>(on sampler: SignalProducer<Tick, Never>) -> Signal { sample(on: sampler) }

    /// Sends the latest value together with that of a producer or a property whenever the latter sends. A producer is
    /// started immediately: see ``/HotSignals/Signal/sample(with:)``.
    @_alwaysEmitIntoClient
    public func sample<Tick>(
        with sampler: some SignalProducerConvertible<Tick, Never>
    ) -> Signal<(Value, Tick), Failure> {
        sampler.producer.startWithSignal { ticks, interrupter in sample(with: ticks).disposing(interrupter) }
    }

    /// Accepts leading-dot syntax: `sample(with: .interval(.seconds(1), on: queue))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func sample<Tick>(with sampler: SignalProducer<Tick, Never>) -> Signal<(Value, Tick), Failure> {
        sample(with: sampler)
    }
}
