extension SignalProducer {
    /// Sends values until a replacement sends its first event, and then the replacement's events.
    ///
    /// Like ``/HotSignals/Signal/take(untilReplacement:)`` of signals, separately for each start. The replacement's
    /// work begins first.
    ///
    /// - Parameter replacement: A signal, or a producer, which is started once per start.
    @_alwaysEmitIntoClient
    public func take(
        untilReplacement replacement: some SignalProducerConvertible<Value, Failure>
    ) -> SignalProducer {
        machine("take(untilReplacement:)", replacement.producer) { TakeUntilReplacementMachine(core: $0) }
    }

    /// Accepts leading-dot syntax: `take(untilReplacement: .init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func take(untilReplacement replacement: SignalProducer) -> SignalProducer {
        take(untilReplacement: replacement)
    }
}
