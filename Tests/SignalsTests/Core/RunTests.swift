import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Logs the calls that the run makes.
private final class Head: RunHead {
    let log = Log<String>()
    /// Released when it is called: it may retain the run, which retains this head.
    private let onInterrupt: Locked<(@Sendable () -> Void)?>

    init(_ onInterrupt: (@Sendable () -> Void)? = nil) { self.onInterrupt = Locked(onInterrupt) }

    func interrupt() -> Bool {
        log.append("interrupt")
        onInterrupt.withLock { $0.take() }?()
        return false
    }

    func cutOff() { log.append("cut off") }
}

/// A head that is counted while it is alive.
private final class MemberHead: RunHead {
    private let member: Population.Member

    init(_ member: Population.Member) { self.member = member }

    func interrupt() -> Bool {
        member.touch()
        return false
    }

    func cutOff() { member.touch() }
}

@Suite("Run")
struct RunTests {
    /// The event to send for a completion, or nil if the run has ended.
    private func toSend(_ run: Run) -> Event<Int, Never>? {
        run.hasPassedEnd ? nil : run.due(.completed)
    }

    @Test("is initially neither over nor disposed of")
    func beginning() {
        let run = Run()
        #expect(!run.isOver)
        #expect(!run.isCancelled)
        expect(toSend(run), is: .completed)
        #expect(!run.isDisposed)
        #expect(!run.hasEnded)
    }

    @Test("disposal sets a flag that a synchronous source checks, and does not end the run by itself")
    func cancelled() {
        let run = Run()
        let log = Log<String>()
        run.cleanUp { log.append("clean up") }
        run.observeEnded { log.append("lifetime") }
        run.dispose()
        #expect(run.isOver)
        #expect(run.isCancelled)
        #expect(run.isDisposed)
        expect(toSend(run), is: .interrupted)
        #expect(!run.hasEnded)
        #expect(log.all.isEmpty)
        #expect(run.raiseEnd())
        run.finish()
        expect(log.all, is: ["clean up", "lifetime"])
    }

    @Test("disposal interrupts the head once")
    func interrupts() {
        let run = Run()
        let head = Head()
        #expect(run.attach(head))
        run.dispose()
        run.dispose()
        expect(head.log.all, is: ["interrupt"])
    }

    @Test("disposal after the end does not interrupt the head")
    func late() {
        let run = Run()
        let head = Head()
        #expect(run.attach(head))
        #expect(run.raiseEnd())
        #expect(toSend(run) == nil)
        #expect(run.isOver)
        #expect(!run.isCancelled)
        run.finish()
        run.dispose()
        expect(head.log.all, is: ["cut off"])
    }

    @Test("refuses a head if it is over, and does not interrupt it")
    func attachedLate() {
        let cancelled = Run()
        cancelled.dispose()
        let head = Head()
        #expect(!cancelled.attach(head))
        cancelled.dispose()
        #expect(head.log.all.isEmpty)
        let ended = Run()
        #expect(ended.raiseEnd())
        #expect(!ended.attach(head))
    }

    @Test("releases heads that are attached while it ends and is disposed of")
    func headRace() {
        for _ in 0..<raceRounds {
            let run = Run()
            let heads = Population()
            onThreads(3, "attaching, ending, disposing") { index in
                switch index {
                case 0: _ = run.attach(MemberHead(heads.member()))
                case 1: if run.raiseEnd() { run.finish() }
                default: run.dispose()
                }
            }
            expect(heads.alive, is: 0)
            #expect(run.isOver)
        }
    }

    @Test("is ended by only one of several concurrent calls")
    func raiseEnd() {
        for _ in 0..<200 {
            let run = Run()
            let winners = Counter()
            onThreads(3, "ends") { _ in if run.raiseEnd() { winners.increment() } }
            expect(winners.value, is: 1)
            #expect(toSend(run) == nil)
        }
    }

