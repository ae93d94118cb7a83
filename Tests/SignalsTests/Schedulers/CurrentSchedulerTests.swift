import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("CurrentScheduler")
struct CurrentSchedulerTests {
    @Test("is nil on a thread that runs no action")
    func outside() {
        TestThread("outside") { #expect(CurrentScheduler.value == nil) }.join()
    }

    @Test("is the main queue's scheduler on the main thread outside of actions")
    func mainThread() async {
        await #expect(processExitsWith: .success) {
            await MainActor.run {
                // On Linux, a thread other than the first may drain the main actor's queue.
                precondition(ThreadIdentity.isMain == (CurrentScheduler.value === QueueScheduler.main))
                precondition(ThreadIdentity.isMain || CurrentScheduler.value == nil)
            }
        }
    }

    @Test("is the innermost scheduler inside nested actions, and the outer one afterward")
    func nested() {
        TestThread("nested") {
            let outer = TrampolineScheduler()
            let inner = TrampolineScheduler()
            let log = Log<String>()
            @Sendable func note() {
                switch CurrentScheduler.value {
                case let value? where value === outer: log.append("outer")
                case let value? where value === inner: log.append("inner")
                case .some: log.append("another")
                case nil: log.append("none")
                }
            }
            note()
            outer.schedule {
                note()
                inner.schedule {
                    note()
                    ImmediateScheduler().schedule { note() }
                }
                note()
            }
            note()
            expect(log.all, is: ["none", "outer", "inner", "inner", "outer", "none"])
        }.join()
    }

    @Test("is local to each thread")
    func perThread() {
        let scheduler = TrampolineScheduler()
        scheduler.schedule {
            TestThread("other") { #expect(CurrentScheduler.value == nil) }.join()
            #expect(CurrentScheduler.value === scheduler)
        }
    }

    @Test("does not retain a scheduler after its action")
    func released() {
        weak var weakly: TrampolineScheduler?
        do {
            let scheduler = TrampolineScheduler()
            weakly = scheduler
            scheduler.schedule {}
        }
        #expect(weakly == nil)
    }
}
