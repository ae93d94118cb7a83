import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("observe(on:) of producers")
struct ObserveOnTests {
    @Test("delivers every event on the scheduler, in order, including the terminal event", arguments: ["|", "X", "!"])
    func delivers(end: String) throws {
        let mark = try #require(end.first)
        let terminal = try #require(Event(mark: mark))
        expect(
            timeline(of: "-12-3" + end) { $0.observe(on: $1) },
            is: [
                "1 at 1", "2 at 2", "3 at 4", "\(terminal.text) at 5",
            ])
        let scheduler = TestScheduler()
        let source = Numbers { observer, _ in
            for value in 1...3 { observer.sendNext(value) }
            observer.send(terminal)
        }
        let log = source.observe(on: scheduler).logged()
        #expect(log.all.isEmpty)
        scheduler.run()
        expect(log.all, is: ["1", "2", "3", terminal.text])
    }

    @Test("does not move the work to the scheduler")
    func work() {
        let scheduler = TestScheduler()
        let places = Log<Bool>()
        let log = Numbers(value: 1).on(next: { _ in places.append(CurrentScheduler.value === scheduler) })
            .observe(on: scheduler)
            .map { _ in CurrentScheduler.value === scheduler }
            .logged()
        expect(places.all, is: [false])
        scheduler.run()
        expect(log.all, is: ["true", "completed"])
    }

    @Test("on disposal drops pending events, cancels the work immediately, and interrupts on the scheduler")
    func disposal() {
        let scheduler = TestScheduler()
        let manual = Manual()
        let log = Log<String>()
        let disposable = manual.producer.observe(on: scheduler).start { log.append(when($0, scheduler)) }
        manual.input?.sendNext(1)
        manual.input?.sendNext(2)
        disposable.dispose()
        expect(manual.disposals.value, is: 1)
        scheduler.run()
        expect(log.all, is: ["interrupted at 0"])
        manual.release()
    }

    @Test("sends downstream operators only the interruption after disposal, and no pending events")
    func dropsBetween() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let disposable = Numbers.merge([Numbers([1, 2]), .never]).observe(on: scheduler)
            .on(event: { log.append("on \($0.text)") })
            .start { log.append($0.text) }
        disposable.dispose()
        scheduler.run()
        expect(log.all, is: ["on interrupted", "interrupted"])
    }

    @Test("cancels the work when the result ends on the scheduler")
    func backwards() {
        let scheduler = TestScheduler()
        let manual = Manual()
        let log = manual.producer.observe(on: scheduler).take(first: 1).logged()
        manual.input?.sendNext(1)
        manual.input?.sendNext(2)
        expect(manual.disposals.value, is: 0)
        scheduler.run()
        expect(manual.disposals.value, is: 1)
        expect(log.all, is: ["1", "completed"])
    }

    @Test("has no effect on an immediate scheduler, separately for each start")
    func follows() { expectFollows { $0.observe(on: ImmediateScheduler()) } }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in
            source.on(terminated: { member.touch() }).observe(on: ImmediateScheduler())
        }
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.observe(on: TestScheduler()).name, is: "[never] -observe(on:)") }
}
