import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("share(replay:while:)")
struct ShareTests {
    @Test("does the work again after the last start has been disposed of")
    func observed() {
        let manual = Manual()
        let shared = manual.producer.share(replay: 1, while: .observed)
        let (first, second) = (shared.startLogged(), shared.startLogged())
        expect(manual.starts.value, is: 1)
        manual.input?.sendNext(1)
        let third = shared.startLogged()
        expect(third.log.all, is: ["1"])
        for start in [first, second] { start.disposable.dispose() }
        expect(manual.disposals.value, is: 0)
        third.disposable.dispose()
        expect(manual.disposals.value, is: 1)
        let fourth = shared.startLogged()
        expect(manual.starts.value, is: 2)
        expect(fourth.log.all, is: [])
        manual.input?.sendCompleted()
        expect(fourth.log.all, is: ["completed"])
        expect(manual.disposals.value, is: 2)
        shared.startLogged().disposable.dispose()
        expect(manual.starts.value, is: 3)
        expect(manual.disposals.value, is: 3)
    }

    @Test("does synchronous work for each start, as the previous one has ended")
    func synchronous() {
        let starts = Counter()
        let shared = SignalProducer<Int, Never>.deferred { SignalProducer(value: starts.increment()) }
            .share(while: .observed)
        expect(shared.logged().all, is: ["1", "completed"])
        expect(shared.logged().all, is: ["2", "completed"])
    }

    @Test("does the work once when shared forever")
    func forever() {
        let manual = Manual()
        let shared = manual.producer.share(replay: 2, while: .forever)
        let first = shared.startLogged()
        for number in 1...3 { manual.input?.sendNext(number) }
        first.disposable.dispose()
        expect(manual.disposals.value, is: 0)
        let second = shared.logged()
        manual.input?.sendCompleted()
        expect(second.all, is: ["2", "3", "completed"])
        expect(manual.starts.value, is: 1)
    }

    @Test("gives all starts the same work as long as one of them wants it, whatever threads start and dispose")
    func threads() {
        // A disposal that finds the work's gate taken leaves the cancellation to another thread. So how many works run
        // says nothing, but no two of them may have starts that want them.
        let (works, running, tooMany) = (Counter(), Locked(0), Counter())
        let wanted = Locked<[Int: Int]>([:])
        let producer = Numbers { observer, lifetime in
            running.withLock { $0 += 1 }
            lifetime.observeEnded { running.withLock { $0 -= 1 } }
            observer.sendNext(works.increment())
            lifetime.observeEnded { observer.sendInterrupted() }
        }
        let shared = producer.share(replay: 1, while: .observed)
        let threads = (0..<4).map { index in
            TestThread("starter \(index)") {
                for _ in 0..<500 {
                    let place = Locked<(work: Int?, hasLeft: Bool)>((nil, false))
                    let start = shared.start { event in
                        guard let work = event.value else { return }
                        place.withLock { place in
                            if place.hasLeft { return }
                            place.work = work
                            let isSecond = wanted.withLock { wanted in
                                wanted[work, default: 0] += 1
                                return wanted.count > 1
                            }
                            if isSecond { tooMany.increment() }
                        }
                    }
                    place.withLock { place in
                        place.hasLeft = true
                        guard let work = place.work else { return }
                        wanted.withLock { wanted in
                            wanted[work] = wanted[work].flatMap { $0 > 1 ? $0 - 1 : nil }
                        }
                    }
                    start.dispose()
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(becomesTrue { running.withLock { $0 } == 0 })
        expect(tooMany.value, is: 0)
        #expect(works.value > 0)
    }

    @Test("traps when the capacity is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.share(replay: -1, while: .observed)
        }
        result.expectTrap("share(replay: -1)")
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.share(while: .observed).name, is: "[never] -share") }

    @Test("stops synchronous work when the last start ends")
    func leftDuringTheStart() {
        let numbers = CountedNumbers()
        let shared = Numbers(numbers).share(while: .observed)
        expect(shared.take(first: 3).logged().all, is: ["0", "1", "2", "completed"])
        expect(numbers.asked.value, is: 3)
    }

    @Test("does the work again for a start made while its end is still being delivered")
    func startedAtTheEnd() {
        let manual = Manual()
        let shared = manual.producer.share(replay: 1, while: .observed)
        let logs = (0..<2).map { _ in shared.retry(upTo: 1).logged() }
        manual.input?.sendNext(1)
        manual.input?.sendError(.first)
        expect(manual.starts.value, is: 2)
        manual.input?.sendNext(2)
        manual.input?.sendError(.second)
        for log in logs { expect(log.all, is: ["1", "2", "error second"]) }
        expect(manual.starts.value, is: 2)
        expect(manual.disposals.value, is: 2)
    }

    @Test("does the work again for a shared producer that is shared twice")
    func nested() {
        let manual = Manual()
        let log = manual.producer.share(while: .observed).share(while: .observed).repeat(2).logged()
        manual.input?.sendCompleted()
        expect(manual.starts.value, is: 2)
        manual.input?.sendNext(2)
        manual.input?.sendCompleted()
        expect(log.all, is: ["2", "completed"])
    }
}
