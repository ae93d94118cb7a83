import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("SignalProducer")
struct SignalProducerTests {
    @Test("does its work once per start, and nothing before")
    func perStart() {
        let starts = Counter()
        let producer = Numbers { observer, _ in
            observer.sendNext(starts.increment())
            observer.sendCompleted()
        }
        let derived = producer.map { $0 * 10 }
        expect(starts.value, is: 0)
        expect(producer.logged().all, is: ["1", "completed"])
        expect(derived.logged().all, is: ["20", "completed"])
        expect(producer.logged().all, is: ["3", "completed"])
    }

    @Test("does what its documentation shows")
    func example() {
        let rolls = SignalProducer<Int, Never> { observer, lifetime in
            for _ in 1...3 { observer.sendNext(.random(in: 1...6)) }
            observer.sendCompleted()
        }
        let numbers = Log<Int>()
        rolls.startWithNext { numbers.append($0) }
        rolls.startWithNext { numbers.append($0) }
        expect(numbers.count, is: 6)
        #expect(numbers.all.allSatisfy { (1...6).contains($0) })
    }

    @Test("begins its work on the thread of the start, before the start returns")
    func thread() {
        let log = Log<UInt>()
        Numbers { _, _ in log.append(ThreadIdentity.current) }.start()
        expect(log.all, is: [ThreadIdentity.current])
    }

    @Test("sends nothing after a terminal event", arguments: terminals)
    func terminal(event: Event<Int, TestError>) {
        let producer = Numbers { observer, _ in
            observer.sendNext(1)
            observer.send(event)
            observer.sendNext(2)
            for terminal in terminals { observer.send(terminal) }
        }
        expect(producer.logged().all, is: ["1", event.text])
        expect(producer.map { $0 }.logged().all, is: ["1", event.text])
    }

    @Test(
        "ends the lifetime after the observer has received the end, in reverse order of attachment",
        arguments: terminals)
    func lifetime(event: Event<Int, TestError>) {
        let log = Log<String>()
        let disposable = Numbers { observer, lifetime in
            for name in ["first", "second"] { lifetime.observeEnded { log.append(name) } }
            #expect(!lifetime.hasEnded)
            observer.send(event)
            #expect(lifetime.hasEnded)
            lifetime.observeEnded { log.append("late") }
        }.start { log.append($0.text) }
        expect(log.all, is: [event.text, "second", "first", "late"])
        #expect(disposable.isDisposed)
        disposable.dispose()
        expect(log.count, is: 4)
    }

    @Test("interrupts when its observer is released without a terminal event")
    func released() {
        let log = Log<String>()
        Numbers { observer, lifetime in
            lifetime.observeEnded { log.append("attached") }
            observer.sendNext(1)
        }.start { log.append($0.text) }
        expect(log.all, is: ["1", "interrupted", "attached"])
    }

    @Test("interrupts on disposal, then ends the lifetime") func disposal() { expectInterrupts { $0 } }

    @Test("does not begin work that is disposed of before it starts") func notBegun() { expectDoesNotBegin { $0 } }

    @Test("delivers no value from another thread after disposal")
    func disposalWhileSending() {
        for _ in 0..<200 {
            let inputs = Log<Signal<Int, TestError>.Observer>()
            let log = Log<String>()
            let disposable = Numbers { observer, _ in inputs.append(observer) }.start { log.append($0.text) }
            let input = inputs.all[0]
            onThreads(2, "disposal") { index in
                if index == 0 { disposable.dispose() } else { for number in 0..<20 { input.sendNext(number) } }
            }
            expect(log.all.last, is: "interrupted")
            #expect(log.all.dropLast() == (0..<(log.count - 1)).map(String.init)[...])
        }
    }

    @Test("ends once when disposal and completion race")
    func race() {
        for _ in 0..<500 {
            let manual = Manual()
            let start = manual.producer.startLogged()
            let input = manual.input
            onThreads(2, "ends") { index in
                if index == 0 { start.disposable.dispose() } else { input?.sendCompleted() }
            }
            expect(start.log.count, is: 1)
            expect(manual.disposals.value, is: 1)
            manual.release()
        }
    }

    @Test("serializes events from several threads", arguments: [Contention.wait, .enqueue])
    func serialises(contention: Contention) {
        let inputs = Log<Signal<Int, TestError>.Observer>()
        let inside = Counter()
        let overlaps = Counter()
        let count = Locked(0)
        SignalProducer<Int, TestError>(contention: contention) { observer, _ in inputs.append(observer) }
            .start { _ in
                let before = inside.increment()
                count.withLock { $0 += 1 }
                if inside.value != before { overlaps.increment() }
            }
        let input = inputs.all[0]
        onThreads(3, "senders") { _ in for number in 0..<500 { input.sendNext(number) } }
        expect(count.withLock { $0 }, is: 1_500)
        expect(overlaps.value, is: 0)
        input.sendCompleted()
    }

    @Test("delivers re-entrant events in order")
    func reentrant() {
        let inputs = Log<Signal<Int, TestError>.Observer>()
        let log = Log<String>()
        Numbers { observer, _ in inputs.append(observer) }.start { event in
            log.append("begin \(event.text)")
            if event.value == 1 {
                inputs.all[0].sendNext(2)
                inputs.all[0].sendCompleted()
            }
            log.append("end \(event.text)")
        }
        inputs.all[0].sendNext(1)
        expect(log.all, is: ["begin 1", "end 1", "begin 2", "end 2", "begin completed", "end completed"])
    }

    @Test("holds nothing once it has ended") func releases() { expectReleases { source, _ in source } }
}
