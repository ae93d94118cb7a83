extension SignalProducer {
    /// Sends the events of the first producer that sends any event.
    ///
    /// The first event of any kind selects the producer. The others are disposed of, and those that have not begun are
    /// not started. Without producers, completes immediately.
    @_alwaysEmitIntoClient
    public static func race(_ producers: SignalProducer...) -> SignalProducer {
        joining("+race:", all: producers, .race)
    }

    /// Sends the events of the first producer of a sequence that sends any event: see
    /// ``race(_:)-(SignalProducer<Value,Failure>...)``.
    @_alwaysEmitIntoClient
    public static func race<S: Sequence & Sendable>(_ producers: S) -> SignalProducer
    where S.Element: SignalProducerConvertible<Value, Failure> {
        joining("+race:", producers, .race)
    }
}
