import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("lazyMap(on:transform:) of producers")
struct LazyMapTests {
    private func mapped(_ diagram: String, until end: Int = 50) -> [String] {
        timeline(of: diagram, until: end) { $0.lazyMap(on: $1) { $0 * 10 } }
    }

    @Test("transforms every value on the scheduler if it keeps up, separately for each start")
    func keepsUp() {
        expect(mapped("-1-23|"), is: ["10 at 1", "20 at 3", "30 at 4", "completed at 5"])
        expect(mapped("1X"), is: ["10 at 0", "error first at 1"])
        expect(mapped("1!"), is: ["10 at 0", "interrupted at 1"])
    }

    @Test("transforms only the latest value of a synchronous source, then forwards the end")
    func synchronous() {
        for (end, expected) in [
            (Numbers.empty, ["30", "completed"]), (Numbers(error: .second), ["30", "error second"]),
            (ending(with: .interrupted), ["30", "completed"]),
        ] {
            let scheduler = TestScheduler()
            let seen = Log<Int>()
            let log = Numbers([1, 2, 3]).concat(end).lazyMap(on: scheduler) { value in
                seen.append(value)
                return value * 10
            }.logged()
            #expect(log.all.isEmpty)
            scheduler.run()
            expect(log.all, is: expected)
            expect(seen.all, is: [3])
        }
    }

    @Test("drops the pending value on interruption and on disposal")
    func drops() {
        let scheduler = TestScheduler()
        let manual = Manual()
        let seen = Counter()
        let producer = manual.producer.lazyMap(on: scheduler) { _ in seen.increment() }
        let interrupted = producer.logged()
        manual.input?.sendNext(1)
        manual.input?.sendInterrupted()
        let (disposed, disposable) = producer.startLogged()
        manual.input?.sendNext(1)
        disposable.dispose()
        expect(manual.disposals.value, is: 2)
        scheduler.run()
        expect(interrupted.all, is: ["interrupted"])
        expect(disposed.all, is: ["interrupted"])
        expect(seen.value, is: 0)
        manual.release()
    }

    @Test("is equivalent to `map` on an immediate scheduler, separately for each start")
    func follows() {
        expectFollows(values: ["10"]) { $0.lazyMap(on: ImmediateScheduler()) { $0 * 10 } }
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.lazyMap(on: ImmediateScheduler()) { member.through($0) } }
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.lazyMap(on: TestScheduler()) { $0 }.name, is: "[never] -lazyMap:") }
}
