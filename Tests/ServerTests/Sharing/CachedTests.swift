import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("cached(for:on:) and cached(until:)")
struct CachedTests {
    @Test("does the work once, and again after its values have expired")
    func expires() {
        let clock = TestScheduler()
        let manual = Manual()
        let cached = manual.producer.cached(for: .seconds(10), on: clock)
        let first = cached.logged()
        manual.input?.sendNext(1)
        clock.advance(by: .seconds(50))
        let second = cached.logged()
        manual.input?.sendNext(2)
        manual.input?.sendCompleted()
        for log in [first, second, cached.logged()] { expect(log.all, is: ["1", "2", "completed"]) }
        expect(manual.starts.value, is: 1)
        clock.advance(by: .seconds(10))
        expect(cached.logged().all, is: [])
        expect(manual.starts.value, is: 2)
        manual.release()
    }

    @Test("keeps values for the longest duration")
    func longest() {
        let clock = TestScheduler()
        let starts = Counter()
        let cached = Numbers.deferred {
            starts.increment()
            return Numbers(value: 1)
        }.delay(.seconds(1), on: clock).cached(for: Duration(attoseconds: .max), on: clock)
        let first = cached.logged()
        clock.advance(by: .seconds(1_000_000_000))
        for log in [first, cached.logged()] { expect(log.all, is: ["1", "completed"]) }
        expect(starts.value, is: 1)
    }

    @Test("caches an error only if asked to, and never an interruption")
    func errors() {
        for keepsErrors in [false, true] {
            let clock = TestScheduler()
            let starts = Counter()
            let cached = Numbers.deferred {
                starts.increment()
                return Numbers(error: .first)
            }.cached(for: .seconds(1), on: clock, keepsErrors: keepsErrors)
            for _ in 0..<3 { expect(cached.logged().all, is: ["error first"]) }
            expect(starts.value, is: keepsErrors ? 1 : 3)
            clock.advance(by: .seconds(1))
            expect(cached.logged().all, is: ["error first"])
            expect(starts.value, is: keepsErrors ? 2 : 4)
        }
        let interruptions = Counter()
        let interrupted = Numbers { observer, _ in
            interruptions.increment()
            observer.sendInterrupted()
        }.cached(for: .seconds(1), on: TestScheduler(), keepsErrors: true)
        for _ in 0..<2 { expect(interrupted.logged().all, is: ["interrupted"]) }
        expect(interruptions.value, is: 2)
    }

    @Test("cancels the work when all waiting starts have been disposed of")
    func cancels() {
        let manual = Manual()
        let cached = manual.producer.cached(for: .seconds(10), on: TestScheduler())
        let starts = (0..<3).map { _ in cached.startLogged() }
        for start in starts.dropLast() { start.disposable.dispose() }
        expect(manual.disposals.value, is: 0)
        starts[2].disposable.dispose()
        expect(manual.disposals.value, is: 1)
        for start in starts { expect(start.log.all, is: ["interrupted"]) }
        cached.start()
        expect(manual.starts.value, is: 2)
        manual.release()
    }

    @Test("keeps the values until the trigger sends or completes")
    func trigger() {
        for completes in [false, true] {
            let (trigger, manual) = (Trigger(), Manual())
            let cached = manual.producer.cached(until: trigger.producer)
            cached.start()
            cached.start()
            expect(trigger.starts.value, is: 1)
            manual.input?.sendNext(1)
            manual.input?.sendCompleted()
            expect(cached.logged().all, is: ["1", "completed"])
            expect(trigger.disposals.value, is: 0)
            if completes { trigger.input?.sendCompleted() } else { trigger.input?.sendNext(0) }
            expect(trigger.disposals.value, is: 1)
            cached.start()
            expect(manual.starts.value, is: 2)
            expect(trigger.starts.value, is: 2)
            manual.release()
            trigger.release()
        }
    }

    @Test("begins the work when the trigger has been started, for all starts that come before")
    func slowTrigger() {
        let (changes, change) = Signal<Void, Never>.pipe()
        let value = Locked("old")
        let (isStarting, mayStart) = (Latch("the trigger"), Latch("to start it"))
        let trigger = SignalProducer<Void, Never>.deferred {
            isStarting.open()
            mayStart.wait()
            return changes.producer
        }
        let cached = SignalProducer<String, Never>.deferred { SignalProducer(value: value.withLock { $0 }) }
            .cached(until: trigger)
        let former = Log<String>()
        let first = TestThread("first") { cached.start { former.append($0.text) } }
        isStarting.wait()
        let latter = cached.logged()
        expect(latter.all, is: [])
        // Nobody observes it yet, so the work must not have begun.
        value.withLock { $0 = "new" }
        change.sendNext()
        mayStart.open()
        first.join()
        let expected = ["new", "completed"]
        for log in [former, latter, cached.logged()] { expect(log.all, is: expected) }
        value.withLock { $0 = "newest" }
        change.sendNext()
        expect(cached.logged().all, is: ["newest", "completed"])
    }

