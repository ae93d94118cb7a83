import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Logs the calls that the start makes.
private final class Head: StartHead {
    let log = Log<String>()
    /// Released when it is called: it may retain the start, which retains this head.
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
private final class MemberHead: StartHead {
    private let member: Population.Member

    init(_ member: Population.Member) { self.member = member }

    func interrupt() -> Bool {
        member.touch()
        return false
    }

    func cutOff() { member.touch() }
}

/// Logs what the result of an operator receives.
private struct ResultSink: Sink {
    let log: Log<String>

    func next(_ value: Int) { log.append("\(value)") }

    func end(_ termination: Termination<Never>) {
        let event: Event<Int, Never> = termination.event()
        log.append("result: \(event)")
    }

    var hasEnded: Bool { false }
}

/// The start of an operator's result, with two sources, that logs what is done to its parts.
private struct OperatorStart {
    let result = Start()
    let log = Log<String>()
    let core = Core<Int, Never>(rootNamed: StreamName("result"))
    let users: SourceUsers?

    init(users: SourceUsers? = nil) {
        self.users = users
        core.adopt(ResultSink(log: log))
        for number in 1...2 {
            let source = Start(sourceOf: result)
            let head = Head { [log] in log.append("interrupt \(number)") }
            _ = source.attach(head)
            source.addCleanup { [log] in log.append("clean up \(number)") }
        }
    }

    func attach() { result.attach(core, stop: { [log] in log.append("stop") }, users: users) }
}

@Suite("Start")
struct StartTests {
    /// The event to send for a completion, or nil if the start has ended.
    private func toSend(_ start: Start) -> Event<Int, Never>? {
        start.hasPassedEnd ? nil : start.due(.completed)
    }

    @Test("is initially neither over nor disposed of")
    func beginning() {
        let start = Start()
        #expect(!start.isOver)
        #expect(!start.isCancelled)
        expect(toSend(start), is: .completed)
        #expect(!start.isDisposed)
        #expect(!start.hasEnded)
    }

    @Test("disposal sets a flag that a synchronous source checks, and does not end the start by itself")
    func cancelled() {
        let start = Start()
        let log = Log<String>()
        start.addCleanup { log.append("clean up") }
        start.observeEnded { log.append("lifetime") }
        start.dispose()
        #expect(start.isOver)
        #expect(start.isCancelled)
        #expect(start.isDisposed)
        expect(toSend(start), is: .interrupted)
        #expect(!start.hasEnded)
        #expect(log.all.isEmpty)
        #expect(start.raiseEnd())
        start.runCleanups()
        expect(log.all, is: ["clean up", "lifetime"])
    }

    @Test("disposal interrupts the head once")
    func interrupts() {
        let start = Start()
        let head = Head()
        #expect(start.attach(head))
        start.dispose()
        start.dispose()
        expect(head.log.all, is: ["interrupt"])
    }

    @Test("disposal after the end does not interrupt the head")
    func late() {
        let start = Start()
        let head = Head()
        #expect(start.attach(head))
        #expect(start.raiseEnd())
        #expect(toSend(start) == nil)
        #expect(start.isOver)
        #expect(!start.isCancelled)
        start.runCleanups()
        start.dispose()
        expect(head.log.all, is: ["cut off"])
    }

    @Test("refuses a head if it is over, and does not interrupt it")
    func attachedLate() {
        let cancelled = Start()
        cancelled.dispose()
        let head = Head()
        #expect(!cancelled.attach(head))
        cancelled.dispose()
        #expect(head.log.all.isEmpty)
        let ended = Start()
        #expect(ended.raiseEnd())
        #expect(!ended.attach(head))
    }

    @Test("releases heads that are attached while it ends and is disposed of")
    func headRace() {
        for _ in 0..<raceRounds {
            let start = Start()
            let heads = Population()
            onThreads(3, "attaching, ending, disposing") { index in
                switch index {
                case 0: _ = start.attach(MemberHead(heads.member()))
                case 1: if start.raiseEnd() { start.runCleanups() }
                default: start.dispose()
                }
            }
            expect(heads.alive, is: 0)
            #expect(start.isOver)
        }
    }

    @Test("disposal interrupts an operator's sources in order, then its result, and stops its work")
    func operatorDisposed() {
        let start = OperatorStart()
        start.attach()
        start.result.dispose()
        start.result.dispose()
        expect(start.log.all, is: ["interrupt 1", "interrupt 2", "result: INTERRUPTED", "stop"])
    }

    @Test("the end stops an operator's work and its sources, and sends nothing")
    func operatorEnded() {
        let start = OperatorStart()
        start.attach()
        #expect(start.result.raiseEnd())
        expect(start.log.all, is: [])
        start.result.runCleanups()
        start.result.dispose()
        start.core.sendNext(1)
        expect(start.log.all, is: ["clean up 1", "clean up 2", "stop"])
    }

    @Test("an operator that is attached too late is interrupted if the result was disposed of, and cut off otherwise")
    func operatorAttachedLate() {
        let disposed = OperatorStart()
        disposed.result.dispose()
        expect(disposed.log.all, is: [])
        disposed.attach()
        expect(disposed.log.all, is: ["interrupt 1", "interrupt 2", "result: INTERRUPTED", "stop"])
        let ended = OperatorStart()
        #expect(ended.result.raiseEnd())
        ended.result.runCleanups()
        ended.attach()
        expect(ended.log.all, is: ["clean up 1", "clean up 2", "stop"])
    }

