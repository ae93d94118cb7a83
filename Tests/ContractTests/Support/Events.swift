import ReactiveSignals
import TestSupport

/// Observes a signal, and records its events.
func events<Value, Failure>(of signal: Signal<Value, Failure>) -> Log<Event<Value, Failure>> {
    let log = Log<Event<Value, Failure>>()
    signal.observe { log.append($0) }
    return log
}

/// Starts a producer, and records the events of the start.
func events<Value, Failure>(of producer: SignalProducer<Value, Failure>) -> Log<Event<Value, Failure>> {
    let log = Log<Event<Value, Failure>>()
    producer.start { log.append($0) }
    return log
}
