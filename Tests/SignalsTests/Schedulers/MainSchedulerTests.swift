import Dispatch
import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("MainScheduler")
struct MainSchedulerTests {
    /// Returns when everything scheduled before has run.
    private func drain(_ scheduler: MainScheduler) async {
        await withCheckedContinuation { continuation in
            // Not from the main queue, where it might run synchronously.
            TestThread("drain") { scheduler.schedule { continuation.resume() } }.join()
        }
    }

    @Test("runs an action synchronously on the main queue when nothing is queued")
    @MainActor func inline() {
        let scheduler = MainScheduler()
        let log = Log<String>()
        for number in 1...2 {
            let disposable = scheduler.schedule {
                MainActor.assertIsolated()
                log.append("action \(number), \(CurrentScheduler.value === scheduler)")
            }
            log.append("after \(number), \(disposable == nil)")
        }
        expect(log.all, is: ["action 1, true", "after 1, true", "action 2, true", "after 2, true"])
    }

    @Test("runs an action scheduled on another thread on the main queue, where the main actor runs")
    func elsewhere() async {
        let scheduler = MainScheduler()
        let log = Log<String>()
        await withCheckedContinuation { continuation in
            let thread = TestThread("elsewhere") {
                let disposable = scheduler.schedule {
                    MainActor.assertIsolated()
                    log.append("\(CurrentScheduler.value === scheduler)")
                    continuation.resume()
                }
                if disposable == nil { log.append("inline") }
            }
            thread.join()
        }
        expect(log.all, is: ["true"])
    }

    @Test("does not run an action synchronously on the main queue if others are queued")
    @MainActor func order() async {
        let scheduler = MainScheduler()
        let log = Log<String>()
        TestThread("queued") { scheduler.schedule { log.append("queued") } }.join()
        let disposable = scheduler.schedule { log.append("behind") }
        log.append("scheduled \(disposable != nil)")
        await drain(scheduler)
        expect(log.all, is: ["scheduled true", "queued", "behind"])
    }

    @Test("runs actions scheduled by an action after it, whether that ran synchronously or not")
    @MainActor func nested() async {
        for isInline in [true, false] {
            let scheduler = MainScheduler()
            let log = Log<String>()
            let action = { @Sendable in
                for number in 1...2 {
                    let disposable = scheduler.schedule { log.append("nested \(number)") }
                    if disposable == nil { log.append("inline") }
                }
                log.append("outer")
            }
            if isInline {
                scheduler.schedule(action)
            } else {
                TestThread("nested") { scheduler.schedule(action) }.join()
            }
            await drain(scheduler)
            expect(log.all, is: ["outer", "nested 1", "nested 2"])
        }
    }

    @Test("does not run an action that is disposed of before it starts, and releases it at once")
    @MainActor func disposes() async {
        let population = Population()
        let scheduler = MainScheduler()
        let runs = Counter()
        let disposables = Log<any Disposable>()
        TestThread("disposes") {
            let disposable = scheduler.schedule { [member = population.member()] in
                member.touch()
                runs.increment()
            }
            // The test keeps the main queue busy, so it was not run synchronously.
            disposables.append(disposable!)
        }.join()
        expect(population.alive, is: 1)
        #expect(!disposables.all[0].isDisposed)
        disposables.all[0].dispose()
        #expect(disposables.all[0].isDisposed)
        expect(population.alive, is: 0)
        await drain(scheduler)
        expect(runs.value, is: 0)
    }

    @Test("runs synchronously again once everything queued has run or been skipped")
    @MainActor func inlineAgain() async {
        let scheduler = MainScheduler()
        let runs = Counter()
        for isDisposed in [false, true] {
            TestThread("inline again") {
                let disposable = scheduler.schedule {}
                if isDisposed { disposable?.dispose() }
            }.join()
        }
        await drain(scheduler)
        // The last action is finished once the next block on the queue has started.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(scheduler.schedule { runs.increment() } == nil)
        expect(runs.value, is: 1)
    }

    @Test("does not wait for another scheduler's actions")
    @MainActor func another() async {
        let busy = MainScheduler()
        let scheduler = MainScheduler()
        let log = Log<String>()
        TestThread("another") { busy.schedule { log.append("busy") } }.join()
        #expect(scheduler.schedule { log.append("free") } == nil)
        await drain(busy)
        expect(log.all, is: ["free", "busy"])
    }

    @Test("runs the actions of several threads one at a time, and those of each thread in order")
    func threads() async {
        let scheduler = MainScheduler()
        // Not atomic: guarded by the scheduler only.
        let state = SinkState([[Int](), []])
        onThreads(2, "MainScheduler") { index in
            for number in 0..<1_000 { scheduler.schedule { state.value[index].append(number) } }
        }
        await drain(scheduler)
        expect(state.value, is: [Array(0..<1_000), Array(0..<1_000)])
    }

    @Test("delivers events synchronously on the main queue, and in order from other threads")
    @MainActor func observeOn() async {
        let scheduler = MainScheduler()
        let (source, input) = Source.pipe()
        let log = source.observe(on: scheduler).logged()
        input.sendNext(1)
        expect(log.all, is: ["1"])
        TestThread("observe(on:)") { input.sendNext(2) }.join()
        input.sendNext(3)
        input.sendCompleted()
        expect(log.all, is: ["1"])
        await drain(scheduler)
        expect(log.all, is: ["1", "2", "3", "completed"])
    }

    @Test("releases actions that have run")
    @MainActor func releases() async {
        let population = Population()
        let scheduler = MainScheduler()
        scheduler.schedule { [member = population.member()] in member.touch() }
        expect(population.alive, is: 0)
        TestThread("releases") {
            scheduler.schedule { [member = population.member()] in member.touch() }
        }.join()
        await drain(scheduler)
        expect(population.alive, is: 0)
    }
}
