import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("replayLazily(upTo:)")
struct ReplayLazilyTests {
    @Test("does the work once, at the first start, and replays to later ones")
    func once() {
        let manual = Manual()
        let replay = manual.producer.replayLazily(upTo: 2)
        expect(manual.starts.value, is: 0)
        let first = replay.logged()
        expect(manual.starts.value, is: 1)
        for number in 1...3 { manual.input?.sendNext(number) }
        let second = replay.logged()
        manual.input?.sendNext(4)
        manual.input?.sendCompleted()
        let third = replay.logged()
        expect(first.all, is: ["1", "2", "3", "4", "completed"])
        expect(second.all, is: ["2", "3", "4", "completed"])
        expect(third.all, is: ["3", "4", "completed"])
        expect(manual.starts.value, is: 1)
        expect(manual.disposals.value, is: 1)
    }

    @Test("replays the end of synchronous work, also an error, and also with a capacity of zero")
    func synchronous() {
        let failing = Numbers([1, 2]).concat(Numbers(error: .first)).replayLazily(upTo: 0)
        expect(failing.logged().all, is: ["1", "2", "error first"])
        expect(failing.logged().all, is: ["error first"])
    }

    @Test("keeps the work without starts, and cancels it with the last start once the producer is released")
    func memory() {
        let manual = Manual()
        var replay: Numbers? = manual.producer.replayLazily(upTo: 1)
        let first = replay!.startLogged()
        let second = replay!.startLogged()
        first.disposable.dispose()
        second.disposable.dispose()
        expect(manual.disposals.value, is: 0, "the producer may be started again")
        let third = replay!.startLogged()
        expect(manual.starts.value, is: 1)
        replay = nil
        expect(manual.disposals.value, is: 0, "a start goes on")
        manual.input?.sendNext(1)
        expect(third.log.all, is: ["1"])
        third.disposable.dispose()
        expect(manual.disposals.value, is: 1)
        expect(third.log.all, is: ["1", "interrupted"])
        expect(first.log.all, is: ["interrupted"])
    }

    @Test("cancels the work when a start of a released producer ends")
    func released() {
        let manual = Manual()
        let log = Log<String>()
        manual.producer.replayLazily(upTo: 1).take(first: 1).start { log.append($0.text) }
        expect(manual.disposals.value, is: 0)
        manual.input?.sendNext(1)
        expect(log.all, is: ["1", "completed"])
        expect(manual.disposals.value, is: 1)
    }

    @Test("a start that finds all values does not wait for the observer of another one", .watched)
    func parallelReplays() {
        let replay = Numbers([1, 2]).replayLazily(upTo: 2)
        expect(replay.logged().all, is: ["1", "2", "completed"])
        let (entered, goOn) = (Latch("the slow observer"), Latch("to go on"))
        let slow = TestThread("slow") {
            replay.startWithResult { result in
                if result != .success(1) { return }
                entered.open()
                goOn.wait()
            }
        }
        entered.wait()
        expect(replay.logged().all, is: ["1", "2", "completed"])
        expect(replay.take(first: 1).logged().all, is: ["1", "completed"])
        goOn.open()
        slow.join()
    }

    @Test("sends the stored values until the observer disposes of its start")
    func disposedReplay() {
        let replay = Numbers([1, 2, 3]).replayLazily(upTo: 3)
        replay.start()
        let log = Log<String>()
        replay.startWithSignal { signal, disposable in
            signal.observe { event in
                log.append(event.text)
                if event.value == 2 { disposable.dispose() }
            }
        }
        expect(log.all, is: ["1", "2", "interrupted"])
    }

    @Test("releases everything")
    func leaks() {
        let population = Population()
        do {
            let member = population.member()
            let replay = Numbers { observer, lifetime in
                lifetime.observeEnded { member.touch() }
                observer.sendNext(1)
                observer.sendCompleted()
            }
            .replayLazily(upTo: 1)
            expect(replay.logged().all, is: ["1", "completed"])
        }
        expect(population.alive, is: 0)
    }

    @Test("eager does the work immediately")
    func eager() {
        let manual = Manual()
        let replay = manual.producer.replayEagerly()
        expect(manual.starts.value, is: 1)
        for number in 1...3 { manual.input?.sendNext(number) }
        let log = replay.logged()
        manual.input?.sendCompleted()
        expect(log.all, is: ["1", "2", "3", "completed"])
        expect(manual.starts.value, is: 1)
    }

    @Test("cancels eager work when the producer is released")
    func eagerReleased() {
        let manual = Manual()
        _ = manual.producer.replayEagerly(upTo: 1)
        expect(manual.disposals.value, is: 1)
    }

    @Test("traps when the capacity is negative")
    func negative() async throws {
        let lazy = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.replayLazily(upTo: -1)
        }
        lazy.expectTrap("replayLazily(upTo: -1)")
        let eager = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.replayEagerly(upTo: -1)
        }
        eager.expectTrap("replayEagerly(upTo: -1)")
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.replayLazily(upTo: 2).name, is: "[never] -replayLazily(upTo: 2)") }
}
