import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("lift(_:)")
struct SignalProducerLiftTests {
    private typealias Merging =
        @Sendable (Signal<Int, TestError>) -> (Signal<Int, TestError>) -> Signal<Int, TestError>

    private let merging: Merging = { first in { first.merge(with: $0) } }

    @Test("applies an operator to the signal of each start, before the work begins")
    func unary() {
        let log = Log<String>()
        let producer = Numbers { observer, _ in
            log.append("work")
            observer.sendNext(1)
            observer.sendCompleted()
        }.lift { signal in
            log.append("lift")
            return signal.map { $0 + 1 }
        }
        #expect(log.all.isEmpty)
        for round in 1...2 {
            expect(producer.logged().all, is: ["2", "completed"])
            #expect(log.all == Array(repeating: ["lift", "work"], count: round).flatMap(\.self))
        }
    }

    @Test("forwards every terminal event", arguments: terminals)
    func terminal(event: Event<Int, TestError>) {
        expect(ending(with: event).lift { $0 }.logged().all, is: [event.text])
        expect(ending(with: event).lift { $0.map { $0 } }.logged().all, is: [event.text])
    }

    @Test("cancels the work when the lifted signal ends")
    func backwards() {
        let manual = Manual()
        let log = manual.producer.lift { $0.take(first: 1) }.logged()
        manual.input?.sendNext(1)
        expect(log.all, is: ["1", "completed"])
        expect(manual.disposals.value, is: 1)
    }

    @Test("stops an endless synchronous source when the lifted signal ends")
    func endless() {
        let numbers = Endless()
        expect(Numbers(numbers).lift { $0.take(first: 3) }.logged().all, is: ["1", "2", "3", "completed"])
        expect(numbers.computed.value, is: 3)
    }

    @Test("stops an endless synchronous source") func stops() { expectStops { $0.lift { $0.map { $0 } } } }

    @Test("cancels the work when the operator does not use the signal")
    func unused() {
        let manual = Manual()
        expect(manual.producer.lift { _ in Signal<Int, TestError>.empty }.logged().all, is: ["interrupted"])
        expect(manual.starts.value, is: manual.disposals.value)
        let start = manual.producer.lift { _ in Signal<Int, TestError>.never }.startLogged()
        expect(manual.starts.value, is: manual.disposals.value)
        start.disposable.dispose()
        expect(start.log.all, is: ["interrupted"])
        manual.release()
    }

    @Test("with two producers starts the argument's work first, then its own")
    func binary() {
        let log = Log<String>()
        let own = Numbers { observer, _ in
            log.append("own")
            observer.sendNext(1)
            observer.sendCompleted()
        }
        let other = Numbers { observer, _ in
            log.append("other")
            observer.sendNext(2)
            observer.sendCompleted()
        }
        let lifted: (Numbers) -> Numbers = own.lift(merging)
        #expect(log.all.isEmpty)
        expect(lifted(other).logged().all, is: ["2", "1", "completed"])
        expect(log.all, is: ["other", "own"])
        expect(lifted(other).name, is: "[producer] -lift:")
    }

    @Test("with a signal observes that signal")
    func signal() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let lifted: (Signal<Int, TestError>) -> Numbers = Numbers(value: 1).lift(merging)
        let log = lifted(signal).logged()
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("cancels both producers when one fails, and on disposal")
    func cancellation() {
        let (first, second) = (Manual(), Manual())
        let lifted: (Numbers) -> Numbers = first.producer.lift(merging)
        let failed = lifted(second.producer).logged()
        second.input?.sendError(.second)
        expect(failed.all, is: ["error second"])
        #expect((first.disposals.value, second.disposals.value) == (1, 1))
        let start = lifted(second.producer).startLogged()
        first.input?.sendNext(1)
        start.disposable.dispose()
        second.input?.sendNext(2)
        expect(start.log.all, is: ["1", "interrupted"])
        #expect((first.disposals.value, second.disposals.value) == (2, 2))
        first.release()
        second.release()
    }

    @Test("interrupts on disposal even if the lifted signal does not depend on the start")
    func goesOn() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let start = Numbers.empty.lift { _ in signal }.startLogged()
        input.sendNext(1)
        start.disposable.dispose()
        input.sendNext(2)
        expect(start.log.all, is: ["1", "interrupted"])
        input.sendCompleted()
    }

    @Test("interrupts on disposal, then ends the lifetime") func disposal() { expectInterrupts { $0.lift { $0 } } }

    @Test("does not begin work that is disposed of before it starts")
    func notBegun() { expectDoesNotBegin { $0.lift { $0 } } }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in
            source.lift { signal in
                signal.map {
                    member.touch()
                    return $0
                }
            }
        }
    }

    @Test("does not begin a start that the operator has already released")
    func notBegunWithoutUse() {
        let numbers = CountedNumbers()
        let log = Numbers(numbers).take(untilReplacement: Numbers(value: -1)).logged()
        expect(log.all, is: ["-1", "completed"])
        expect(numbers.asked.value, is: 0)
        let manual = Manual()
        let replaced = Numbers(numbers).take(untilReplacement: manual.producer.prefix(value: -1)).logged()
        expect(replaced.all, is: ["-1"])
        expect(numbers.asked.value, is: 0)
        manual.input?.sendCompleted()
        expect(replaced.all, is: ["-1", "completed"])
    }
}
