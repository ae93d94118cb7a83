import ReactiveSignals
import TestSupport
import Testing

@Suite("ImmediateScheduler")
struct ImmediateSchedulerTests {
    @Test("runs an action before schedule returns nil")
    func runs() {
        let log = Log<Int>()
        let result = ImmediateScheduler().schedule { log.append(1) }
        log.append(2)
        #expect(result == nil)
        expect(log.all, is: [1, 2])
    }

    @Test("runs a nested action immediately")
    func nested() {
        let log = Log<Int>()
        let scheduler = ImmediateScheduler()
        scheduler.schedule {
            log.append(1)
            scheduler.schedule { log.append(2) }
            log.append(3)
        }
        expect(log.all, is: [1, 2, 3])
    }

    @Test("does not change the current scheduler")
    func current() {
        let trampoline = TrampolineScheduler()
        let isKept = Log<Bool>()
        trampoline.schedule {
            ImmediateScheduler().schedule { isKept.append(CurrentScheduler.value === trampoline) }
        }
        expect(isKept.all, is: [true])
    }
}
