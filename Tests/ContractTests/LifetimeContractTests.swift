import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contract 11 of the design: how long signals live, and that nothing leaks.
@Suite("Lifetimes", .watched)
struct LifetimeContractTests {
    @Test("11: a signal lives while it is held, observed or not", arguments: Entry.table)
    func held(_ entry: Entry) {
        let (source, input) = Numbers.pipe()
        let result = entry.apply(source)
        for _ in 0..<2 { result.observe { _ in }?.dispose() }
        let recorder = result.recorded()
        for value in 1...9 { input.sendNext(value) }
        input.sendCompleted()
        recorder.ended.wait()
        #expect(entry.maySendNothing || !recorder.values.isEmpty)
        #expect(recorder.events.last == entry.endAfterFour)
    }

    @Test("11: a signal lives while it is observed, held or not", arguments: Entry.table)
    func observed(_ entry: Entry) {
        let (input, recorder) = {
            let (source, input) = Numbers.pipe()
            return (input, entry.apply(source.map { $0 }).recorded())
        }()
        for value in 1...9 { input.sendNext(value) }
        input.sendCompleted()
        recorder.ended.wait()
        #expect(entry.maySendNothing || !recorder.values.isEmpty)
        #expect(recorder.events.last == entry.endAfterFour)
    }

    @Test("11: a signal that is neither held nor observed ends silently", arguments: Entry.table)
    func forgotten(_ entry: Entry) {
        let census = Census()
        let (events, disposals) = (Count(), Count())
        let (source, input) = Numbers.pipe()
        do {
            let witness = census.witness()
            let result = entry.apply(source.on(disposed: { disposals.increment() }), witness)
                .on(event: { _ in events.increment() }, disposed: { disposals.increment() })
            let disposable = result.observe { _ in events.increment() }
            #expect(disposals.value == 0)
            disposable?.dispose()
        }
        #expect(disposals.value == 2)
        #expect(events.value == 0)
        #expect(census.alive == 0)
        // The source is held, and has not noticed.
        let recorder = source.recorded()
        input.sendNext(1)
        input.sendCompleted()
        #expect(recorder.events == [.next(1), .completed])
        #expect(events.value == 0)
    }

    @Test("11: one who has never been observed does not keep anything alive", arguments: Entry.table)
    func neverObserved(_ entry: Entry) {
        let census = Census()
        let (source, input) = Numbers.pipe()
        for _ in 0..<3 { _ = entry.apply(source, census.witness()) }
        #expect(census.alive == 0)
        withExtendedLifetime(input) {}
    }

    @Test("11: when the input is released its observers are interrupted, exactly once", arguments: Entry.table)
    func releasedInput(_ entry: Entry) {
        let (result, recorder) = {
            let (source, input) = Numbers.pipe()
            let result = entry.apply(source)
            let recorder = result.recorded()
            input.sendNext(1)
            return (result, recorder)
        }()
        recorder.ended.wait()
        #expect(recorder.terminals == 1)
        #expect(recorder.events.last == entry.interruption)
        #expect(recorder.violations == [])
        #expect(result.recorded().events == [.interrupted])
    }

