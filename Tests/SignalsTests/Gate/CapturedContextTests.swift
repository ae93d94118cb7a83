import HotSignals
import TestSupport
import Testing

private enum Request {
    @TaskLocal static var id = 0
}

@Suite("CapturedContext")
struct CapturedContextTests {
    @Test("runs work in place with the task-locals of the thread that captured it")
    func inPlace() {
        let context = Request.$id.withValue(1) { CapturedContext() }
        let log = Log<Int>()
        let thread = ThreadIdentity.current
        TestThread("runner") {
            let own = ThreadIdentity.current
            Request.$id.withValue(2) {
                context.run {
                    log.append(Request.id)
                    expect(ThreadIdentity.current, is: own)
                    Request.$id.withValue(3) { log.append(Request.id) }
                }
                log.append(Request.id)
            }
        }.join()
        expect(ThreadIdentity.current, is: thread)
        expect(log.all, is: [1, 3, 2])
        expect(Request.id, is: 0)
    }

    @Test("runs with a task's context in another task without changing that task's own")
    func inTasks() async {
        let context = await Request.$id.withValue(1) { await Task { CapturedContext() }.value }
        let log = Log<Int>()
        await Request.$id.withValue(2) {
            context.run { log.append(Request.id) }
            log.append(Request.id)
            await Task.yield()
            log.append(Request.id)
        }
        expect(log.all, is: [1, 2, 2])
    }

    @Test("can be nested")
    func nested() {
        let log = Log<Int>()
        let first = Request.$id.withValue(1) { CapturedContext() }
        let second = Request.$id.withValue(2) { CapturedContext() }
        first.run {
            second.run { log.append(Request.id) }
            log.append(Request.id)
            CapturedContext.runWithout { log.append(Request.id) }
        }
        log.append(Request.id)
        expect(log.all, is: [2, 1, 0, 0])
    }

    @Test("runs work without any task-locals")
    func without() {
        let log = Log<Int>()
        Request.$id.withValue(1) {
            CapturedContext.runWithout { log.append(Request.id) }
            log.append(Request.id)
        }
        expect(log.all, is: [0, 1])
    }

    @Test("releases the captured values whether it has run or not", arguments: [true, false])
    func release(runs: Bool) {
        let population = Population()
        do {
            let context = Holder.$member.withValue(population.member()) { CapturedContext() }
            expect(population.alive, is: 1)
            if runs { context.run {} }
        }
        expect(population.alive, is: 0)
    }
}

private enum Holder {
    @TaskLocal static var member: Population.Member?
}
