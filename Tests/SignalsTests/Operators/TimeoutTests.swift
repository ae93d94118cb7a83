import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("timeout(after:raising:on:)")
struct TimeoutTests {
    private func timed(_ diagram: String, after seconds: Int = 10) -> [String] {
        timeline(of: diagram) { $0.timeout(after: .seconds(seconds), raising: .second, on: $1) }
    }

    @Test("forwards values on the sender's thread, and fails on the scheduler after the interval")
    func fails() {
        expect(
            timed("--1--2--3--4"),
            is: [
                "1 at 2, on its sender's thread", "2 at 5, on its sender's thread", "3 at 8, on its sender's thread",
                "error second at 10",
            ])
        expect(timed(""), is: ["error second at 10"])
    }

    @Test("is not extended by values")
    func notSetBack() {
        expect(timed("123456789123456789").last, is: "error second at 10")
        expect(timed("123456789123456789").count, is: 11)
    }

    @Test("does not wait for an observer, who delays no other time limit of the scheduler", .watched, arguments: 0..<4)
    func slowObserver(_ kind: Int) {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let (other, otherInput) = Source.pipe()
        let second = Duration.seconds(1)
        let slow =
            switch kind {
            case 0: source.timeout(after: second, raising: .second, on: scheduler)
            case 1: source.take(for: second, on: scheduler)
            case 2: source.timeout(afterFirst: second, raising: .second, on: scheduler)
            default: source.timeout(between: second, raising: .second, on: scheduler)
            }
        let isInside = Latch("the observer's value")
        let goesOn = Latch("the end of the other stream")
        let log = Log<String>()
        slow.observe { event in
            log.append(event.text)
            if case .next(2) = event {
                isInside.open()
                goesOn.wait()
            }
        }
        let others = other.timeout(after: .seconds(2), raising: .first, on: scheduler).logged()
        input.sendNext(1)
        let sender = TestThread("the sender") { input.sendNext(2) }
        isInside.wait()
        scheduler.advance(by: .seconds(2))
        expect(others.all, is: ["error first"])
        expect(log.all, is: ["1", "2"])
        goesOn.open()
        sender.join()
        scheduler.run()
        // While the observer handles a value, the source is not silent.
        expect(log.all, is: ["1", "2", kind == 1 ? "completed" : "error second"])
        withExtendedLifetime(otherInput) {}
    }

    @Test("does not fail if the source ends in time")
    func inTime() {
        for (mark, text) in [("|", "completed"), ("X", "error first"), ("!", "interrupted")] {
            expect(
                timed("-1-------" + mark),
                is: [
                    "1 at 1, on its sender's thread", "\(text) at 9, on its sender's thread",
                ])
        }
    }

    @Test("at the same instant, ends with whichever of the source's end and the timer comes first")
    func sameInstant() {
        for isBefore in [true, false] {
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let complete: @Sendable () -> Void = { input.sendCompleted() }
            if isBefore { scheduler.schedule(after: .seconds(10), complete) }
            let log = source.timeout(after: .seconds(10), raising: .second, on: scheduler).logged()
            if !isBefore { scheduler.schedule(after: .seconds(10), complete) }
            scheduler.run()
            expect(log.all, is: [isBefore ? "completed" : "error second"])
        }
    }

