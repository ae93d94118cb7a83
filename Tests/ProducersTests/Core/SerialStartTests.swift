import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

// The behavior that all operators share that start producers one after another, such as `concat`, `then`, `retry` and
// `repeat`.
@Suite("SerialStart")
struct SerialStartTests {
    /// An operator that takes steps until a last one.
    private enum Stepping: String, CaseIterable, Sendable {
        case concat, concatProducers, then, prefix, retry, repeats, repeatForever, flatMapError

        /// Runs the source twice. The source ends in the way that makes the operator continue.
        func apply(_ make: @escaping @Sendable (Event<Int, TestError>) -> Numbers) -> Numbers {
            switch self {
            case .concat: make(.completed).concat(make(.completed))
            case .concatProducers: Numbers.concat(make(.completed), make(.completed))
            case .then: make(.completed).then(make(.completed))
            case .prefix: make(.completed).prefix(make(.completed))
            case .retry: make(.error(.first)).retry(upTo: 1)
            case .repeats: make(.completed).repeat(2)
            case .repeatForever: make(.completed).repeatForever()
            case .flatMapError: make(.error(.first)).flatMapError { _ in make(.error(.first)) }
            }
        }
    }

    @Test("releases the resources of a step before the next step begins", arguments: Stepping.allCases)
    private func releasesSteps(stepping: Stepping) {
        let log = Log<String>()
        let steps = Counter()
        let inputs = Log<Signal<Int, TestError>.Observer>()
        let producer = stepping.apply { _ in
            Numbers { observer, lifetime in
                let step = steps.increment()
                log.append("begin \(step)")
                inputs.append(observer)
                lifetime.observeEnded { log.append("end \(step)") }
            }.on(disposed: { log.append("disposed \(steps.value)") })
        }
        let disposable = producer.start { log.append($0.text) }
        let goesOn: Event<Int, TestError> = [.retry, .flatMapError].contains(stepping) ? .error(.first) : .completed
        inputs.all[0].send(goesOn)
        expect(log.all, is: ["begin 1", "disposed 1", "end 1", "begin 2"])
        disposable.dispose()
        expect(log.all, is: ["begin 1", "disposed 1", "end 1", "begin 2", "interrupted", "disposed 2", "end 2"])
    }

    @Test("a lifetime that code keeps is not that of a later step", arguments: [true, false])
    func keptLifetimes(isKept: Bool) {
        let lifetimes = Log<Lifetime>()
        let ends = Log<Int>()
        let steps = Counter()
        let log = Numbers { observer, lifetime in
            let step = steps.increment()
            if isKept { lifetimes.append(lifetime) }
            #expect(!lifetime.hasEnded)
            lifetime.observeEnded { ends.append(step) }
            observer.sendNext(step)
            observer.sendCompleted()
        }.on(disposed: { ends.append(0) }).repeat(3).startLogged().log
        expect(log.all, is: ["1", "2", "3", "completed"])
        expect(ends.all, is: [0, 1, 0, 2, 0, 3])
        expect(Set(lifetimes.all.map(ObjectIdentifier.init)).count, is: isKept ? 3 : 0)
        expect(lifetimes.all.filter { !$0.hasEnded }.count, is: 0)
    }

    @Test("an observer that code keeps sends nothing into a later step")
    func keptObservers() {
        let inputs = Log<Signal<Int, TestError>.Observer>()
        let log = Numbers { observer, _ in
            for (number, input) in inputs.all.enumerated() {
                input.sendNext(-number)
                input.sendCompleted()
            }
            inputs.append(observer)
            observer.sendNext(inputs.count)
            observer.sendCompleted()
        }.repeat(3).startLogged().log
        expect(log.all, is: ["1", "2", "3", "completed"])
    }

    @Test("disposal reaches the running step, and no step follows", arguments: Stepping.allCases)
    private func disposal(stepping: Stepping) {
        for step in 1...2 {
            let steps = Counter()
            let ends = Counter()
            let inputs = Log<Signal<Int, TestError>.Observer>()
            let producer = stepping.apply { _ in
                Numbers { observer, lifetime in
                    steps.increment()
                    inputs.append(observer)
                    lifetime.observeEnded { ends.increment() }
                }
            }
            let goesOn: Event<Int, TestError> =
                [.retry, .flatMapError].contains(stepping) ? .error(.first) : .completed
            let start = producer.startLogged()
            if step == 2 { inputs.all[0].send(goesOn) }
            start.disposable.dispose()
            for input in inputs.all {
                input.sendNext(1)
                input.send(goesOn)
            }
            expect(start.log.all, is: ["interrupted"])
            expect(steps.value, is: step)
            expect(ends.value, is: step)
        }
    }

    @Test(
        "disposal during the delivery of a step's terminal event prevents the next step", arguments: Stepping.allCases)
    private func betweenSteps(stepping: Stepping) {
        for synchronous in [true, false] {
            let steps = Counter()
            let inputs = Log<Signal<Int, TestError>.Observer>()
            let disposables = Log<any Disposable>()
            let log = Log<String>()
            let producer = stepping.apply { terminal in
                Numbers { observer, _ in
                    steps.increment()
                    inputs.append(observer)
                    if synchronous { observer.send(terminal) }
                }.on(terminated: { disposables.all[0].dispose() })
            }
            producer.startWithSignal { signal, disposable in
                disposables.append(disposable)
                signal.observe { log.append($0.text) }
                return
            }
            if !synchronous {
                inputs.all[0].send([.retry, .flatMapError].contains(stepping) ? .error(.first) : .completed)
            }
            expect(log.all, is: ["interrupted"])
            expect(steps.value, is: 1)
        }
    }

