import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("share(replay:while: .observed(grace:on:))")
struct ShareGraceTests {
    @Test("continues the work during the grace period, and a new start within it joins the work")
    func joins() {
        let (clock, manual) = (TestScheduler(), Manual())
        let shared = manual.producer.share(replay: 1, while: .observed(grace: .seconds(5), on: clock))
        shared.startLogged().disposable.dispose()
        clock.advance(by: .seconds(4))
        manual.input?.sendNext(1)
        let second = shared.startLogged()
        expect(second.log.all, is: ["1"])
        clock.advance(by: .seconds(60))
        manual.input?.sendNext(2)
        expect(second.log.all, is: ["1", "2"])
        second.disposable.dispose()
        clock.advance(by: .seconds(4))
        expect(manual.disposals.value, is: 0)
        clock.advance(by: .seconds(1))
        expect(manual.disposals.value, is: 1)
        expect(manual.starts.value, is: 1)
        expect(shared.logged().all, is: [])
        expect(manual.starts.value, is: 2)
        manual.release()
    }

    @Test("restarts the grace period with each last disposal, and leaves nothing scheduled")
    func timers() {
        let (clock, manual) = (ScriptedClock(), Manual())
        let shared = manual.producer.share(while: .observed(grace: .seconds(5), on: clock))
        let first = shared.start()
        let second = shared.start()
        first.dispose()
        expect(clock.delays, is: [])
        second.dispose()
        expect(clock.delays, is: [.seconds(5)])
        let third = shared.start()
        expect(clock.delays, is: [])
        third.dispose()
        expect(clock.delays, is: [.seconds(5)])
        manual.input?.sendCompleted()
        expect(clock.delays, is: [])
        expect(manual.starts.value, is: 1)
        manual.release()
    }

    @Test("does work that has ended again, without keeping its values", arguments: [false, true])
    func ends(isWithinGrace: Bool) {
        let (clock, manual) = (TestScheduler(), Manual())
        let shared = manual.producer.share(
            replay: 2, while: .observed(grace: .seconds(5), expiry: .seconds(5), on: clock))
        let first = shared.startLogged()
        manual.input?.sendNext(1)
        if isWithinGrace { first.disposable.dispose() }
        manual.input?.sendCompleted()
        expect(first.log.all, is: ["1", isWithinGrace ? "interrupted" : "completed"])
        expect(shared.logged().all, is: [])
        expect(manual.starts.value, is: 2)
        manual.release()
    }

    @Test("keeps the values after the work has been cancelled until they expire")
    func expiry() {
        let (clock, manual) = (TestScheduler(), Manual())
        let shared = manual.producer.share(
            replay: 2, while: .observed(grace: .seconds(1), expiry: .seconds(5), on: clock))
        let first = shared.start()
        for number in 1...3 { manual.input?.sendNext(number) }
        first.dispose()
        clock.advance(by: .seconds(5))
        expect(manual.disposals.value, is: 1)
        let second = shared.startLogged()
        expect(second.log.all, is: ["2", "3"])
        expect(manual.starts.value, is: 2)
        manual.input?.sendNext(4)
        let third = shared.startLogged()
        expect(third.log.all, is: ["3", "4"])
        for start in [second, third] { start.disposable.dispose() }
        clock.advance(by: .milliseconds(5_999))
        expect(shared.take(first: 1).logged().all, is: ["3", "completed"])
        clock.advance(by: .seconds(6))
        expect(shared.logged().all, is: [])
        manual.release()
    }

    @Test("starts that end with the stored values do not keep these longer", arguments: [0, 2])
    func pollers(grace: Int) {
        let (clock, manual) = (TestScheduler(), Manual())
        let shared = manual.producer.share(
            replay: 1, while: .observed(grace: .seconds(grace), expiry: .seconds(5), on: clock))
        let first = shared.start()
        manual.input?.sendNext(1)
        first.dispose()
        clock.advance(by: .seconds(grace))
        for _ in 0..<4 {
            clock.advance(by: .seconds(1))
            expect(shared.take(first: 1).logged().all, is: ["1", "completed"])
        }
        expect(manual.starts.value, is: 1)
        clock.advance(by: .seconds(1))
        let second = shared.take(first: 1).startLogged()
        expect(second.log.all, is: [])
        expect(manual.starts.value, is: 2)
        manual.input?.sendNext(2)
        expect(second.log.all, is: ["2", "completed"])
        clock.run()
        expect(shared.logged().all, is: [])
        expect(manual.starts.value, is: 3)
        manual.release()
    }

