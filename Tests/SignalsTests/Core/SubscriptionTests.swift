import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Logs the calls that the subscription makes.
private final class Head: SubscriptionHead {
    let log = Log<String>()
    /// Released when it is called: it may retain the subscription, which retains this head.
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
private final class MemberHead: SubscriptionHead {
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

/// The subscription of an operator's result, with two sources, that logs what is done to its parts.
private struct OperatorStart {
    let result = Subscription()
    let log = Log<String>()
    let core = Core<Int, Never>(rootNamed: StreamName("result"))
    let users: SourceUsers?

    init(users: SourceUsers? = nil) {
        self.users = users
        core.adopt(ResultSink(log: log))
        for number in 1...2 {
            let source = Subscription(sourceOf: result)
            let head = Head { [log] in log.append("interrupt \(number)") }
            _ = source.attach(head)
            source.addCleanup { [log] in log.append("clean up \(number)") }
        }
    }

    func attach() { result.attach(core, stop: { [log] in log.append("stop") }, users: users) }
}

@Suite("Subscription")
struct SubscriptionTests {
    /// The event to send for a completion, or nil if the subscription has ended.
    private func toSend(_ subscription: Subscription) -> Event<Int, Never>? {
        subscription.hasPassedEnd ? nil : subscription.due(.completed)
    }

    @Test("is initially neither over nor disposed of")
    func beginning() {
        let subscription = Subscription()
        #expect(!subscription.isOver)
        #expect(!subscription.isCancelled)
        expect(toSend(subscription), is: .completed)
        #expect(!subscription.isDisposed)
        #expect(!subscription.hasEnded)
    }

    @Test("disposal sets a flag that a synchronous source checks, and does not end the subscription by itself")
    func cancelled() {
        let subscription = Subscription()
        let log = Log<String>()
        subscription.addCleanup { log.append("clean up") }
        subscription.observeEnded { log.append("lifetime") }
        subscription.dispose()
        #expect(subscription.isOver)
        #expect(subscription.isCancelled)
        #expect(subscription.isDisposed)
        expect(toSend(subscription), is: .interrupted)
        #expect(!subscription.hasEnded)
        #expect(log.all.isEmpty)
        #expect(subscription.raiseEnd())
        subscription.runCleanups()
        expect(log.all, is: ["clean up", "lifetime"])
    }

    @Test("disposal interrupts the head once")
    func interrupts() {
        let subscription = Subscription()
        let head = Head()
        #expect(subscription.attach(head))
        subscription.dispose()
        subscription.dispose()
        expect(head.log.all, is: ["interrupt"])
    }

    @Test("disposal after the end does not interrupt the head")
    func late() {
        let subscription = Subscription()
        let head = Head()
        #expect(subscription.attach(head))
        #expect(subscription.raiseEnd())
        #expect(toSend(subscription) == nil)
        #expect(subscription.isOver)
        #expect(!subscription.isCancelled)
        subscription.runCleanups()
        subscription.dispose()
        expect(head.log.all, is: ["cut off"])
    }

    @Test("refuses a head if it is over, and does not interrupt it")
    func attachedLate() {
        let cancelled = Subscription()
        cancelled.dispose()
        let head = Head()
        #expect(!cancelled.attach(head))
        cancelled.dispose()
        #expect(head.log.all.isEmpty)
        let ended = Subscription()
        #expect(ended.raiseEnd())
        #expect(!ended.attach(head))
    }

    @Test("releases heads that are attached while it ends and is disposed of")
    func headRace() {
        for _ in 0..<raceRounds {
            let subscription = Subscription()
            let heads = Population()
            onThreads(3, "attaching, ending, disposing") { index in
                switch index {
                case 0: _ = subscription.attach(MemberHead(heads.member()))
                case 1: if subscription.raiseEnd() { subscription.runCleanups() }
                default: subscription.dispose()
                }
            }
            expect(heads.alive, is: 0)
            #expect(subscription.isOver)
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
            let subscription = Subscription()
            let winners = Counter()
            onThreads(3, "ends") { _ in if subscription.raiseEnd() { winners.increment() } }
            expect(winners.value, is: 1)
            #expect(toSend(subscription) == nil)
        }
    }

