extension SignalProducer {
    /// Sends the events of the producer that sends anything first.
    ///
    /// The first event of any kind decides; the others are disposed of, and those that have not begun are not started. Without
    /// producers it completes at once.
    @inlinable
    public static func race(_ producers: SignalProducer...) -> SignalProducer {
        joining(
            "+race:", producers, .race, Junction(producers.map(\.streamName)),
            contention: producers.lazy.map(\.contention).joined())
    }

    /// Sends the events of the producer of a sequence that sends anything first: see ``race(_:)-(SignalProducer<Value,Failure>...)``.
    @inlinable
    public static func race<S: Sequence & Sendable>(_ producers: S) -> SignalProducer
    where S.Element: SignalProducerConvertible<Value, Failure> {
        joining("+race:", producers, .race)
    }
}
