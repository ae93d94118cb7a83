import Glibc
import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("run", .watched)
struct RunProducerTests {
    private typealias Endless = SignalProducer<Int, Never>

    @Test("runs until completion or interruption, on any thread")
    func completes() async {
        let log = Log<String>()
        await Endless([1, 2]).on(event: { log.append($0.text) }).run()
        expect(log.all, is: ["1", "2", "completed"])
        await Endless(value: 3).start(on: QueueScheduler()).on(event: { log.append($0.text) }).run()
        expect(log.all.suffix(2), is: ["3", "completed"])
        await Endless { observer, _ in observer.sendInterrupted() }.run()
    }

    @Test("throws the typed error")
    func fails() async {
        do throws(TestError) {
            try await Numbers(error: .second).start(on: QueueScheduler()).run()
            Issue.record("nothing was thrown")
        } catch {
            expect(error, is: .second)
        }
    }

    @Test("on cancellation interrupts, and returns when the asynchronous release has finished", .offThePool)
    func cancellation() async {
        let log = Log<String>()
        let begun = TaskCounter()
        begun.enter()
        let jobs = Endless.using(
            resource: { () throws(Never) in () },
            release: { _ async in
                // If it returned early, it would do so now.
                settle()
                log.append("released")
            },
            producer: { _ in
                begun.leave()
                return Endless.never
            })
        let task = Task(executorPreference: DispatchExecutor.current) {
            await jobs.on(interrupted: { log.append("interrupted") }).run()
            log.append("returned")
        }
        await begun.waitUntilEmpty()
        task.cancel()
        await task.value
        expect(log.all, is: ["interrupted", "released", "returned"])
    }

    @Test("stops with the first value or the completion of the `until` stream", arguments: [true, false])
    func stops(byValue: Bool) async {
        let log = Log<String>()
        let stop = Trigger()
        let begun = TaskCounter()
        begun.enter()
        let work = Endless { observer, lifetime in
            lifetime.observeEnded { log.append("cleaned up") }
            // Retains the input.
            lifetime.observeEnded { observer.sendCompleted() }
            begun.leave()
        }
        let task = Task {
            await work.on(interrupted: { log.append("interrupted") }).run(until: stop.producer)
            log.append("returned")
        }
        await begun.waitUntilEmpty()
        #expect(log.all.isEmpty)
        if byValue { stop.input?.sendNext(1) } else { stop.input?.sendCompleted() }
        await task.value
        expect(log.all, is: ["interrupted", "cleaned up", "returned"])
        expect(stop.disposals.value, is: 1)
        stop.release()
    }

    @Test("ignores an interruption of the `until` stream, and disposes of it at its own end")
    func ends() async {
        let stop = Trigger()
        let begun = TaskCounter()
        begun.enter()
        let work = Manual()
        let task = Task {
            try await work.producer.on(started: { begun.leave() }).run(until: stop.producer)
        }
        await begun.waitUntilEmpty()
        stop.input?.sendInterrupted()
        work.input?.sendError(.first)
        await #expect(throws: TestError.first) { try await task.value }
        let other = Trigger()
        await Endless.empty.run(until: other.producer)
        expect(other.starts.value, is: 1)
        expect(other.disposals.value, is: 1)
        for trigger in [stop, other] { trigger.release() }
        work.release()
    }

    @Test("begins no work if the `until` stream stops it immediately, and stops with a signal")
    func stopsAtOnce() async {
        let starts = Counter()
        let work = Endless.never.on(starting: { starts.increment() })
        await work.run(until: SignalProducer(value: 1))
        await work.run(until: SignalProducer<Never, Never>.empty)
        expect(starts.value, is: 0)
        let (signal, input) = Signal<String, Never>.pipe()
        await work.on(started: { input.sendNext("stop") }).run(until: signal)
        expect(starts.value, is: 1)
    }

    @Test("runs until a UNIX signal comes")
    func unixSignal() async {
        await #expect(processExitsWith: .exitCode(4)) {
            let log = Log<String>()
            await Endless.never.on(started: { kill(getpid(), SIGTERM) }, interrupted: { log.append("interrupted") })
                .run(until: .unixSignal(SIGTERM, SIGINT))
            exit(log.all == ["interrupted"] ? 4 : 5)
        }
    }
}
