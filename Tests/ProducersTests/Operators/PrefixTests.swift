import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("prefix")
struct PrefixTests {
    @Test("sends the value at each start, before the work begins")
    func value() {
        let log = Log<String>()
        let producer = Numbers { observer, _ in
            log.append("work")
            observer.sendNext(1)
            observer.sendCompleted()
        }.prefix(value: 0)
        for _ in 0..<2 {
            log.removeAll()
            producer.start { log.append($0.text) }
            expect(log.all, is: ["0", "work", "1", "completed"])
        }
    }

    @Test("forwards an error, and treats an interruption as completion", arguments: terminals)
    func terminal(event: Event<Int, TestError>) {
        let isError = event.error != nil
        expect(ending(with: event).prefix(value: 0).logged().all, is: ["0", isError ? event.text : "completed"])
        expect(
            ending(with: event).prefix(Numbers(value: 0)).logged().all, is: ["0", isError ? event.text : "completed"])
        #expect(
            Numbers(value: 1).prefix(ending(with: event)).logged().all == (isError ? [event.text] : ["1", "completed"]))
    }

    @Test("sends the events of another producer or a signal first")
    func producer() {
        expect(Numbers([3]).prefix(Numbers([1, 2])).logged().all, is: ["1", "2", "3", "completed"])
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = Numbers([3]).prefix(signal).logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["1", "3", "completed"])
    }

    @Test("does not begin the work when downstream ends with the value")
    func enough() {
        let begun = Log<String>()
        let work = Numbers { _, _ in begun.append("work") }
        for producer in [
            work, work.map { $0 }, work.concat(work), .deferred { work }, work.lift { $0 }, work.retry(upTo: 1),
            Numbers(Endless()).on(next: { _ in begun.append("next") }),
        ] {
            expect(producer.prefix(value: 0).take(first: 1).logged().all, is: ["0", "completed"])
        }
        #expect(begun.all.isEmpty)
    }

    @Test("interrupts without beginning the work when it is disposed of during the delivery of the value")
    func inside() {
        let starts = Counter()
        for producer in [
            Numbers { _, _ in starts.increment() }, Numbers([1, 2]), Numbers(value: 1), .empty, .never,
            Numbers(error: .first), .interrupted,
        ] {
            let log = Log<String>()
            producer.prefix(value: 0).startDisposably { event, disposable in
                log.append(event.text)
                disposable.dispose()
            }
            expect(log.all, is: ["0", "interrupted"])
        }
        expect(starts.value, is: 0)
    }

    @Test("interrupts on disposal, then ends the lifetime")
    func disposal() {
        expectInterrupts { $0.prefix(Numbers.empty) }
        expectInterrupts { Numbers.never.prefix($0) }
        expectInterrupts(values: ["0", "1"]) { $0.prefix(value: 0) }
    }

    @Test("does not begin work that is disposed of before it starts")
    func notBegun() {
        expectDoesNotBegin { $0.prefix(value: 0) }
        expectDoesNotBegin { $0.prefix($0) }
    }

    @Test("stops an endless synchronous source")
    func stops() {
        expectStops(computed: 2) { $0.prefix(value: 0) }
        expectStops { $0.prefix($0) }
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.on(completed: { member.touch() }).prefix(value: 0) }
        expectReleases { source, member in Numbers.empty.on(completed: { member.touch() }).prefix(source) }
    }

    @Test("holds nothing if downstream ends with the value")
    func valueIsEnough() {
        let population = Population()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let manual = Manual()
        for source in [manual.producer, .never, signal.producer, manual.producer.replayLazily(upTo: 1)] {
            let log = source.prefix(value: 1).map { [member = population.member()] value in
                member.touch()
                return value
            }.take(first: 1).logged()
            expect(log.all, is: ["1", "completed"])
        }
        expect(population.alive, is: 0)
        expect(manual.starts.value, is: 0)
        input.sendCompleted()
    }
}
