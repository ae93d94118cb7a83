import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("start(on:)")
struct StartOnTests {
    private let scheduler = TestScheduler()

    @Test("begins the work of each start on the scheduler")
    func begins() {
        let log = Log<Bool>()
        let scheduler = scheduler
        let producer = Numbers { observer, _ in
            log.append(CurrentScheduler.value === scheduler)
            observer.sendNext(1)
            observer.sendCompleted()
        }.start(on: scheduler)
        for round in 1...2 {
            let result = producer.logged()
            expect(log.count, is: round - 1)
            #expect(result.all.isEmpty)
            scheduler.advance()
            expect(result.all, is: ["1", "completed"])
        }
        expect(log.all, is: [true, true])
    }

    @Test("delivers events where the work sends them")
    func elsewhere() {
        let manual = Manual()
        let log = manual.producer.start(on: scheduler).logged()
        scheduler.run()
        manual.input?.sendNext(1)
        manual.input?.sendCompleted()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("forwards every terminal event", arguments: terminals)
    func terminal(event: Event<Int, TestError>) {
        let log = ending(with: event).start(on: scheduler).logged()
        scheduler.run()
        expect(log.all, is: [event.text])
        expect(ending(with: event).start(on: ImmediateScheduler()).logged().all, is: [event.text])
    }

    @Test("interrupts immediately and begins no work when it is disposed of before the scheduler runs")
    func disposedBefore() {
        let manual = Manual()
        let log = Log<String>()
        let disposable = manual.producer.start(on: scheduler).on(disposed: { log.append("disposed") })
            .start { log.append($0.text) }
        disposable.dispose()
        expect(log.all, is: ["interrupted", "disposed"])
        scheduler.run()
        expect(log.count, is: 2)
        expect(manual.starts.value, is: 0)
    }

    @Test("begins the work on the scheduler even if the action runs before `schedule` returns")
    func hasty() {
        let scheduler = HastyScheduler()
        let places = Log<Bool>()
        let log = Numbers { observer, _ in
            places.append(CurrentScheduler.value === scheduler)
            observer.sendCompleted()
        }.start(on: scheduler).logged()
        expect(log.all, is: ["completed"])
        expect(places.all, is: [true])
    }

    @Test("interrupts once and cancels work that has begun when disposal races with the beginning")
    func race() {
        for _ in 0..<200 {
            let scheduler = TestScheduler()
            let manual = Manual()
            let start = manual.producer.start(on: scheduler).startLogged()
            onThreads(2, "beginning") { index in
                if index == 0 { start.disposable.dispose() } else { scheduler.advance() }
            }
            expect(start.log.all, is: ["interrupted"])
            expect(manual.starts.value, is: manual.disposals.value)
            manual.release()
        }
    }

    @Test("stops an endless synchronous source on its own scheduler on disposal")
    func endless() {
        let queue = QueueScheduler()
        let (begun, ended) = (Latch("not begun"), Latch("not ended"))
        let last = Locked("")
        let isFirst = OnceFlag()
        // If the work did not begin on the queue, the test would hang, so it fails instead.
        let work = Numbers.deferred { CurrentScheduler.value === queue ? Numbers(Busy()) : Numbers(value: 0) }
        let disposable = work.start(on: queue).start { event in
            last.withLock { $0 = event.text }
            if isFirst.raise() { begun.open() }
            if event.isTerminating { ended.open() }
        }
        begun.wait()
        disposable.dispose()
        ended.wait()
        expect(last.withLock { $0 }, is: "interrupted")
    }

    @Test("interrupts on disposal, then ends the lifetime")
    func disposal() { expectInterrupts { $0.start(on: ImmediateScheduler()) } }

    @Test("does not begin work that is disposed of before it starts")
    func notBegun() { expectDoesNotBegin { $0.start(on: ImmediateScheduler()) } }

    @Test("stops an endless synchronous source") func stops() { expectStops { $0.start(on: ImmediateScheduler()) } }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in
            source.on(starting: { member.touch() }).start(on: ImmediateScheduler())
        }
    }
}