    @Test("runs cleanups in order of addition, cuts off the head, then ends lifetimes in reverse order")
    func order() {
        let run = Run()
        let log = Log<String>()
        let head = Head()
        for number in 1...3 { run.cleanUp { log.append("clean up \(number), \(head.log.count)") } }
        for number in 1...2 { run.observeEnded { log.append("lifetime \(number), \(head.log.count)") } }
        #expect(run.attach(head))
        #expect(run.raiseEnd())
        #expect(log.all.isEmpty)
        run.finish()
        expect(
            log.all, is: ["clean up 1, 0", "clean up 2, 0", "clean up 3, 0", "lifetime 2, 1", "lifetime 1, 1"])
        expect(head.log.all, is: ["cut off"])
        #expect(run.hasEnded)
    }

    @Test("runs cleanups at once if they are added after the end")
    func addedLate() {
        let run = Run()
        #expect(run.raiseEnd())
        run.finish()
        let log = Log<String>()
        run.cleanUp { log.append("clean up") }
        run.observeEnded { log.append("lifetime") }
        expect(log.all, is: ["clean up", "lifetime"])
    }

    @Test("a cut-off ends it once, without interrupting the head")
    func cutOff() {
        let run = Run()
        let head = Head()
        let log = Log<String>()
        run.cleanUp { log.append("clean up") }
        #expect(run.attach(head))
        run.cutOff()
        run.cutOff()
        run.dispose()
        expect(head.log.all, is: ["cut off"])
        expect(log.all, is: ["clean up"])
        #expect(run.isDisposed)
    }

    @Test("can be ended and disposed of from inside its callbacks")
    func reentrant() {
        let run = Run()
        let log = Log<String>()
        let head = Head {
            log.append("interrupt")
            run.dispose()
            if run.raiseEnd() { run.finish() }
        }
        run.cleanUp {
            log.append("clean up")
            run.dispose()
            run.cutOff()
            run.cleanUp { log.append("added inside") }
        }
        #expect(run.attach(head))
        run.dispose()
        expect(log.all, is: ["interrupt", "clean up", "added inside"])
        expect(head.log.all, is: ["interrupt", "cut off"])
    }

    @Test("when disposal races with attaching, interrupts the head or refuses it")
    func attachRace() {
        for _ in 0..<500 {
            let run = Run()
            let head = Head()
            let begins = Locked(false)
            onThreads(2, "attaching") { index in
                if index == 0 {
                    run.dispose()
                } else {
                    let attached = run.attach(head)
                    begins.withLock { $0 = attached }
                }
            }
            #expect(head.log.count == (begins.withLock { $0 } ? 1 : 0))
        }
    }

    @Test("runs each cleanup that other threads add while it ends exactly once")
    func cleanUpRace() {
        for _ in 0..<100 {
            let run = Run()
            let done = Counter()
            onThreads(3, "clean-ups") { index in
                if index == 0 {
                    run.cutOff()
                } else {
                    for _ in 0..<20 { run.cleanUp { done.increment() } }
                }
            }
            expect(done.value, is: 40)
        }
    }

    @Test("releases cleanups after they have run, and when it is released without having ended")
    func releases() {
        let population = Population()
        do {
            let run = Run()
            for _ in 0..<3 {
                let member = population.member()
                run.cleanUp { member.touch() }
                run.observeEnded { member.touch() }
            }
            expect(population.alive, is: 3)
        }
        expect(population.alive, is: 0)
        let run = Run()
        for _ in 0..<3 {
            let member = population.member()
            run.cleanUp { member.touch() }
            run.observeEnded { member.touch() }
        }
        run.cutOff()
        expect(population.alive, is: 0)
    }

    @Test("accepts any number of cleanups without deepening the stack")
    func many() {
        onSmallStack("clean-ups") {
            let count = Locked(0)
            do {
                let run = Run()
                for _ in 0..<100_000 { run.cleanUp { count.withLock { $0 += 1 } } }
                run.cutOff()
            }
            expect(count.withLock { $0 }, is: 100_000)
            let forgotten = Run()
            for _ in 0..<100_000 { forgotten.cleanUp { count.withLock { $0 += 1 } } }
        }
    }
}
