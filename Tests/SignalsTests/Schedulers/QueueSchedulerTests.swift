import Dispatch
import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("QueueScheduler")
struct QueueSchedulerTests {
    /// Returns when everything scheduled before has run.
    private func drain(_ scheduler: QueueScheduler) {
        let drained = Latch("the queue is not drained")
        scheduler.schedule { drained.open() }
        drained.wait()
    }

    @Test("runs ten thousand actions in order, one at a time", arguments: [false, true])
    func order(isConcurrentTarget: Bool) {
        let target = isConcurrentTarget ? DispatchQueue(label: "concurrent", attributes: .concurrent) : nil
        let scheduler = QueueScheduler(qos: .userInitiated, name: "order", targeting: target)
        // Not atomic: guarded by the scheduler only.
        let state = SinkState([Int]())
        for number in 0..<10_000 { scheduler.schedule { state.value.append(number) } }
        drain(scheduler)
        expect(state.value, is: Array(0..<10_000))
        expect(scheduler.queue.label, is: "order")
    }

    @Test("is serial even on a concurrent queue of the user's")
    func usersQueue() {
        let queue = DispatchQueue(label: "users", attributes: .concurrent)
        let scheduler = QueueScheduler(queue: queue)
        let state = SinkState(0)
        onThreads(2, "users queue") { _ in
            for _ in 0..<1_000 { scheduler.schedule { state.value += 1 } }
        }
        drain(scheduler)
        expect(state.value, is: 2_000)
    }

    @Test("runs no action before schedule returns, not even a nested one")
    func alwaysAsynchronous() {
        let scheduler = QueueScheduler()
        let log = Log<String>()
        let done = Latch("nested action")
        scheduler.schedule {
            scheduler.schedule {
                log.append("nested")
                done.open()
            }
            log.append("outer")
        }
        done.wait()
        expect(log.all, is: ["outer", "nested"])
    }

    @Test("does not run an action that is disposed of before it starts, and releases it at once")
    func disposes() {
        let population = Population()
        let scheduler = QueueScheduler()
        let runs = Counter()
        let occupation = Occupation { stay in
            let over = Latch("the queue is occupied")
            scheduler.schedule {
                stay()
                over.open()
            }
            over.wait()
        }
        let disposable = scheduler.schedule { [member = population.member()] in
            member.touch()
            runs.increment()
        }
        expect(disposable?.isDisposed, is: false)
        disposable?.dispose()
        expect(disposable?.isDisposed, is: true)
        expect(population.alive, is: 0)
        occupation.end()
        drain(scheduler)
        expect(runs.value, is: 0)
    }

    @Test("reports an action that has started as disposed of, and releases it afterward")
    func begun() {
        let population = Population()
        let scheduler = QueueScheduler()
        let disposable = scheduler.schedule { [member = population.member()] in member.touch() }
        drain(scheduler)
        drain(scheduler)
        expect(disposable?.isDisposed, is: true)
        expect(population.alive, is: 0)
    }

    @Test("is the current scheduler inside its actions")
    func current() {
        let scheduler = QueueScheduler()
        let log = Log<Bool>()
        let done = Latch("current scheduler")
        scheduler.schedule {
            log.append(CurrentScheduler.value === scheduler)
            done.open()
        }
        done.wait()
        expect(log.all, is: [true])
    }

    @Test("has no quality of service of its own unless one is given")
    func qualityOfService() {
        expect(QueueScheduler().queue.qos, is: .unspecified)
        expect(QueueScheduler(propagating: Locals.$number).queue.qos, is: .unspecified)
        expect(QueueScheduler(qos: .utility).queue.qos, is: .utility)
    }

    @Test("has one instance for the main queue")
    func main() {
        #expect(QueueScheduler.main === QueueScheduler.main)
        expect(QueueScheduler.main.queue.label, is: DispatchQueue.main.label)
    }

    @Test("runs the main queue's actions on the main actor")
    func mainRuns() async {
        await withCheckedContinuation { continuation in
            QueueScheduler.main.schedule {
                MainActor.assertIsolated()
                #expect(CurrentScheduler.value === QueueScheduler.main)
                continuation.resume()
            }
        }
    }

    @Test("carries only the given task-locals, with their values when schedule is called")
    func propagates() {
        let scheduler = QueueScheduler(qos: .userInitiated, name: "locals", propagating: Locals.$number, Locals.$name)
        let log = Log<String>()
        let isOver = Latch("the nested action has not run")
        let note = { @Sendable in
            log.append("\(Locals.number) \(Locals.name) \(Locals.other)")
            if Locals.name == "nested" { isOver.open() }
        }
        Locals.$number.withValue(1) {
            Locals.$other.withValue(1) {
                _ = scheduler.schedule {
                    note()
                    // Actions that an action schedules inherit its task-locals.
                    Locals.$name.withValue("nested") { _ = scheduler.schedule(after: .milliseconds(1), note) }
                }
                // Not yet bound at this point.
                Locals.$name.withValue("one") { _ = scheduler.schedule(note) }
            }
        }
        scheduler.schedule(note)
        drain(scheduler)
        isOver.wait()
        expect(log.all.filter { !$0.contains("nested") }, is: ["1 none 0", "1 one 0", "0 none 0"])
        expect(log.all.filter { $0.contains("nested") }, is: ["1 nested 0"])
        expect(scheduler.queue.label, is: "locals")
        expect(scheduler.queue.qos, is: .userInitiated)
    }

    @Test("carries task-locals to every run of a repeating action, also on a queue of the user's")
    func propagatesRepeatedly() {
        let queue = DispatchQueue(label: "users")
        let scheduler = QueueScheduler(queue: queue, propagating: Locals.$number)
        let log = Log<Int>()
        let done = Latch("three runs")
        let disposable = Locals.$number.withValue(7) {
            scheduler.schedule(after: .zero, interval: .milliseconds(1)) {
                dispatchPrecondition(condition: .onQueue(queue))
                log.append(Locals.number)
                if log.count == 3 { done.open() }
            }
        }
        done.wait()
        disposable?.dispose()
        expect(log.all.prefix(3), is: [7, 7, 7])
    }

    @Test("by default carries no task-locals, and releases those it carries with the action")
    func propagatesNothing() {
        let scheduler = QueueScheduler()
        let log = Log<Int>()
        Locals.$number.withValue(7) { _ = scheduler.schedule { log.append(Locals.number) } }
        drain(scheduler)
        expect(log.all, is: [0])

        let population = Population()
        let carrying = QueueScheduler(propagating: Locals.$member)
        let disposable = Locals.$member.withValue(population.member()) {
            carrying.schedule(after: .seconds(1_000)) {}
        }
        expect(population.alive, is: 1)
        disposable?.dispose()
        expect(population.alive, is: 0)
    }
}

private enum Locals {
    @TaskLocal static var number = 0
    @TaskLocal static var name = "none"
    @TaskLocal static var other = 0
    @TaskLocal static var member: Population.Member?
}
