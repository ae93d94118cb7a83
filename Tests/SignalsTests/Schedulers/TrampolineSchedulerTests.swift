import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("TrampolineScheduler")
struct TrampolineSchedulerTests {
    @Test("runs an action before schedule returns nil")
    func runs() {
        let log = Log<Int>()
        let result = TrampolineScheduler().schedule { log.append(1) }
        #expect(result == nil)
        expect(log.all, is: [1])
    }

    @Test("runs nested actions after the current action, in order")
    func nested() {
        let log = Log<Int>()
        let scheduler = TrampolineScheduler()
        scheduler.schedule {
            scheduler.schedule {
                log.append(2)
                scheduler.schedule { log.append(4) }
            }
            let disposable = scheduler.schedule { log.append(3) }
            #expect(disposable != nil)
            log.append(1)
        }
        expect(log.all, is: [1, 2, 3, 4])
    }

    @Test("does not run a nested action that is disposed of before it starts, and releases it at once")
    func disposes() {
        let population = Population()
        let log = Log<Int>()
        let scheduler = TrampolineScheduler()
        scheduler.schedule {
            let disposable = scheduler.schedule { [member = population.member()] in
                member.touch()
                log.append(1)
            }
            expect(disposable?.isDisposed, is: false)
            disposable?.dispose()
            expect(disposable?.isDisposed, is: true)
            expect(population.alive, is: 0)
            scheduler.schedule { log.append(2) }
        }
        expect(log.all, is: [2])
    }

    @Test("runs many nested actions iteratively", .notUnderSanitizers)
    func many() {
        onSmallStack("trampoline") {
            let scheduler = TrampolineScheduler()
            let runs = Counter()
            @Sendable func step() {
                if runs.increment() < manyLevels { scheduler.schedule(step) }
            }
            scheduler.schedule(step)
            expect(runs.value, is: manyLevels)
        }
    }

    @Test("runs actions from other threads on the thread that is running actions, in order")
    func otherThread() {
        let scheduler = TrampolineScheduler()
        let log = Log<String>()
        let threads = Log<UInt>()
        let occupation = Occupation { stay in
            scheduler.schedule {
                stay()
                log.append("first")
                threads.append(ThreadIdentity.current)
            }
        }
        let disposable = scheduler.schedule {
            log.append("second")
            threads.append(ThreadIdentity.current)
        }
        expect(disposable?.isDisposed, is: false)
        #expect(log.all.isEmpty)
        occupation.end()
        expect(log.all, is: ["first", "second"])
        expect(Set(threads.all).count, is: 1)
        expect(disposable?.isDisposed, is: true)
    }

    @Test("never runs two actions at a time, and loses none")
    func threads() {
        let scheduler = TrampolineScheduler()
        // Not atomic: guarded by the scheduler only.
        let state = SinkState(0)
        onThreads(4, "trampoline") { _ in
            for _ in 0..<1_000 { scheduler.schedule { state.value += 1 } }
        }
        let total = Log<Int>()
        scheduler.schedule { total.append(state.value) }
        expect(total.all, is: [4_000])
    }

    @Test("is the current scheduler inside its actions only")
    func current() {
        let scheduler = TrampolineScheduler()
        let log = Log<Bool>()
        TestThread("trampoline") {
            scheduler.schedule {
                log.append(CurrentScheduler.value === scheduler)
                scheduler.schedule { log.append(CurrentScheduler.value === scheduler) }
            }
            log.append(CurrentScheduler.value == nil)
        }.join()
        expect(log.all, is: [true, true, true])
    }
}
