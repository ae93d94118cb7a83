import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("window(every:on:bufferLimit:whenFull:raising:)")
struct WindowEveryTests {
    private func arrays(_ diagram: String, until end: Int = 20) -> [String] {
        timeline(of: diagram, until: end) { (source: Numbers, scheduler) in
            source.window(every: .seconds(5), on: scheduler, bufferLimit: 9, whenFull: .dropOldest)
                .flatMap(.concat) { $0.collect() }
        }.map { $0.replacing(", on its sender's thread", with: "") }
    }

    @Test("splits by time, without drift, also into empty windows")
    func splits() {
        expect(arrays("-12---3", until: 15), is: ["[1, 2] at 5", "[3] at 10", "[] at 15"])
        expect(arrays("------1|"), is: ["[] at 5", "[1] at 7", "completed at 7"])
        expect(arrays("-1X"), is: ["error first at 2"])
        expect(arrays("-1!"), is: ["interrupted at 2"])
        expect(arrays("|"), is: ["completed at 0"])
    }

    @Test("sends the values of a window as they arrive, on the source's thread")
    func forwards() {
        let values = timeline(of: "12----3|") { (source: Numbers, scheduler) in
            source.window(every: .seconds(5), on: scheduler, bufferLimit: 9, whenFull: .dropOldest).flatten(.concat)
        }
        let name = ", on its sender's thread"
        expect(
            values.map { $0.replacing(name, with: "") }, is: ["1 at 0", "2 at 1", "3 at 6", "completed at 7"])
    }

    @Test("bounds what a window buffers until its first start, on signals too")
    func bounds() {
        let scheduler = TestScheduler()
        for (overflow, kept) in [(Overflow.dropOldest, ["2", "3"]), (.dropNewest, ["1", "2"])] {
            let (signal, input) = Signal<Int, TestError>.pipe()
            let windows = Log<Numbers>()
            signal.window(every: .seconds(5), on: scheduler, bufferLimit: 2, whenFull: overflow)
                .observe { event in
                    if let window = event.value { windows.append(window) }
                }
            for value in 1...3 { input.sendNext(value) }
            scheduler.advance(by: .seconds(5))
            input.sendNext(4)
            expect(windows.count, is: 2)
            expect(windows.all[0].logged().all, is: kept + ["completed"])
            input.sendInterrupted()
            expect(windows.all[1].logged().all, is: ["4", "interrupted"])
        }
    }

    @Test("fails the window and the result when the buffer of .fail is full")
    func fails() {
        let windows = Log<Numbers>()
        let ends = Log<String>()
        let source = Manual()
        source.producer
            .window(every: .seconds(5), on: TestScheduler(), bufferLimit: 1, whenFull: .fail, raising: .second)
            .start { event in
                if let window = event.value { windows.append(window) } else { ends.append(event.text) }
            }
        source.input?.sendNext(1)
        source.input?.sendNext(2)
        expect(ends.all, is: ["error second"])
        expect(windows.all[0].logged().all, is: ["1", "error second"])
        expect(source.disposals.value, is: 1)
    }

    @Test("stops its timer when neither the result nor a window is observed")
    func disposal() {
        let scheduler = TestScheduler()
        let source = Manual()
        source.producer.window(every: .seconds(5), on: scheduler, bufferLimit: 1, whenFull: .dropOldest)
            .start().dispose()
        expect(source.disposals.value, is: 1)
        scheduler.run()
        expect(scheduler.now.offset, is: .zero, "no timer is left")

        let (signal, input) = Signal<Int, TestError>.pipe()
        let observed = signal.window(every: .seconds(5), on: scheduler, bufferLimit: 1, whenFull: .dropOldest)
            .observe { _ in }
        input.sendNext(1)
        observed?.dispose()
        scheduler.run()
        expect(scheduler.now.offset, is: .zero, "no timer is left")
        input.sendInterrupted()
    }

    @Test("is called by its interval")
    func name() {
        let window = Numbers.never.window(
            every: .seconds(5), on: TestScheduler(), bufferLimit: 1, whenFull: .dropOldest)
        expect(window.name, is: "[never] -window(every: 5.0 seconds)")
    }

    @Test("traps unless interval and limit are positive, and for .fail without an error")
    func traps() async throws {
        let interval = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.window(every: .zero, on: TestScheduler(), bufferLimit: 1, whenFull: .dropOldest)
        }
        interval.expectTrap("window(every: 0.0 seconds): the interval must be positive")
        let limit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.window(
                every: .seconds(1), on: TestScheduler(), bufferLimit: 0, whenFull: .dropOldest)
        }
        limit.expectTrap("window(bufferLimit: 0): the limit must be positive")
        let error = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.window(every: .seconds(1), on: TestScheduler(), bufferLimit: 1, whenFull: .fail)
        }
        error.expectTrap("window(whenFull: .fail): the overflow .fail needs the parameter raising")
    }
}
