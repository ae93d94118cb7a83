import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("repeat")
struct RepeatTests {
    @Test("runs the producer the given number of times, restarting it after each completion", arguments: 0...4)
    func counts(count: Int) {
        let starts = Counter()
        let producer = Numbers.deferred { Numbers(value: starts.increment()) }.repeat(count)
        for round in 0..<2 {
            let values = (0..<count).map { "\(round * count + $0 + 1)" }
            expect(producer.logged().all, is: values + ["completed"])
        }
        expect(starts.value, is: 2 * count)
    }

    @Test("does what its documentation shows")
    func example() { expect(Numbers(value: 1).repeat(3).logged().all, is: ["1", "1", "1", "completed"]) }

    @Test("repeats a plain value and a sequence", arguments: [true, false])
    func shapes(isPlain: Bool) {
        let producer = isPlain ? Numbers(value: 1) : Numbers([1])
        expect(producer.repeat(2).logged().all, is: ["1", "1", "completed"])
        expect(producer.repeat(2).repeat(2).logged().all, is: ["1", "1", "1", "1", "completed"])
        expect(producer.repeatForever().take(first: 2).logged().all, is: ["1", "1", "completed"])
    }

    @Test("ends with an error or an interruption")
    func ends() {
        for terminal in terminals where !terminal.isCompleted {
            let starts = Counter()
            let producer = Numbers.deferred { starts.increment() == 2 ? ending(with: terminal) : Numbers(value: 1) }
            expect(producer.repeat(5).logged().all, is: ["1", terminal.text])
            expect(starts.value, is: 2)
        }
        expect(Numbers(error: .first).repeatForever().logged().all, is: ["error first"])
        expect(Numbers.interrupted.repeat(while: { true }).logged().all, is: ["interrupted"])
    }

    @Test("evaluates its condition after each completion")
    func condition() {
        let asked = Counter()
        let producer = Numbers([1]).repeat(while: { asked.increment() < 3 })
        expect(producer.logged().all, is: ["1", "1", "1", "completed"])
        expect(asked.value, is: 3)
        expect(Numbers(value: 1).repeat(while: { false }).logged().all, is: ["1", "completed"])
    }

    @Test("does not evaluate its condition once downstream has ended", arguments: [true, false])
    func enough(isPlain: Bool) {
        let asked = Counter()
        let condition: @Sendable () -> Bool = { asked.increment() < 100 }
        let producer = isPlain ? Numbers(value: 1) : Numbers([1])
        expect(producer.repeat(while: condition).take(first: 1).logged().all, is: ["1", "completed"])
        expect(asked.value, is: 0, "ended downstream")
        let log = Log<String>()
        producer.repeat(while: condition).startDisposably { event, disposable in
            log.append(event.text)
            disposable.dispose()
        }
        expect(log.all, is: ["1", "interrupted"])
        expect(asked.value, is: 0, "disposed of")
    }

    @Test("begins a round after the former one has been cleaned up, even if an operator in the middle has ended it")
    func cleanUp() {
        let (triggers, trigger) = Signal<Void, Never>.pipe()
        let log = Log<String>()
        let source = Numbers { observer, lifetime in
            log.append("begins")
            observer.sendNext(1)
            // Retains the observer, so that only the trigger ends a round.
            lifetime.observeEnded { withExtendedLifetime(observer) { log.append("is cleaned up") } }
        }
        // Each `flatMap` has a signal of its own, so the end passes through two of them.
        let round = source.flatMap(.merge) { Numbers(value: $0) }.take(until: triggers)
            .flatMap(.merge) { Numbers([$0]) }
        round.repeat(2).startWithCompleted { log.append("completed") }
        trigger.sendNext(())
        trigger.sendNext(())
        expect(log.all, is: ["begins", "is cleaned up", "begins", "completed", "is cleaned up"])
    }

    @Test("runs any number of synchronous rounds in constant stack and memory", .notUnderSanitizers)
    func iterative() {
        onSmallStack("repeat") {
            let population = Population()
            for make: @Sendable () -> SignalProducer<Population.Member, Never> in [
                { SignalProducer(value: population.member()) }, { SignalProducer([population.member()]) },
                {
                    SignalProducer { observer, lifetime in
                        let member = population.member()
                        lifetime.observeEnded { member.touch() }
                        observer.sendNext(member)
                        observer.sendCompleted()
                    }
                },
            ] {
                let count = Counter()
                let most = Locked(0)
                SignalProducer<Population.Member, Never>.deferred(make).repeat(manyLevels / 2).start { _ in
                    most.withLock { $0 = max($0, population.alive) }
                    count.increment()
                }
                expect(count.value, is: manyLevels / 2 + 1)
                #expect(most.withLock { $0 } <= 3)
                expect(population.alive, is: 0)
            }
            let count = Counter()
            Numbers.empty.repeat(while: { count.increment() < manyLevels }).start()
            Numbers(value: 1).repeatForever().take(first: manyLevels).start { _ in count.increment() }
            expect(count.value, is: 2 * manyLevels + 1)
        }
    }

    @Test("stops endless synchronous rounds on disposal from another thread")
    func anotherThread() {
        for producer in [Numbers(value: 1), .empty, Numbers([1, 2]), ending(with: .completed)] {
            let disposables = Log<any Disposable>()
            let begun = Latch("not begun")
            let rounds = Counter()
            let last = Locked("")
            let thread = TestThread("rounds") {
                producer.repeat(while: {
                    if rounds.increment() == 10 { begun.open() }
                    return true
                }).startWithSignal { signal, disposable in
                    disposables.append(disposable)
                    signal.observe { event in last.withLock { $0 = event.text } }
                    return
                }
            }
            begun.wait()
            disposables.all[0].dispose()
            thread.join()
            expect(last.withLock { $0 }, is: "interrupted")
        }
    }

    @Test("interrupts on disposal, then ends the lifetime")
    func disposal() {
        expectInterrupts { $0.repeat(3) }
        expectInterrupts { $0.repeatForever() }
        expectInterrupts { $0.repeat(1) }
    }

    @Test("does not begin work that is disposed of before it starts")
    func notBegun() {
        for count in [0, 1, 3] { expectDoesNotBegin { $0.repeat(count) } }
        expectDoesNotBegin { $0.repeatForever() }
    }

    @Test("stops an endless synchronous source") func stops() { expectStops { $0.repeat(2) } }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in
            source.repeat(while: {
                member.touch()
                return false
            })
        }
        expectReleases { source, member in source.on(completed: { member.touch() }).repeat(3) }
    }

    @Test("traps when the count is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer(value: 1).repeat(-1)
        }
        result.expectTrap("repeat(-1)")
    }
}