    @Test("starts the interval when it is called, not when it is observed")
    func beginning() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        scheduler.advance(by: .seconds(3))
        let result = source.timeout(after: .seconds(10), raising: .second, on: scheduler)
        scheduler.advance(by: .seconds(7))
        let log = Log<String>()
        result.observe { log.append(when($0, scheduler)) }
        scheduler.run()
        expect(log.all, is: ["error second at 13"])
        withExtendedLifetime(input) {}
    }

    @Test("with a zero interval, fails when the scheduler runs, and forwards earlier values")
    func zero() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = source.timeout(after: .zero, raising: .second, on: scheduler).logged()
        #expect(log.all.isEmpty)
        input.sendNext(1)
        scheduler.advance()
        input.sendNext(2)
        expect(log.all, is: ["1", "error second"])
    }

    @Test("releases the source when it times out")
    func letsGo() {
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let result = {
            let member = population.member()
            return source.map { value in
                member.touch()
                return value
            }.timeout(after: .seconds(1), raising: .second, on: scheduler)
        }()
        input.sendNext(1)
        expect(population.alive, is: 1)
        scheduler.advance(by: .seconds(1))
        expect(population.alive, is: 0)
        expect(result.logged().all, is: ["interrupted"])
    }

    @Test("drops events that an observer sends during the error, and forwards those sent during a value")
    func reentrant() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.timeout(after: .seconds(1), raising: .second, on: scheduler).observe { event in
            log.append(event.text)
            if event.value == 1 { input.sendNext(2) }
            if event.isTerminating { input.sendNext(3) }
        }
        input.sendNext(1)
        scheduler.run()
        expect(log.all, is: ["1", "2", "error second"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() {
        let scheduler = TestScheduler()
        expectForwardsTerminals { $0.timeout(after: .seconds(1), raising: .second, on: scheduler) }
        scheduler.run()
    }

    @Test("stops its timer and releases its error when the source ends and when it is disposed of")
    func stops() {
        struct Held: Error {
            let member: Population.Member
        }
        let population = Population()
        weak var weakly: TestScheduler?
        do {
            let scheduler = TestScheduler()
            weakly = scheduler
            let (source, input) = Signal<Int, Held>.pipe()
            let counter = Counter()

            _ = source.timeout(after: .seconds(1), raising: Held(member: population.member()), on: scheduler)
            expect(population.alive, is: 0, "nobody ever observed")

            let disposable = source.timeout(
                after: .seconds(1), raising: Held(member: population.member()), on: scheduler
            ).observe { _ in counter.increment() }
            expect(population.alive, is: 1)
            disposable?.dispose()
            expect(population.alive, is: 0, "disposed of")

            let result = source.timeout(
                after: .seconds(1), raising: Held(member: population.member()), on: scheduler)
            result.observe { _ in counter.increment() }
            input.sendCompleted()
            expect(population.alive, is: 0, "ended")

            scheduler.run()
            expect(counter.value, is: 1)
            withExtendedLifetime(result) {}
        }
        #expect(weakly == nil)
    }

    @Test("fails on a queue, not before the interval has elapsed")
    func queue() {
        let scheduler = QueueScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let isObserved = Latch("not observed")
        let done = Latch("timeout on a queue")
        // This thread can sleep for longer than the interval before it observes.
        scheduler.schedule { isObserved.wait() }
        let begin = scheduler.now
        source.timeout(after: .milliseconds(10), raising: .second, on: scheduler).observe { event in
            if event.isTerminating {
                let isEarly = scheduler.now < begin.advanced(by: .milliseconds(10))
                log.append("\(isEarly ? "early" : "in time"), \(CurrentScheduler.value === scheduler)")
            }
            log.append(event.text)
            if event.isTerminating { done.open() }
        }
        isObserved.open()
        done.wait()
        input.sendNext(1)
        expect(log.all, is: ["in time, true", "error second"])
    }

    @Test("ends once when the end of the source races with the timeout")
    func race() {
        let scheduler = QueueScheduler()
        var outcomes: Set<[String]> = []
        for round in 0..<raceRounds {
            let ended = Latch("timeout race, round \(round)")
            let (source, input) = Source.pipe()
            let log = Log<String>()
            // Waits until the source is about to end.
            let isReady = Latch("timeout race, ready in round \(round)")
            scheduler.schedule { isReady.wait() }
            source.timeout(after: .zero, raising: .second, on: scheduler).observe { event in
                log.append(event.text)
                if event.isTerminating { ended.open() }
            }
            isReady.open()
            input.sendCompleted()
            ended.wait()
            outcomes.insert(log.all)
        }
        #expect(outcomes.isSubset(of: [["completed"], ["error second"]]))
    }

    @Test("adds an error to a signal that cannot fail")
    func infallible() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        let log = signal.timeout(after: .seconds(2), raising: TestError.second, on: scheduler).logged()
        input.sendNext(1)
        scheduler.advance(by: .seconds(2))
        expect(log.all, is: ["1", "error second"])
    }

    @Test("has the interval in its name")
    func name() {
        let result = Source.pipe().output.timeout(after: .seconds(5), raising: .first, on: TestScheduler())
        expect(result.name, is: "[pipe] -timeout(after: 5.0 seconds)")
    }

    @Test("traps when the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.never.timeout(after: .seconds(-1), raising: .first, on: QueueScheduler())
        }
        result.expectTrap("timeout(after: -1.0 seconds)")
        let promoted = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.timeout(after: .seconds(-2), raising: TestError.first, on: QueueScheduler())
        }
        promoted.expectTrap("timeout(after: -2.0 seconds)")
    }
}

@Suite("timeout(between:raising:on:)")
struct TimeoutBetweenTests {
    private func timed(_ diagram: String) -> [String] {
        timeline(of: diagram) { $0.timeout(between: .seconds(3), raising: .second, on: $1) }
            .map { $0.replacing(", on its sender's thread", with: "") }
    }

    @Test("fails when the first value or a later one is late")
    func fails() {
        expect(timed(""), is: ["error second at 3"])
        expect(timed("-1-2-3---4"), is: ["1 at 1", "2 at 3", "3 at 5", "error second at 8"])
    }

    @Test("fails when a terminal event is late, and forwards one that is in time")
    func ends() {
        expect(timed("1----|"), is: ["1 at 0", "error second at 3"])
        for (mark, text) in [("|", "completed"), ("X", "error first"), ("!", "interrupted")] {
            expect(timed("-1-" + mark), is: ["1 at 1", "\(text) at 3"])
        }
    }

    @Test("does not count the time for which the observer handles a value")
    func observerTime() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.timeout(between: .seconds(20), raising: .second, on: scheduler).observe { event in
            log.append("\(event.text) at \(scheduler.now.offset.components.seconds)")
            if event.value != nil { scheduler.advance(by: .seconds(40)) }
        }
        for value in 1...3 { input.sendNext(value) }
        scheduler.advance(by: .seconds(19))
        expect(log.all, is: ["1 at 0", "2 at 40", "3 at 80"])
        scheduler.advance(by: .seconds(1))
        expect(log.all.last, is: "error second at 140")
    }

    @Test("can be combined with a timeout for the whole signal")
    func composes() {
        expect(
            timeline(of: "1-2-3-4-5-6") {
                $0.timeout(between: .seconds(3), raising: .first, on: $1)
                    .timeout(after: .seconds(6), raising: .second, on: $1)
            }.last, is: "error second at 6")
    }

    @Test("adds an error to a signal that cannot fail")
    func promoted() {
        let scheduler = TestScheduler()
        let (source, input) = Signal<Int, Never>.pipe()
        let log = source.timeout(between: .seconds(3), raising: TestError.first, on: scheduler).logged()
        input.sendNext(1)
        scheduler.run()
        expect(log.all, is: ["1", "error first"])
        expect(scheduler.now.offset, is: .seconds(3))
        withExtendedLifetime(input) {}
    }

    @Test("traps when the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.timeout(between: .seconds(-1), raising: TestError.first, on: QueueScheduler())
        }
        result.expectTrap("timeout(between: -1.0 seconds)")
    }
}
