import HotSignals
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting

/// The operators on streams that take a property.
extension Entry {
    static let withProperties: [Entry] = [
        Entry("Signal.throttle(while:on:)", "not now", transparent: true) { source, _ in
            source.throttle(while: Property(value: false), on: ImmediateScheduler())
        },
        Entry("Signal.throttle(while:on:)", "QueueScheduler", asynchronous: true, maySendNothing: true) { source, _ in
            source.throttle(while: Property(value: false), on: QueueScheduler())
        },
        Entry("Signal.throttle(while:on:)", "for ever", maySendNothing: true) { source, _ in
            source.throttle(while: Property(value: true), on: ImmediateScheduler())
        },
        .cold("SignalProducer.throttle(while:on:)", "not now", transparent: true) { source, _ in
            source.producer.throttle(while: Property(value: false), on: ImmediateScheduler())
        },
        .cold("SignalProducer.throttle(while:on:)", "for ever", maySendNothing: true) { source, _ in
            source.producer.throttle(while: Property(value: true), on: ImmediateScheduler())
        },
        .cold("SignalProducer.circuitBreaker(_:)", transparent: true) { source, _ in
            source.producer
                .circuitBreaker(CircuitBreaker(failures: 1, reset: .constant(.seconds(1)), on: TestScheduler()))
                .mapError { _ in TestError() }
        },
    ]
}
