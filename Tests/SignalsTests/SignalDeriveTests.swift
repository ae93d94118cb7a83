import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// The simplest operator: forwards everything.
private struct Passing<Downstream: Sink>: OperatorSink {
    let downstream: Downstream

    func next(_ value: Downstream.Value) { downstream.next(value) }

    func end(_ termination: Termination<Downstream.Failure>) { downstream.end(termination) }
}

@Suite("Signal: derive")
struct SignalDeriveTests {
    @Test("applies an operator once for any number of observers")
    func applies() {
        let (source, input) = Source.pipe()
        let makings = Counter()
        let derived: Source = source.derive("pass: #", argument: 3) { downstream in
            makings.increment()
            return Passing(downstream: downstream)
        }
        let logs = [derived.logged(), derived.logged()]
        input.sendNext(1)
        input.sendError(.second)
        expect(makings.value, is: 1)
        for log in logs { expect(log.all, is: ["1", "error second"]) }
        expect(derived.name, is: "[pipe] -pass: 3")
    }

    @Test("ends the operator's lifetime after every observer has received the terminal event, or on disposal")
    func lifetime() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted, .next(1)] {
            let (source, input) = Source.pipe()
            let log = Log<String>()
            let disposable = {
                let derived: Source = source.derive("pass") { downstream, lifetime in
                    lifetime.observeEnded { log.append("ended") }
                    return Passing(downstream: downstream)
                }
                return derived.observe { log.append($0.text) }
            }()
            input.send(event)
            disposable?.dispose()
            expect(log.all, is: [event.text, "ended"])
        }
    }

    @Test("shares the gate of the source: re-entrant events wait for all derived signals")
    func sharedGate() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.map { $0 }.observe { event in
            log.append("derived \(event.text)")
            if event.value == 1 { input.sendNext(2) }
        }
        source.observe { log.append("source \($0.text)") }
        input.sendNext(1)
        expect(log.all, is: ["derived 1", "source 1", "derived 2", "source 2"])
        input.sendCompleted()
    }

    @Test("deriveCompleted interrupts its observers without observing the source")
    func completed() {
        let (source, input) = Source.pipe()
        let derived = source.deriveCompleted("none: #", argument: 0)
        expect(derived.logged().all, is: ["interrupted"])
        expect(derived.name, is: "[pipe] -none: 0")
        input.sendNext(1)
    }
}