    @Test("begins the work for other starts if the one that starts the trigger is disposed of meanwhile")
    func disposedOfInTrigger() {
        let work = Manual()
        let starting = Locked<(any Disposable)?>(nil)
        let others = Log<String>()
        let cached = Locked<Numbers?>(nil)
        let trigger = SignalProducer<Int, Never>.deferred {
            cached.withLock { $0 }?.start { others.append($0.text) }
            starting.withLock { $0.take() }?.dispose()
            return .never
        }
        cached.withLock { $0 = work.producer.cached(until: trigger) }
        let first = Log<String>()
        let source = cached.withLock { $0 }
        source?.on(started: {}).startWithSignal { signal, interrupter in
            starting.withLock { $0 = interrupter }
            signal.observe { first.append($0.text) }
        }
        expect(first.all, is: ["interrupted"])
        expect(work.starts.value, is: 1)
        work.input?.sendNext(1)
        work.input?.sendCompleted()
        expect(others.all, is: ["1", "completed"])
        cached.withLock { $0 = nil }
        work.release()
    }

    @Test("work in progress when the trigger fires still serves its waiting starts, and no others")
    func triggerDuringWork() {
        let (changes, change) = Signal<Void, Never>.pipe()
        let inputs = Log<Signal<Int, TestError>.Observer>()
        let cached = Numbers { observer, _ in inputs.append(observer) }.cached(until: changes)
        let former = cached.logged()
        change.sendNext()
        let latter = cached.logged()
        expect(inputs.count, is: 2)
        for (index, input) in inputs.all.enumerated() {
            input.sendNext(index)
            input.sendCompleted()
        }
        expect(former.all, is: ["0", "completed"])
        expect(latter.all, is: ["1", "completed"])
        expect(cached.logged().all, is: ["1", "completed"])
        inputs.removeAll()
    }

    @Test("handles a trigger that fires immediately or is interrupted, and disposes of the trigger with the work")
    func triggers() {
        let starts = Counter()
        let work = Numbers.deferred { Numbers(value: starts.increment()) }
        let uncached = work.cached(until: SignalProducer<Int, Never>(value: 1))
        for number in 1...2 { expect(uncached.logged().all, is: ["\(number)", "completed"]) }
        let forever = work.cached(until: SignalProducer<Int, Never> { observer, _ in observer.sendInterrupted() })
        for _ in 0..<2 { expect(forever.logged().all, is: ["3", "completed"]) }
        let trigger = Trigger()
        Numbers(error: .first).cached(until: trigger.producer).start()
        expect(trigger.disposals.value, is: 1)
        let disposed = Numbers.never.cached(until: trigger.producer).start()
        expect(trigger.disposals.value, is: 1)
        disposed.dispose()
        expect(trigger.disposals.value, is: 2)
        trigger.release()
    }

    @Test("releases the values when they expire, and everything with the producer")
    func releases() {
        let population = Population()
        let (clock, trigger) = (TestScheduler(), Trigger())
        let work = SignalProducer<Population.Member, Never>.deferred { SignalProducer(value: population.member()) }
        do {
            let timed = work.cached(for: .seconds(5), on: clock)
            let triggered = work.cached(until: trigger.producer)
            timed.start()
            triggered.start()
            expect(population.alive, is: 2)
            clock.advance(by: .seconds(5))
            expect(population.alive, is: 1)
            timed.start()
            expect(population.alive, is: 2)
        }
        expect(population.alive, is: 0)
        expect(trigger.disposals.value, is: 1)
        trigger.release()
    }

    @Test("interrupts on disposal, and has the operator's name")
    func common() {
        expectInterrupts { $0.cached(for: .seconds(1), on: TestScheduler()) }
        let clock = TestScheduler()
        expect(Numbers.never.cached(for: .seconds(5), on: clock).name, is: "[never] -cached(for: 5.0 seconds)")
        expect(Numbers.never.cached(until: Trigger().producer).name, is: "[never] -cached(until:)")
    }
}