    @Test("runs cleanups in order of addition, cuts off the head, then ends lifetimes in reverse order")
    func order() {
        let subscription = Subscription()
        let log = Log<String>()
        let head = Head()
        for number in 1...3 { subscription.addCleanup { log.append("clean up \(number), \(head.log.count)") } }
        for number in 1...2 { subscription.observeEnded { log.append("lifetime \(number), \(head.log.count)") } }
        #expect(subscription.attach(head))
        #expect(subscription.raiseEnd())
        #expect(log.all.isEmpty)
        subscription.runCleanups()
        expect(
            log.all, is: ["clean up 1, 0", "clean up 2, 0", "clean up 3, 0", "lifetime 2, 1", "lifetime 1, 1"])
        expect(head.log.all, is: ["cut off"])
        #expect(subscription.hasEnded)
    }

    @Test("runs cleanups at once if they are added after the end")
    func addedLate() {
        let subscription = Subscription()
        #expect(subscription.raiseEnd())
        subscription.runCleanups()
        let log = Log<String>()
        subscription.addCleanup { log.append("clean up") }
        subscription.observeEnded { log.append("lifetime") }
        expect(log.all, is: ["clean up", "lifetime"])
    }

    @Test("a cut-off ends it once, without interrupting the head")
    func cutOff() {
        let subscription = Subscription()
        let head = Head()
        let log = Log<String>()
        subscription.addCleanup { log.append("clean up") }
        #expect(subscription.attach(head))
        subscription.cutOff()
        subscription.cutOff()
        subscription.dispose()
        expect(head.log.all, is: ["cut off"])
        expect(log.all, is: ["clean up"])
        #expect(subscription.isDisposed)
    }

    @Test("can be ended and disposed of from inside its callbacks")
    func reentrant() {
        let subscription = Subscription()
        let log = Log<String>()
        let head = Head {
            log.append("interrupt")
            subscription.dispose()
            if subscription.raiseEnd() { subscription.runCleanups() }
        }
        subscription.addCleanup {
            log.append("clean up")
            subscription.dispose()
            subscription.cutOff()
            subscription.addCleanup { log.append("added inside") }
        }
        #expect(subscription.attach(head))
        subscription.dispose()
        expect(log.all, is: ["interrupt", "clean up", "added inside"])
        expect(head.log.all, is: ["interrupt", "cut off"])
    }

    @Test("when disposal races with attaching, interrupts the head or refuses it")
    func attachRace() {
        for _ in 0..<500 {
            let subscription = Subscription()
            let head = Head()
            let begins = Locked(false)
            onThreads(2, "attaching") { index in
                if index == 0 {
                    subscription.dispose()
                } else {
                    let attached = subscription.attach(head)
                    begins.withLock { $0 = attached }
                }
            }
            #expect(head.log.count == (begins.withLock { $0 } ? 1 : 0))
        }
    }

    @Test("runs each cleanup that other threads add while it ends exactly once")
    func cleanUpRace() {
        for _ in 0..<100 {
            let subscription = Subscription()
            let done = Counter()
            onThreads(3, "clean-ups") { index in
                if index == 0 {
                    subscription.cutOff()
                } else {
                    for _ in 0..<20 { subscription.addCleanup { done.increment() } }
                }
            }
            expect(done.value, is: 40)
        }
    }

    @Test("releases cleanups after they have run, and when it is released without having ended")
    func releases() {
        let population = Population()
        do {
            let subscription = Subscription()
            for _ in 0..<3 {
                let member = population.member()
                subscription.addCleanup { member.touch() }
                subscription.observeEnded { member.touch() }
            }
            expect(population.alive, is: 3)
        }
        expect(population.alive, is: 0)
        let subscription = Subscription()
        for _ in 0..<3 {
            let member = population.member()
            subscription.addCleanup { member.touch() }
            subscription.observeEnded { member.touch() }
        }
        subscription.cutOff()
        expect(population.alive, is: 0)
    }

    @Test("accepts any number of cleanups without deepening the stack")
    func many() {
        onSmallStack("clean-ups") {
            let count = Locked(0)
            do {
                let subscription = Subscription()
                for _ in 0..<100_000 { subscription.addCleanup { count.withLock { $0 += 1 } } }
                subscription.cutOff()
            }
            expect(count.withLock { $0 }, is: 100_000)
            let forgotten = Subscription()
            for _ in 0..<100_000 { forgotten.addCleanup { count.withLock { $0 += 1 } } }
        }
    }
}
