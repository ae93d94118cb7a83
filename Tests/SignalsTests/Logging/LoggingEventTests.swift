import ReactiveSignals
import TestSupport
import Testing

@Suite("LoggingEvent")
struct LoggingEventTests {
    @Test("lists all loggable events of a signal")
    func signal() {
        expect(
            LoggingEvent.Signal.allCases.map(\.rawValue),
            is: [
                "next", "error", "completed", "interrupted", "terminated", "disposed",
            ])
        expect(LoggingEvent.Signal.allEvents, is: [.next, .error, .completed, .interrupted, .terminated, .disposed])
    }

    @Test("lists the events of a producer, including its start")
    func producer() {
        expect(
            LoggingEvent.SignalProducer.allCases.map(\.rawValue),
            is: [
                "starting", "started", "next", "error", "completed", "interrupted", "terminated", "disposed",
            ])
        expect(LoggingEvent.SignalProducer.allEvents, is: Set(LoggingEvent.SignalProducer.allCases))
    }

    @Test("can be made from its raw value, as in a configuration")
    func text() {
        for event in LoggingEvent.Signal.allCases { expect(LoggingEvent.Signal(rawValue: event.rawValue), is: event) }
        for event in LoggingEvent.SignalProducer.allCases {
            expect(LoggingEvent.SignalProducer(rawValue: event.rawValue), is: event)
        }
        #expect(LoggingEvent.Signal(rawValue: "starting") == nil)
    }
}
