import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("on of producers")
struct OnTests {
    private func noting(_ log: Log<String>, _ source: Numbers, _ prefix: String = "") -> Numbers {
        source.on(
            starting: { log.append("\(prefix)starting") }, started: { log.append("\(prefix)started") },
            event: { log.append("\(prefix)event \($0.text)") }, next: { log.append("\(prefix)next \($0)") },
            error: { log.append("\(prefix)error \($0)") }, completed: { log.append("\(prefix)completed") },
            interrupted: { log.append("\(prefix)interrupted") }, terminated: { log.append("\(prefix)terminated") },
            disposed: { log.append("\(prefix)disposed") })
    }

    @Test("accepts an unlabeled closure as the closure for values")
    func unlabeled() {
        let log = Log<String>()
        Numbers([1, 2]).on { log.append("\($0)") }.start()
        expect(log.all, is: ["1", "2"])
    }

    @Test("accepts a trailing closure as the closure for values, whatever precedes it")
    func trailing() {
        let log = Log<String>()
        let source = Numbers([1])
        let results = [
            source.on(starting: {}) { log.append("\($0)") }, source.on(started: {}) { log.append("\($0)") },
            source.on(starting: {}, started: {}) { log.append("\($0)") },
            source.on(event: { _ in }) { log.append("\($0)") }, source.on(error: { _ in }) { log.append("\($0)") },
            source.on(completed: {}) { log.append("\($0)") }, source.on(interrupted: {}) { log.append("\($0)") },
            source.on(terminated: {}) { log.append("\($0)") }, source.on(disposed: {}) { log.append("\($0)") },
            source.on(started: {}) { _ in log.append("1") },
        ]
        for result in results { result.start() }
        expect(log.all, is: Array(repeating: "1", count: results.count))
    }

    @Test("runs `started` after synchronous work has ended", arguments: terminals)
    func synchronous(terminal: Event<Int, TestError>) {
        let log = Log<String>()
        let producer = noting(
            log,
            Numbers { observer, lifetime in
                log.append("work")
                lifetime.observeEnded { log.append("attached") }
                observer.sendNext(1)
                observer.send(terminal)
            })
        #expect(log.all.isEmpty)
        for _ in 0..<2 {
            log.removeAll()
            producer.start { log.append("downstream \($0.text)") }
            expect(
                log.all,
                is: [
                    "starting", "work", "event 1", "next 1", "downstream 1", "event \(terminal.text)", terminal.text,
                    "terminated", "downstream \(terminal.text)", "disposed", "attached", "started",
                ])
        }
    }

    @Test("runs `interrupted` on disposal of asynchronous work, and `disposed` before the lifetime ends")
    func asynchronous() {
        let log = Log<String>()
        let inputs = Log<Signal<Int, TestError>.Observer>()
        let disposable = noting(
            log,
            Numbers { observer, lifetime in
                inputs.append(observer)
                lifetime.observeEnded { log.append("attached") }
            }
        ).start { log.append("downstream \($0.text)") }
        inputs.all[0].sendNext(1)
        disposable.dispose()
        inputs.all[0].sendNext(2)
        expect(
            log.all,
            is: [
                "starting", "started", "event 1", "next 1", "downstream 1", "event interrupted", "interrupted",
                "terminated", "downstream interrupted", "disposed", "attached",
            ])
    }

    @Test("when nested, the outer one starts first, receives events last, and is disposed of first")
    func nested() {
        let log = Log<String>()
        noting(log, noting(log, Numbers(value: 1), "inner "), "outer ").start()
        expect(
            log.all,
            is: [
                "outer starting", "inner starting", "inner event 1", "inner next 1", "outer event 1", "outer next 1",
                "inner event completed", "inner completed", "inner terminated", "outer event completed",
                "outer completed", "outer terminated", "outer disposed", "inner disposed", "inner started",
                "outer started",
            ])
    }

    @Test("runs only `disposed` when an operator downstream cancels the work")
    func released() {
        let log = Log<String>()
        noting(log, Numbers([1, 2])).take(first: 1).start { log.append("downstream \($0.text)") }
        expect(
            log.all,
            is: [
                "starting", "event 1", "next 1", "downstream 1", "downstream completed", "disposed", "started",
            ])
    }

    @Test("has no effect without closures")
    func nothing() {
        for terminal in terminals { expect(ending(with: terminal).on().logged().all, is: [terminal.text]) }
        expect(Numbers([1, 2]).on().logged().all, is: ["1", "2", "completed"])
    }

    @Test("does what its documentation shows")
    func example() {
        let log = Log<String>()
        Numbers(error: .first)
            .on(starting: { log.append("requested") }, error: { log.append("failed: \($0)") })
            .start()
        expect(log.all, is: ["requested", "failed: first"])
    }

    @Test("interrupts once when it is disposed of inside any of the closures")
    func inside() {
        for place in ["starting", "next", "event", "started"] {
            let log = Log<String>()
            let disposables = Log<any Disposable>()
            let dispose: @Sendable (String) -> Void = { if $0 == place { disposables.all[0].dispose() } }
            let starts = Counter()
            Numbers { observer, _ in
                starts.increment()
                observer.sendNext(1)
                disposables.append(AnyDisposable { observer.sendInterrupted() })
            }.on(
                starting: { dispose("starting") }, started: { dispose("started") }, event: { _ in dispose("event") },
                next: { _ in dispose("next") }, disposed: { log.append("disposed") }
            ).startWithSignal { signal, disposable in
                disposables.append(disposable)
                signal.observe { log.append($0.text) }
                return
            }
            #expect(log.all == (place == "started" ? ["1"] : []) + ["interrupted", "disposed"], "\(place)")
            #expect(starts.value == (place == "starting" ? 0 : 1), "\(place)")
        }
    }

    @Test("does not start, nor run a closure, when a prefix already completes the start")
    func notStarted() {
        let log = Log<String>()
        noting(log, Numbers(value: 1)).prefix(value: 0).take(first: 1).start()
        #expect(log.all.isEmpty)
    }

    @Test("interrupts on disposal, then ends the lifetime") func disposal() { expectInterrupts { $0.on() } }

    @Test("does not begin work that is disposed of before it starts")
    func notBegun() { expectDoesNotBegin { $0.on(next: { _ in }) } }

    @Test("stops an endless synchronous source") func stops() { expectStops { $0.on(disposed: {}) } }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.on(next: { _ in member.touch() }) }
        expectReleases { source, member in source.on(disposed: { member.touch() }) }
        expectReleases { source, member in source.on(starting: { member.touch() }, started: { member.touch() }) }
    }

    @Test("receives one terminal event when an operator and its source end with the same value")
    func oneEnd() {
        let chains: [@Sendable (Numbers) -> Numbers] = [
            { $0.allSatisfy { $0 < 0 }.map { $0 ? 1 : 0 } }, { $0.attemptMap { _ throws(TestError) in throw .first } },
            { $0.contains { $0 == 0 }.map { $0 ? 1 : 0 } }, { $0.take(first: 1) },
            { $0.materialize().map { _ in .error(.second) }.dematerialize() },
        ]
        for chain in chains {
            let log = Log<String>()
            let result = chain(Numbers(0...).take(first: 1)).on(event: { log.append($0.text) }).logged()
            expect(log.all, is: result.all)
            #expect(result.all.count <= 2)
        }
    }
}