    @Test("11: so they are if it is released in the middle of a delivery, by an observer", arguments: Entry.table)
    func inputReleasedInside(_ entry: Entry) {
        let box = Locked<Numbers.Observer?>(nil)
        let recorder = {
            let (source, input) = Numbers.pipe()
            box.withLock { $0 = input }
            source.observe { _ in
                let dropped = box.withLock { $0.take() }
                withExtendedLifetime(dropped) {}
            }
            return entry.apply(source).recorded()
        }()
        let send = { box.withLock { $0 }?.sendNext(1) }
        send()
        recorder.ended.wait()
        #expect(recorder.events.last == entry.interruption)
        #expect(recorder.terminals == 1)
        if entry.isTransparent { #expect(recorder.values == [1]) }
    }

    @Test("11: releasing handles, inputs and subscriptions races with sending, in 2,500 rounds", arguments: Entry.raced)
    func releaseRaces(_ entry: Entry) {
        let census = Census()
        withThreads(4) { threads in
            for round in 0..<manyRounds {
                let handle: Locked<Numbers?>
                let input: Locked<Numbers.Observer?>
                let subscription: Locked<(any Disposable)?>
                let recorder = Recorder()
                do {
                    let pipe = Numbers.pipe()
                    let result = entry.apply(pipe.output, census.witness())
                    let observe = { (witness: Witness) in
                        result.observe { witness.see(recorder.record($0)) }
                    }
                    subscription = Locked(observe(census.witness()))
                    handle = Locked(result)
                    input = Locked(pipe.input)
                }
                threads.race { thread in
                    switch thread {
                    case 0: withExtendedLifetime(handle.withLock { $0.take() }) {}
                    case 1: withExtendedLifetime(input.withLock { $0.take() }) {}
                    case 2 where round % 2 == 0: subscription.withLock { $0.take() }?.dispose()
                    default: input.withLock { $0 }?.sendNext(1)
                    }
                }
                #expect(recorder.violations == [])
                #expect(recorder.terminals == 1 || round % 2 == 0)
            }
        }
        #expect(census.alive == 0)
    }

    @Test("11: nothing leaks, however it ends", arguments: Entry.table)
    func leaks(_ entry: Entry) {
        for end in 0..<7 {
            let census = Census()
            do {
                let (source, input) = Numbers.pipe()
                let (before, after) = (census.witness(), census.witness())
                let result = entry.apply(source.on(next: { _ in before.see(()) }), census.witness())
                    .on(next: { _ in after.see(()) })
                let recorder = Recorder()
                let witness = census.witness()
                // Cycles that users make: the closure holds its own signal and its input.
                let disposable = result.observe { event in
                    witness.see(recorder.record(event))
                    withExtendedLifetime((result, end == 6 ? nil : input)) {}
                }
                for value in 0..<5 { input.sendNext(value) }
                switch end {
                case 0: input.sendCompleted()
                case 1: input.sendError(TestError())
                case 2: input.sendInterrupted()
                case 3: disposable?.dispose()
                case 4:
                    disposable?.dispose()
                    input.sendCompleted()
                case 5:
                    // From inside, with values behind it in the queue.
                    source.observe { event in
                        guard event.value == 5 else { return }
                        for value in 6..<9 { input.sendNext(value) }
                        input.sendCompleted()
                    }
                    input.sendNext(5)
                default: input.sendCompleted()
                }
                if ![3, 4].contains(end) { recorder.ended.wait() }
            }
            // A queue lets go of its last action a moment later.
            if entry.isAsynchronous { census.waitUntilEmpty() }
            #expect(census.alive == 0, "end \(end)")
        }
    }

    @Test("11: the values that operators hold go with their subscription, by disposal and by an error")
    func bufferedValues() {
        typealias Source = Signal<Witness, TestError>
        let operators: [(name: String, apply: @Sendable ([Source]) -> Numbers)] = [
            ("zip", { Signal.zip($0).map(\.count) }), ("zip of two", { Signal.zip($0[0], $0[1]).map { _ in 1 } }),
            ("zip of three", { Signal.zip($0[0], $0[1], $0[2]).map { _ in 1 } }),
            ("combineLatest", { Signal.combineLatest($0).map(\.count) }),
            ("combineLatest of two", { Signal.combineLatest($0[0], $0[1]).map { _ in 1 } }),
            ("combineLatest of three", { Signal.combineLatest($0[0], $0[1], $0[2]).map { _ in 1 } }),
            ("collect", { $0[0].collect().map(\.count) }),
            ("collect(count:)", { $0[0].collect(count: 9).map(\.count) }),
            ("combinePrevious", { $0[0].combinePrevious().map { _ in 1 } }),
            ("skipRepeats", { $0[0].skipRepeats { $0 === $1 }.map { _ in 1 } }),
        ]
        for (name, apply) in operators {
            for fails in [false, true] {
                let census = Census()
                let pipes = (0..<3).map { _ in Source.pipe() }
                let disposable = apply(pipes.map(\.output)).observe { _ in }
                for _ in 0..<3 { pipes[0].input.sendNext(census.witness()) }
                #expect(census.alive > 0, "\(name)")
                if fails { pipes[0].input.sendError(TestError()) } else { disposable?.dispose() }
                #expect(census.alive == 0, "\(name)")
                withExtendedLifetime(pipes) {}
            }
        }
    }

    @Test("11: so do those that wait for a scheduler")
    func scheduledValues() {
        let census = Census()
        let (source, input) = Signal<Witness, TestError>.pipe()
        // Nobody advances it.
        let scheduler = TestScheduler()
        let disposable = source.observe(on: scheduler).observe { _ in }
        for _ in 0..<3 { input.sendNext(census.witness()) }
        #expect(census.alive == 3)
        disposable?.dispose()
        #expect(census.alive == 0)
        withExtendedLifetime(scheduler) {}
    }
}
