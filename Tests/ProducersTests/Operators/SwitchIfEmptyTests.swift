import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("switchIfEmpty(_:)")
struct SwitchIfEmptyTests {
    @Test("starts the other producer after a completion without a value, separately for each start")
    func empty() {
        let producer = Numbers.empty.switchIfEmpty(Numbers([8, 9]))
        for _ in 0..<2 { expect(producer.logged().all, is: ["8", "9", "completed"]) }
    }

    @Test("forwards everything else, and does not start the other producer")
    func others() {
        let other = Manual()
        expect(Numbers([1, 2]).switchIfEmpty(other.producer).logged().all, is: ["1", "2", "completed"])
        for terminal in [Event<Int, TestError>.error(.first), .interrupted] {
            expect(ending(with: terminal).switchIfEmpty(other.producer).logged().all, is: [terminal.text])
        }
        expect(
            Numbers(value: 1).concat(error: .first).switchIfEmpty(other.producer).logged().all,
            is: ["1", "error first"])
        expect(other.starts.value, is: 0)
    }

    @Test("forwards the terminal event of the other producer", arguments: terminals)
    func otherEnds(terminal: Event<Int, TestError>) {
        expect(Numbers.empty.switchIfEmpty(ending(with: terminal)).logged().all, is: [terminal.text])
    }

    @Test("accepts a signal, which it observes from then on, and an implicit member")
    func signal() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let manual = Manual()
        let log = manual.producer.switchIfEmpty(signal).logged()
        input.sendNext(1)
        manual.input?.sendCompleted()
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["2", "completed"])
        expect(Numbers.empty.switchIfEmpty(.init(value: 1)).logged().all, is: ["1", "completed"])
    }

    @Test("ends the first lifetime before the other producer begins")
    func order() {
        let (first, second) = (Manual(), Manual())
        let other = SignalProducer.deferred {
            expect(first.disposals.value, is: 1)
            return second.producer
        }
        let log = first.producer.switchIfEmpty(other).logged()
        first.input?.sendCompleted()
        #expect((first.disposals.value, second.starts.value) == (1, 1))
        second.input?.sendNext(1)
        second.input?.sendCompleted()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows { $0.switchIfEmpty(Numbers.never) } }

    @Test("interrupts on disposal, then ends the lifetime, whichever producer is running")
    func disposal() {
        expectInterrupts { $0.switchIfEmpty(Numbers.never) }
        expectInterrupts { source in Numbers.empty.switchIfEmpty(source) }
    }

    @Test("stops an endless producer, whichever producer is running")
    func stops() {
        expectStops { $0.switchIfEmpty(Numbers.never) }
        expectStops { source in Numbers.empty.switchIfEmpty(source) }
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.map { member.through($0) }.switchIfEmpty(.empty) }
        expectReleases { source, member in Numbers.empty.switchIfEmpty(source.map { member.through($0) }) }
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.switchIfEmpty(Numbers.empty).name, is: "[never] -switchIfEmpty:") }
}

@Suite("switchIfEmpty(_:) of signals")
struct SignalSwitchIfEmptyTests {
    private typealias Source = Signal<Int, TestError>

    @Test("starts the producer, once, after a completion without a value, and sends its events", arguments: terminals)
    func empty(terminal: Event<Int, TestError>) {
        let (source, input) = Source.pipe()
        let other = Manual()
        let result = source.switchIfEmpty(other.producer)
        let logs = (0..<2).map { _ in result.logged() }
        expect(other.starts.value, is: 0)
        input.sendCompleted()
        expect(other.starts.value, is: 1)
        other.input?.sendNext(8)
        other.input?.send(terminal)
        for log in logs { expect(log.all, is: ["8", terminal.text]) }
        expect(other.disposals.value, is: 1)
    }

    @Test("sends what a synchronous producer sends")
    func synchronous() {
        for (other, values) in [(Numbers([8, 9]), ["8", "9"]), (Numbers(value: 8), ["8"]), (Numbers.empty, [])] {
            let (source, input) = Source.pipe()
            let log = source.switchIfEmpty(other).logged()
            input.sendCompleted()
            expect(log.all, is: values + ["completed"])
        }
    }

    @Test("forwards everything else, and does not start the producer", arguments: terminals)
    func others(terminal: Event<Int, TestError>) {
        let (source, input) = Source.pipe()
        let other = Manual()
        let log = source.switchIfEmpty(other.producer).logged()
        input.sendNext(1)
        input.send(terminal)
        expect(log.all, is: ["1", terminal.text])
        expect(other.starts.value, is: 0)
    }

    @Test("cancels the producer when the result is no longer observed")
    func disposal() {
        let (source, input) = Source.pipe()
        let other = Manual()
        let disposable = source.switchIfEmpty(other.producer).observe { _ in }
        input.sendCompleted()
        expect(other.disposals.value, is: 0)
        disposable?.dispose()
        expect(other.disposals.value, is: 1)
    }

    @Test("accepts another signal, which it observes from the completion on")
    func signal() {
        let (source, input) = Source.pipe()
        let (other, otherInput) = Source.pipe()
        let log = source.switchIfEmpty(other).logged()
        otherInput.sendNext(1)
        input.sendCompleted()
        otherInput.sendNext(2)
        otherInput.sendInterrupted()
        expect(log.all, is: ["2", "interrupted"])
    }

    @Test("delivers re-entrant events in order")
    func reentrant() {
        let (source, input) = Source.pipe()
        let (other, otherInput) = Source.pipe()
        let log = Log<String>()
        source.switchIfEmpty(other).observe { event in
            log.append("begin \(event.text)")
            if event.value == 1 { otherInput.sendNext(2) }
            log.append("end \(event.text)")
        }
        input.sendCompleted()
        otherInput.sendNext(1)
        expect(log.all, is: ["begin 1", "end 1", "begin 2", "end 2"])
        otherInput.sendCompleted()
    }

    @Test("releases the producer when the source has sent a value and ended, or the result is released")
    func releases() {
        let population = Population()
        let (source, input) = Source.pipe()
        let result = source.switchIfEmpty(
            Numbers.empty.on(completed: { [member = population.member()] in member.touch() }))
        let disposable = result.observe { _ in }
        expect(population.alive, is: 1)
        input.sendNext(1)
        input.sendCompleted()
        expect(population.alive, is: 0)
        disposable?.dispose()
        withExtendedLifetime(result) {}
        let (second, secondInput) = Source.pipe()
        second.switchIfEmpty(Numbers.never.on(completed: { [member = population.member()] in member.touch() }))
            .observe { _ in }?.dispose()
        expect(population.alive, is: 0)
        withExtendedLifetime(secondInput) {}
    }

    @Test("cleans the other producer up after the observer has received the completion")
    func order() {
        let log = Log<String>()
        let (source, input) = Source.pipe()
        let other = Numbers { observer, lifetime in
            lifetime.observeEnded { log.append("cleaned up") }
            observer.sendNext(1)
            observer.sendCompleted()
        }
        source.switchIfEmpty(other).observe { log.append($0.text) }
        input.sendCompleted()
        expect(log.all, is: ["1", "completed", "cleaned up"])
    }

    @Test("has the operator's name")
    func name() { expect(Source.never.switchIfEmpty(Numbers.empty).name, is: "[never] -switchIfEmpty:") }
}
