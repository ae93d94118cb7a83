import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("Signal.Observer")
struct SignalObserverTests {
    private let events: [Event<Int, TestError>] = [.next(1), .error(.first), .completed, .interrupted]

    private func sendAll(to observer: Source.Observer) {
        observer.sendNext(1)
        observer.sendError(.first)
        observer.sendCompleted()
        observer.sendInterrupted()
    }

    @Test("with one closure, passes every event to it")
    func oneClosure() {
        let log = Log<Event<Int, TestError>>()
        let observer = Source.Observer { log.append($0) }
        sendAll(to: observer)
        for event in events { observer.send(event) }
        expect(log.all, is: events + events)
    }

    @Test("with a closure per event, calls the one for each event")
    func closures() {
        let log = Log<String>()
        let observer = Source.Observer(
            next: { log.append("next \($0)") }, error: { log.append("error \($0)") },
            completed: { log.append("completed") }, interrupted: { log.append("interrupted") })
        sendAll(to: observer)
        expect(log.all, is: ["next 1", "error first", "completed", "interrupted"])
    }

    @Test("ignores the events for which it has no closure")
    func missing() {
        let log = Log<Int>()
        let none = Source.Observer()
        sendAll(to: none)
        let some = Source.Observer(next: { log.append($0) })
        sendAll(to: some)
        expect(log.all, is: [1])
    }

    @Test("as an input, ignores events after a terminal event")
    func afterTerminal() {
        for event in events.dropFirst() {
            let (signal, input) = Source.pipe()
            let log = signal.logged()
            input.send(event)
            sendAll(to: input)
            for event in events { input.send(event) }
            expect(log.all, is: [event.text])
        }
    }

    @Test("as an input, sends events passed to send and to the named methods")
    func input() {
        for event in events.dropFirst() {
            let (signal, input) = Source.pipe()
            let (other, otherInput) = Source.pipe()
            let log = signal.logged()
            let otherLog = other.logged()
            input.send(.next(1))
            otherInput.sendNext(1)
            input.send(event)
            switch event {
            case .error(let error): otherInput.sendError(error)
            case .completed: otherInput.sendCompleted()
            default: otherInput.sendInterrupted()
            }
            expect(log.all, is: ["1", event.text])
            expect(otherLog.all, is: log.all)
        }
    }

    @Test("sends Void values without an argument")
    func void() {
        let (signal, input) = Signal<Void, Never>.pipe()
        let log = signal.logged()
        input.sendNext()
        input.sendNext(())
        expect(log.all, is: ["()", "()"])
    }

    @Test("as an input, forwards another signal when it observes that signal")
    func feeds() {
        let (source, sourceInput) = Source.pipe()
        let (target, targetInput) = Source.pipe()
        let log = target.logged()
        source.observe(targetInput)
        sourceInput.sendNext(1)
        sourceInput.sendError(.second)
        expect(log.all, is: ["1", "error second"])
    }

    @Test("as an input, is released with the signal that it observes, and interrupts its own")
    func feedsAndGoes() {
        let log: Log<String>
        do {
            let (source, sourceInput) = Source.pipe()
            let (target, targetInput) = Source.pipe()
            log = target.logged()
            source.observe(targetInput)
            withExtendedLifetime(sourceInput) {}
        }
        expect(log.all, is: ["interrupted"])
    }
}