    @Test("the expiry drops no value of work that is beginning")
    func beginsMeanwhile() {
        let (clock, starts) = (TestScheduler(), Counter())
        let shared = Numbers { observer, lifetime in
            starts.increment()
            observer.sendNext(starts.value)
            if starts.value == 2 { clock.advance(by: .seconds(5)) }
            lifetime.observeEnded { withExtendedLifetime(observer) {} }
        }.share(replay: 1, while: .observed(grace: .seconds(1), expiry: .seconds(5), on: clock))
        shared.start().dispose()
        for expected in [["1", "2"], ["2", "3"]] {
            clock.advance(by: .seconds(1))
            let start = shared.startLogged()
            expect(start.log.all, is: expected)
            start.disposable.dispose()
        }
        clock.run()
    }

    @Test("stored values expire also while a start takes them over")
    func expiresMeanwhile() {
        let (clock, manual) = (TestScheduler(), Manual())
        let shared = manual.producer.share(
            replay: 1, while: .observed(grace: .seconds(2), expiry: .seconds(5), on: clock))
        let first = shared.start()
        manual.input?.sendNext(1)
        first.dispose()
        clock.advance(by: .seconds(2))
        shared.take(first: 1).start { event in
            if case .next = event { clock.advance(by: .seconds(5)) }
        }
        expect(manual.starts.value, is: 1)
        let second = shared.startLogged()
        expect(second.log.all, is: [])
        expect(manual.starts.value, is: 2)
        second.disposable.dispose()
        clock.run()
        manual.release()
    }

    @Test("a grace of zero lasts until the scheduler's next action")
    func zero() {
        let (clock, manual) = (TestScheduler(), Manual())
        let shared = manual.producer.share(while: .observed(grace: .zero, on: clock))
        shared.start().dispose()
        shared.start().dispose()
        expect(manual.starts.value, is: 1)
        clock.advance()
        expect(manual.disposals.value, is: 1)
        manual.release()
    }

    @Test("releases the work and the values in time, even if the producer is no longer held")
    func releases() {
        let population = Population()
        let clock = TestScheduler()
        let inputs = Log<Signal<Population.Member, Never>.Observer>()
        do {
            let shared = SignalProducer<Population.Member, Never> { observer, _ in inputs.append(observer) }
                .share(replay: 1, while: .observed(grace: .seconds(1), expiry: .seconds(1), on: clock))
            let start = shared.start()
            inputs.all.first?.sendNext(population.member())
            start.dispose()
        }
        expect(population.alive, is: 1)
        clock.run()
        expect(population.alive, is: 0)
        expect(clock.now.offset, is: .seconds(2))
        inputs.removeAll()
    }

    @Test("leaves no work running when starts and the end of the grace period race", .watched)
    func threads() {
        let clock = ScriptedClock()
        let (begun, ended) = (Counter(), Counter())
        let shared = Numbers { observer, lifetime in
            begun.increment()
            lifetime.observeEnded {
                ended.increment()
                observer.sendInterrupted()
            }
            observer.sendNext(1)
        }.share(replay: 1, while: .observed(grace: .seconds(1), expiry: .seconds(1), on: clock))
        let rounds = 4 * raceRounds
        let ends = Counter()
        onThreads(3, "shares") { thread in
            for _ in 0..<rounds {
                if thread == 0 {
                    clock.runScheduled()
                } else {
                    shared.start { if $0.isTerminating { ends.increment() } }.dispose()
                }
            }
        }
        #expect(
            becomesTrue {
                clock.runScheduled()
                return ended.value == begun.value && ends.value == 2 * rounds
            })
        // Only expiry timers are left. They retain the values that they release.
        clock.runScheduled()
    }

    @Test("traps on negative durations")
    func traps() async throws {
        let grace = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SharingPeriod.observed(grace: .seconds(-1), on: TestScheduler())
        }
        grace.expectTrap("observed(grace: -1.0 seconds): the grace must not be negative")
        let expiry = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SharingPeriod.observed(grace: .zero, expiry: .seconds(-1), on: TestScheduler())
        }
        expiry.expectTrap("observed(expiry: -1.0 seconds): the expiry must not be negative")
    }
}