    @Test("interrupts once and cancels every step it began when disposal races with the end of a step")
    func race() {
        for stepping in Stepping.allCases {
            for _ in 0..<100 {
                let balance = Locked(0)
                let inputs = Log<Signal<Int, TestError>.Observer>()
                let producer = stepping.apply { _ in
                    Numbers { observer, lifetime in
                        balance.withLock { $0 += 1 }
                        inputs.append(observer)
                        lifetime.observeEnded { balance.withLock { $0 -= 1 } }
                    }
                }
                let start = producer.startLogged()
                let input = inputs.all[0]
                onThreads(2, "ends") { index in
                    if index == 0 {
                        start.disposable.dispose()
                    } else {
                        input.send([.retry, .flatMapError].contains(stepping) ? .error(.first) : .completed)
                    }
                }
                expect(start.log.all, is: ["interrupted"])
                expect(balance.withLock { $0 }, is: 0)
                inputs.removeAll()
            }
        }
    }

    @Test("holds nothing once it has ended or been disposed of", arguments: Stepping.allCases)
    private func releases(stepping: Stepping) {
        for synchronous in [true, false] {
            // The start would not return.
            if stepping == .repeatForever, synchronous { continue }
            let (observers, operators) = (Population(), Population())
            let inputs = Log<Signal<Int, TestError>.Observer>()
            var disposable: (any Disposable)?
            do {
                let (observer, work) = (observers.member(), operators.member())
                disposable = stepping.apply { terminal in
                    Numbers { observer, _ in
                        work.touch()
                        if synchronous { observer.send(terminal) } else { inputs.append(observer) }
                    }
                }.start { _ in observer.touch() }
            }
            if !synchronous { disposable?.dispose() }
            inputs.removeAll()
            let way = synchronous ? "after an end in the start" : "after disposal"
            expect(observers.alive, is: 0, "the observer, \(way), while the disposable is held")
            disposable = nil
            expect(observers.alive, is: 0, "the observer, \(way)")
            expect(operators.alive, is: 0, "the work, \(way)")
        }
    }

    @Test("begins a step on the thread on which the previous one ended")
    func threads() {
        let log = Log<Bool>()
        let thread = Locked<UInt>(0)
        let manual = Manual()
        manual.producer.concat(
            Numbers { observer, _ in
                log.append(ThreadIdentity.current == thread.withLock { $0 })
                observer.sendCompleted()
            }
        ).start()
        let input = manual.input
        TestThread("ending") {
            thread.withLock { $0 = ThreadIdentity.current }
            input?.sendCompleted()
        }.join()
        expect(log.all, is: [true])
    }

    @Test("continues on the scheduler when the scheduled action runs before `schedule` returns")
    func hasty() {
        let scheduler = HastyScheduler()
        let places = Log<Bool>()
        let work = Numbers { observer, _ in
            places.append(CurrentScheduler.value === scheduler)
            observer.sendError(.first)
        }
        expect(work.retry(upTo: 1, interval: .zero, on: scheduler).logged().all, is: ["error first"])
        expect(places.all, is: [false, true])
    }

    @Test("a timer that fires before `schedule` returns does not replace the next timer")
    func overtakenTimer() {
        let scheduler = OvertakingScheduler(overtaken: 1)
        let start = Numbers(error: .first).retry(upTo: 9, interval: .seconds(1), on: scheduler).startLogged()
        expect(scheduler.timers.count, is: 2)
        start.disposable.dispose()
        expect(start.log.all, is: ["interrupted"])
        expect(scheduler.pending, is: 0)
    }

    @Test("disposal stops the last timer after several that fired before `schedule` returned")
    func severalOvertakenTimers() {
        let scheduler = OvertakingScheduler(overtaken: 5)
        let start = Numbers(error: .first).retry(upTo: 9, interval: .seconds(1), on: scheduler).startLogged()
        expect(scheduler.timers.count, is: 6)
        start.disposable.dispose()
        expect(scheduler.pending, is: 0)
        scheduler.fireAll()
        expect(scheduler.timers.count, is: 6)
        expect(start.log.all, is: ["interrupted"])
    }

    @Test("disposal during `schedule` stops the timer that it returns", arguments: [0, 1, 3])
    func disposedWhileScheduling(overtaken: Int) {
        let disposable = SerialDisposable()
        let scheduler = OvertakingScheduler(overtaken: overtaken) { count in
            if count > overtaken { disposable.dispose() }
        }
        let log = Log<String>()
        let producer = Numbers(error: .first).retry(upTo: 9, interval: .seconds(1), on: scheduler)
        producer.startWithSignal { signal, interrupter in
            disposable.inner = interrupter
            signal.observe { log.append($0.text) }
        }
        expect(scheduler.timers.count, is: overtaken + 1)
        expect(scheduler.pending, is: 0)
        expect(log.all, is: ["interrupted"])
    }

    @Test("leaves no timer behind when timers that fire immediately race with disposal", .watched)
    func timerRace() {
        for _ in 0..<raceRounds {
            let scheduler = OvertakingScheduler(overtaken: 0)
            let producer = Numbers(error: .first).retry(upTo: 20, interval: .seconds(1), on: scheduler)
            let log = Log<String>()
            let disposable = SerialDisposable()
            onThreads(2, "timers") { index in
                if index == 0 {
                    disposable.inner = producer.start { log.append($0.text) }
                    disposable.dispose()
                } else {
                    while !disposable.isDisposed { scheduler.fireAll() }
                }
            }
            expect(scheduler.pending, is: 0)
            expect(log.count, is: 1)
        }
    }
}
