import ColdProducers
import Foundation
import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// A head with and without the fence. If the system has no fence, both are the same.
@Suite("TaskHead", .watched)
struct TaskHeadTests {
    static let modes = [AsymmetricFence.isAvailable, false]

    /// A head whose events are logged, and the member that its receiver holds.
    private final class Setup: Sendable {
        let start = Start()
        let log = Log<String>()
        let population = Population()
        let head: TaskHead<Int, TestError>

        init(isFenced: Bool, onNext: @escaping @Sendable (Int) -> Void = { _ in }) {
            let (start, log, member) = (start, log, population.member())
            let sink = ProducerSink<Int, TestError>(start) { event in
                member.touch()
                log.append(event.pointee.text)
                if case .next(let value) = event.pointee {
                    onNext(value)
                } else if start.raiseEnd() {
                    start.runCleanups()
                }
            }
            head = TaskHead(sink, isFenced: isFenced)
            #expect(start.attach(head))
        }

        /// Takes an amount of time that differs from round to round.
        func idle(_ round: Int) {
            for _ in 0..<(round % 64) { _ = start.isOver }
        }
    }

    /// Runs `body` for each of many heads on several threads, which begin each round together, and checks each head.
    private func race(
        _ rounds: Int, threads: Int, isFenced: Bool, _ body: @escaping @Sendable (Setup, Int, Int) -> Void,
        check: (Setup) -> Bool
    ) {
        let setups = (0..<rounds).map { _ in Setup(isFenced: isFenced) }
        let rendezvous = setups.map { _ in Rendezvous(threads) }
        onThreads(threads, "race") { thread in
            for (round, setup) in setups.enumerated() {
                rendezvous[round].meet()
                body(setup, thread, round)
            }
        }
        let wrong = setups.filter { !check($0) || $0.population.alive > 0 }
        #expect(wrong.isEmpty, "\(wrong.first?.log.all ?? [])")
    }

    @Test("sends values and the terminal event, and releases the receiver", arguments: modes)
    func events(isFenced: Bool) {
        let setup = Setup(isFenced: isFenced)
        #expect(setup.head.next(1))
        #expect(setup.head.next(2))
        #expect(!setup.head.isClosed)
        setup.head.end(.completed)
        #expect(setup.head.isClosed)
        expect(setup.log.all, is: ["1", "2", "completed"])
        expect(setup.population.alive, is: 0)
        #expect(!setup.head.next(3))
        setup.head.end(.error(.first))
        expect(setup.log.all, is: ["1", "2", "completed"])
    }

    @Test("interrupts immediately when it is disposed of between two events", arguments: modes)
    func disposedOutside(isFenced: Bool) {
        let setup = Setup(isFenced: isFenced)
        #expect(setup.head.next(1))
        setup.start.dispose()
        expect(setup.log.all, is: ["1", "interrupted"])
        expect(setup.population.alive, is: 0)
        #expect(setup.head.isClosed)
        #expect(!setup.head.next(2))
    }

    @Test("interrupts after the delivery in which it is disposed of", arguments: modes)
    func disposedInside(isFenced: Bool) {
        let serial = SerialDisposable()
        let log = Log<Bool>()
        let setup = Setup(isFenced: isFenced) { _ in
            serial.dispose()
            log.append(true)
        }
        serial.inner = setup.start
        #expect(!setup.head.next(1))
        expect(setup.log.all, is: ["1", "interrupted"])
        expect(log.count, is: 1)
        expect(setup.population.alive, is: 0)
    }

    @Test("sends nothing more after a cut-off during a delivery", arguments: modes)
    func cutOffInside(isFenced: Bool) {
        let start = Locked<Start?>(nil)
        let setup = Setup(isFenced: isFenced) { _ in start.withLock { $0 }?.cutOff() }
        start.withLock { $0 = setup.start }
        #expect(!setup.head.next(1))
        expect(setup.log.all, is: ["1"])
        expect(setup.population.alive, is: 0)
    }

    @Test("disposal during a delivery does not wait, and the task then interrupts", arguments: modes)
    func disposedMeanwhile(isFenced: Bool) {
        let entered = Latch("nothing is delivered")
        let mayLeave = Latch("the delivery may not end")
        let setup = Setup(isFenced: isFenced) { _ in
            entered.open()
            mayLeave.wait()
        }
        let task = TestThread("task") { #expect(!setup.head.next(1)) }
        entered.wait()
        setup.start.dispose()
        expect(setup.log.all, is: ["1"])
        expect(setup.population.alive, is: 1)
        mayLeave.open()
        task.join()
        expect(setup.log.all, is: ["1", "interrupted"])
        expect(setup.population.alive, is: 0)
    }

    @Test("misses no disposal that races with the return of the task", arguments: modes)
    func leavingRaces(isFenced: Bool) {
        race(raceRounds, threads: 2, isFenced: isFenced) { setup, thread, round in
            if thread == 0 {
                // The task never checks again, so nothing corrects a missed disposal.
                _ = setup.head.next(1)
            } else {
                setup.idle(round)
                setup.start.dispose()
            }
        } check: {
            $0.log.all == ["interrupted"] || $0.log.all == ["1", "interrupted"]
        }
    }

    @Test("misses no cut-off that races with the return of the task", arguments: modes)
    func cutOffRaces(isFenced: Bool) {
        race(raceRounds, threads: 2, isFenced: isFenced) { setup, thread, round in
            if thread == 0 {
                _ = setup.head.next(1)
            } else {
                setup.idle(round)
                setup.start.cutOff()
            }
        } check: {
            $0.log.all == [] || $0.log.all == ["1"]
        }
    }

    @Test("ends at most once and holds nothing when disposal, cut-off and the end race", arguments: modes)
    func endRaces(isFenced: Bool) {
        race(raceRounds, threads: 3, isFenced: isFenced) { setup, thread, round in
            switch thread {
            case 0:
                while setup.head.next(1), setup.log.count < 3 {}
                setup.head.end(.completed)
            case 1: setup.start.dispose()
            default: if round.isMultiple(of: 2) { setup.start.cutOff() }
            }
        } check: {
            $0.log.all.count { $0 != "1" } <= 1
        }
    }

    @Test("interrupts a task that never sends again, and releases its observer", arguments: modes)
    func tasks(isFenced: Bool) {
        for round in 0..<raceRounds {
            let log = Log<String>()
            let population = Population()
            let left = Latch("the task has not left")
            let disposable: any Disposable
            do {
                let member = population.member()
                let producer = SignalProducer<Int, TestError>(StreamName("test")) { _, sink in
                    TaskHead.run(into: sink, isFenced: isFenced) { head in
                        _ = head.next(1)
                        left.open()
                    }
                }
                disposable = DispatchExecutor.shared.within {
                    producer.start {
                        member.touch()
                        log.append($0.text)
                    }
                }
            }
            if round.isMultiple(of: 2) { left.wait() }
            disposable.dispose()
            while log.all.last != "interrupted" { sched_yield() }
            while population.alive > 0 { sched_yield() }
            #expect(log.count <= 2)
        }
    }
}
