import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("StreamProbe")
struct StreamProbeTests {
    private typealias Entry = StreamProbe.Entry

    @Test("counts starts and their ends, with times")
    func ends() {
        let scheduler = TestScheduler()
        let probe = StreamProbe(on: scheduler)
        #expect(probe.log.isEmpty)
        let texts = ["12|", "1X", "-!", "----"]
        let producers = texts.map { scheduler.producer($0, of: Int.self, error: TestError.first).probed(by: probe) }
        expect(probe.starts, is: 0)
        let disposables = producers.map { $0.start() }
        expect(probe.starts, is: 4)
        expect(probe.live, is: 4)
        scheduler.advance(by: .seconds(2))
        expect(probe.live, is: 1)
        disposables.last?.dispose()
        disposables.last?.dispose()
        expect(probe.live, is: 0)
        expect(probe.completions, is: 1)
        expect(probe.failures, is: 1)
        expect(probe.interruptions, is: 1)
        expect(probe.disposals, is: 1)
        expect(probe.values, is: 3)
        expect(
            probe.log.map(\.description),
            is: [
                "start 1 started at 0.0 seconds", "start 2 started at 0.0 seconds",
                "start 3 started at 0.0 seconds", "start 4 started at 0.0 seconds",
                "start 2 failed at 1.0 seconds", "start 3 interrupted at 1.0 seconds",
                "start 1 completed at 2.0 seconds", "start 4 disposed at 2.0 seconds",
            ])
        #expect(probe.description.hasSuffix("\nstart 4 disposed at 2.0 seconds"))
    }

    @Test("counts a start as disposed of when an operator downstream ends it")
    func taken() {
        let probe = StreamProbe()
        var log: [Int] = []
        SignalProducer<Int, Never>([1, 2, 3]).probed(by: probe).take(first: 2).collect().start()
        expect(probe.log, is: [Entry(start: 1, .started), Entry(start: 1, .disposed)])
        expect(probe.values, is: 2)
        log = probe.log.map(\.start)
        expect(log, is: [1, 1])
        SignalProducer<Int, Never>([1, 2, 3]).probed(by: probe).take(first: 3).start()
        expect(probe.disposals, is: 2)
    }

    @Test("does not count a start that is interrupted before its work begins")
    func notBegun() {
        let (probe, log) = (StreamProbe(), Log<String>())
        let start = SerialDisposable()
        let late = SignalProducer<Int, Never>.deferred {
            start.dispose()
            return SignalProducer([1, 2, 3]).probed(by: probe)
        }
        late.startWithSignal { signal, interrupter in
            signal.observe { log.append($0.text) }
            start.inner = interrupter
        }
        expect(log.all, is: ["interrupted"])
        #expect(probe.log.isEmpty)
    }

    @Test("does not change the stream")
    func transparent() {
        let probe = StreamProbe()
        let scheduler = TestScheduler()
        let recorder = scheduler.producer("1-(23)X", of: Int.self, error: TestError.second)
            .probed(by: probe).record(on: scheduler)
        let (signal, input) = Signal<Int, Never>.pipe()
        let hot = signal.probed(by: probe).logged()
        input.sendNext(1)
        input.sendCompleted()
        scheduler.run()
        expect(recorder.events.map(\.event.text), is: ["1", "2", "3", "error second"])
        expect(hot.all, is: ["1", "completed"])
        let ended = SignalProducer<Int, Never>.empty.probed(by: probe)
        #expect(ended.record(on: scheduler).hasCompleted)
        #expect("\(signal.probed(by: probe))".hasSuffix("-probed"))
    }

    @Test("logs how a flatten strategy starts and disposes of inner streams")
    func flattened() {
        let scheduler = TestScheduler()
        let probe = StreamProbe(on: scheduler)
        let inner = scheduler.producer("--1|", of: Int.self).probed(by: probe)
        let keys = scheduler.signal("a-b-----|", of: String.self)
        let recorder = keys.flatMap(.latest) { _ in inner }.record(on: scheduler)
        scheduler.advance(by: .seconds(1))
        expect(probe.live, is: 1)
        scheduler.run()
        expect(
            probe.log,
            is: [
                Entry(start: 1, .started, at: .init(offset: .zero)),
                Entry(start: 1, .disposed, at: .init(offset: .seconds(2))),
                Entry(start: 2, .started, at: .init(offset: .seconds(2))),
                Entry(start: 2, .completed, at: .init(offset: .seconds(5))),
            ])
        expect(recorder.values, is: [1])
    }

    @Test("counts the observers of a signal, and logs its end and its release")
    func signal() {
        let probe = StreamProbe()
        let (signal, input) = Signal<Int, Never>.pipe()
        do {
            let probed = signal.probed(by: probe)
            expect(probe.starts, is: 1)
            expect(probe.live, is: 0)
            let disposables = [probed.observe { _ in }, probed.observe { _ in }, probed.map { $0 }.observe { _ in }]
            expect(probe.live, is: 3)
            input.sendNext(1)
            expect(probe.values, is: 1)
            disposables[0]?.dispose()
            expect(probe.live, is: 2)
            expect(probe.disposals, is: 0)
            for disposable in disposables { disposable?.dispose() }
        }
        expect(probe.live, is: 0)
        expect(probe.log, is: [Entry(start: 1, .started), Entry(start: 1, .disposed)])

        let ended = signal.probed(by: probe)
        ended.observe { _ in }
        expect(probe.live, is: 1)
        input.sendCompleted()
        expect(probe.live, is: 0)
        expect(probe.completions, is: 1)
        expect(probe.disposals, is: 1)
    }

    @Test("counts correctly when several threads start and dispose")
    func threads() {
        let probe = StreamProbe()
        let producer = SignalProducer<Int, Never>.never.probed(by: probe)
        onThreads(4, "starting") { _ in
            for _ in 0..<1_000 {
                let disposable = producer.start()
                _ = probe.live
                disposable.dispose()
            }
        }
        expect(probe.starts, is: 4_000)
        expect(probe.disposals, is: 4_000)
        expect(probe.live, is: 0)
        expect(probe.log.count, is: 8_000)
    }

    @Test("retains nothing of the streams")
    func released() {
        let population = Population()
        let probe = StreamProbe()
        do {
            let (signal, input) = Signal<Population.Member, Never>.pipe()
            signal.probed(by: probe).observe { [member = population.member()] _ in member.touch() }
            input.sendNext(population.member())
            let disposable = signal.producer.probed(by: probe)
                .startWithNext { [member = population.member()] _ in member.touch() }
            disposable.dispose()
            expect(population.alive, is: 1)
        }
        expect(population.alive, is: 0)
        expect(probe.live, is: 0)
    }
}
