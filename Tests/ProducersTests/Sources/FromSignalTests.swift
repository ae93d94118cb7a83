import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("SignalProducer.init(_ signal:)")
struct FromSignalTests {
    @Test("observes the signal from the start on", arguments: terminals)
    func observes(terminal: Event<Int, TestError>) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let producer = Numbers(signal)
        input.sendNext(1)
        let first = producer.logged()
        input.sendNext(2)
        let second = producer.map { $0 }.logged()
        input.sendNext(3)
        input.send(terminal)
        expect(first.all, is: ["2", "3", terminal.text])
        expect(second.all, is: ["3", terminal.text])
        expect(producer.logged().all, is: ["interrupted"])
    }

    @Test("is interrupted at once if it starts while the signal's terminal event is being delivered")
    func startedInTerminalEvent() {
        for terminal in terminals {
            let (signal, input) = Signal<Int, TestError>.pipe()
            let log = Log<String>()
            signal.observe { event in
                log.append(event.text)
                Numbers(signal).start { log.append("producer: \($0.text)") }
                signal.map { $0 }.observe { log.append("map: \($0.text)") }
                log.append("begun")
            }
            input.send(terminal)
            expect(log.all, is: [terminal.text, "producer: interrupted", "map: interrupted", "begun"])
        }
    }

    @Test("is interrupted by the release of the signal's input")
    func releasedInput() {
        var pipe: (output: Signal<Int, TestError>, input: Signal<Int, TestError>.Observer)? = Signal.pipe()
        let log = Numbers(pipe!.output).logged()
        pipe = nil
        expect(log.all, is: ["interrupted"])
    }

    @Test("on disposal detaches from the signal, which continues for other observers")
    func disposal() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let other = signal.logged()
        let start = Numbers(signal).startLogged()
        input.sendNext(1)
        start.disposable.dispose()
        input.sendNext(2)
        input.sendCompleted()
        expect(start.log.all, is: ["1", "interrupted"])
        expect(other.all, is: ["1", "2", "completed"])
    }

    @Test("interrupts after the delivery in which it is disposed of, and sends no further value")
    func inside() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = Log<String>()
        Numbers(signal).on(disposed: { log.append("disposed") }).startDisposably { event, disposable in
            log.append(event.text)
            disposable.dispose()
        }
        let other = signal.logged()
        input.sendNext(1)
        input.sendNext(2)
        expect(log.all, is: ["1", "interrupted", "disposed"])
        expect(other.all, is: ["1", "2"])
        input.sendCompleted()
    }

    @Test("interrupts after a delivery that another thread is running")
    func otherThread() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (entered, mayLeave) = (Latch("not entered"), Latch("not left"))
        let log = Log<String>()
        let disposable = Numbers(signal).start { event in
            log.append(event.text)
            if event.value == 1 {
                entered.open()
                mayLeave.wait()
            }
        }
        let thread = TestThread("sender") { for number in 1...3 { input.sendNext(number) } }
        entered.wait()
        disposable.dispose()
        mayLeave.open()
        thread.join()
        expect(log.all, is: ["1", "interrupted"])
        input.sendCompleted()
    }

    @Test("does not observe the signal for a start that is already disposed of")
    func notBegun() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = Numbers(signal).startWithSignal { signal, disposable in
            disposable.dispose()
            return signal.logged()
        }
        input.sendNext(1)
        expect(log.all, is: ["interrupted"])
        input.sendCompleted()
    }

    @Test("a start inside a delivery receives the following events")
    func startedInside() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = Log<String>()
        signal.observe { event in
            if event.value == 1 { Numbers(signal).start { log.append($0.text) } }
        }
        input.sendNext(1)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["2", "completed"])
    }

    @Test("a start holds nothing once it has ended")
    func releases() {
        let population = Population()
        let (signal, input) = Signal<Int, TestError>.pipe()
        for ends in [false, true] {
            let disposable = {
                let member = population.member()
                return Numbers(signal).start { _ in member.touch() }
            }()
            expect(population.alive, is: 1)
            if ends { input.sendCompleted() } else { disposable.dispose() }
            expect(population.alive, is: 0)
        }
    }

    @Test("is named after its signal")
    func name() { expect(Numbers(Signal.never.named("s").map { $0 }).name, is: "[[s] -map:] -producer") }
}
