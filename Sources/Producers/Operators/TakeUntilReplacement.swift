extension SignalProducer {
    /// Sends values until a replacement sends its first event, and then the replacement's events.
    ///
    /// Like ``/HotSignals/Signal/take(untilReplacement:)`` of signals, separately for each start. The replacement's
    /// work begins first.
    ///
    /// - Parameter replacement: A signal, or a producer, which is started once per start.
    @inlinable
    public func take(
        untilReplacement replacement: some SignalProducerConvertible<Value, Failure>
    ) -> SignalProducer {
        lift("take(untilReplacement:)", replacement.producer) { $0.take(untilReplacement: $1) }
    }

    /// Accepts leading-dot syntax: `take(untilReplacement: .init(value: 1))`.
    @_documentation(visibility: internal)  // The same operator: the compiler needs a type to find the member in.
    @_disfavoredOverload
    @inlinable
    public func take(untilReplacement replacement: SignalProducer) -> SignalProducer {
        take(untilReplacement: replacement)
    }
}