    @Test("streams that need an operator's sources keep them when the result is disposed of or ends")
    func operatorWithUsers() {
        for isDisposed in [true, false] {
            let users = SourceUsers()
            let start = OperatorStart(users: users)
            start.attach()
            users.add()
            if isDisposed {
                start.result.dispose()
            } else {
                _ = start.result.raiseEnd()
                start.result.runCleanups()
            }
            expect(start.log.all, is: isDisposed ? ["result: INTERRUPTED"] : [])
            users.remove()
            let ended = isDisposed ? ["interrupt 1", "interrupt 2"] : ["clean up 1", "clean up 2"]
            expect(Array(start.log.all.drop { $0.hasPrefix("result") }), is: ended + ["stop"])
        }
    }

    @Test("an operator that is attached while its start is disposed of and cut off ends with both sources")
    func operatorRace() {
        for _ in 0..<raceRounds {
            let start = OperatorStart()
            onThreads(3, "attaching, disposing, cutting off") { index in
                switch index {
                case 0: start.attach()
                case 1: start.result.dispose()
                default: start.result.cutOff()
                }
            }
            expect(start.log.all.filter { $0.hasPrefix("clean up") }.sorted(), is: ["clean up 1", "clean up 2"])
            expect(start.core.terminated.isRaised, is: true)
        }
    }

    @Test("is ended by only one of several concurrent calls")
    func raiseEnd() {
        for _ in 0..<200 {
            let start = Start()
            let winners = Counter()
            onThreads(3, "ends") { _ in if start.raiseEnd() { winners.increment() } }
            expect(winners.value, is: 1)
            #expect(toSend(start) == nil)
        }
    }

    @Test("runs cleanups in order of addition, cuts off the head, then ends lifetimes in reverse order")
    func order() {
        let start = Start()
        let log = Log<String>()
        let head = Head()
        for number in 1...3 { start.addCleanup { log.append("clean up \(number), \(head.log.count)") } }
        for number in 1...2 { start.observeEnded { log.append("lifetime \(number), \(head.log.count)") } }
        #expect(start.attach(head))
        #expect(start.raiseEnd())
        #expect(log.all.isEmpty)
        start.runCleanups()
        expect(
            log.all, is: ["clean up 1, 0", "clean up 2, 0", "clean up 3, 0", "lifetime 2, 1", "lifetime 1, 1"])
        expect(head.log.all, is: ["cut off"])
        #expect(start.hasEnded)
    }

    @Test("runs cleanups at once if they are added after the end")
    func addedLate() {
        let start = Start()
        #expect(start.raiseEnd())
        start.runCleanups()
        let log = Log<String>()
        start.addCleanup { log.append("clean up") }
        start.observeEnded { log.append("lifetime") }
        expect(log.all, is: ["clean up", "lifetime"])
    }

    @Test("a cut-off ends it once, without interrupting the head")
    func cutOff() {
        let start = Start()
        let head = Head()
        let log = Log<String>()
        start.addCleanup { log.append("clean up") }
        #expect(start.attach(head))
        start.cutOff()
        start.cutOff()
        start.dispose()
        expect(head.log.all, is: ["cut off"])
        expect(log.all, is: ["clean up"])
        #expect(start.isDisposed)
    }

    @Test("can be ended and disposed of from inside its callbacks")
    func reentrant() {
        let start = Start()
        let log = Log<String>()
        let head = Head {
            log.append("interrupt")
            start.dispose()
            if start.raiseEnd() { start.runCleanups() }
        }
        start.addCleanup {
            log.append("clean up")
            start.dispose()
            start.cutOff()
            start.addCleanup { log.append("added inside") }
        }
        #expect(start.attach(head))
        start.dispose()
        expect(log.all, is: ["interrupt", "clean up", "added inside"])
        expect(head.log.all, is: ["interrupt", "cut off"])
    }

    @Test("when disposal races with attaching, interrupts the head or refuses it")
    func attachRace() {
        for _ in 0..<500 {
            let start = Start()
            let head = Head()
            let begins = Locked(false)
            onThreads(2, "attaching") { index in
                if index == 0 {
                    start.dispose()
                } else {
                    let attached = start.attach(head)
                    begins.withLock { $0 = attached }
                }
            }
            #expect(head.log.count == (begins.withLock { $0 } ? 1 : 0))
        }
    }

    @Test("runs each cleanup that other threads add while it ends exactly once")
    func cleanUpRace() {
        for _ in 0..<100 {
            let start = Start()
            let done = Counter()
            onThreads(3, "clean-ups") { index in
                if index == 0 {
                    start.cutOff()
                } else {
                    for _ in 0..<20 { start.addCleanup { done.increment() } }
                }
            }
            expect(done.value, is: 40)
        }
    }

    @Test("releases cleanups after they have run, and when it is released without having ended")
    func releases() {
        let population = Population()
        do {
            let start = Start()
            for _ in 0..<3 {
                let member = population.member()
                start.addCleanup { member.touch() }
                start.observeEnded { member.touch() }
            }
            expect(population.alive, is: 3)
        }
        expect(population.alive, is: 0)
        let start = Start()
        for _ in 0..<3 {
            let member = population.member()
            start.addCleanup { member.touch() }
            start.observeEnded { member.touch() }
        }
        start.cutOff()
        expect(population.alive, is: 0)
    }

    @Test("accepts any number of cleanups without deepening the stack")
    func many() {
        onSmallStack("clean-ups") {
            let count = Locked(0)
            do {
                let start = Start()
                for _ in 0..<100_000 { start.addCleanup { count.withLock { $0 += 1 } } }
                start.cutOff()
            }
            expect(count.withLock { $0 }, is: 100_000)
            let forgotten = Start()
            for _ in 0..<100_000 { forgotten.addCleanup { count.withLock { $0 += 1 } } }
        }
    }
}
