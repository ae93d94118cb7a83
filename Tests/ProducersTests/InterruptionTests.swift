import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// An operator that takes a scheduler and delivers all its events there.
private struct Scheduled: Sendable, CustomTestStringConvertible {
    typealias Hot = Signal<Int, TestError>

    let testDescription: String
    let onSignals: @Sendable (Hot, any DelayScheduler) -> Hot
    let onProducers: @Sendable (Numbers, any DelayScheduler) -> Numbers

    init(
        _ name: String, _ onSignals: @escaping @Sendable (Hot, any DelayScheduler) -> Hot,
        _ onProducers: @escaping @Sendable (Numbers, any DelayScheduler) -> Numbers
    ) {
        testDescription = name
        self.onSignals = onSignals
        self.onProducers = onProducers
    }

    private static let long = Duration.seconds(60)

    static let all: [Scheduled] = [
        Scheduled("observe(on:)") {
            $0.observe(on: $1)
        } _: {
            $0.observe(on: $1)
        },
        Scheduled("lazyMap") {
            $0.lazyMap(on: $1) { $0 }
        } _: {
            $0.lazyMap(on: $1) { $0 }
        },
        Scheduled("delay") {
            $0.delay(long, on: $1)
        } _: {
            $0.delay(long, on: $1)
        },
        Scheduled("delay by nothing") {
            $0.delay(.zero, on: $1)
        } _: {
            $0.delay(.zero, on: $1)
        },
        Scheduled("debounce") {
            $0.debounce(long, on: $1)
        } _: {
            $0.debounce(long, on: $1)
        },
        Scheduled("debounce that keeps") {
            $0.debounce(long, on: $1, discardWhenCompleted: false)
        } _: {
            $0.debounce(long, on: $1, discardWhenCompleted: false)
        },
        Scheduled("settle") {
            $0.settle(for: long, atMost: long, on: $1)
        } _: {
            $0.settle(for: long, atMost: long, on: $1)
        },
        Scheduled("throttle") {
            $0.throttle(long, on: $1)
        } _: {
            $0.throttle(long, on: $1)
        },
        Scheduled("throttle(while:)") {
            $0.throttle(while: Property(value: false), on: $1)
        } _: {
            $0.throttle(while: Property(value: false), on: $1)
        },
        Scheduled("collect(every:)") {
            $0.collect(every: long, on: $1).map(\.count)
        } _: {
            $0.collect(every: long, on: $1).map(\.count)
        },
        Scheduled("collect(every:) that keeps") {
            $0.collect(every: long, on: $1, discardWhenCompleted: false).map(\.count)
        } _: {
            $0.collect(every: long, on: $1, discardWhenCompleted: false).map(\.count)
        },
    ]
}

/// How an operator with a scheduler is placed in a chain.
private enum Form: CaseIterable {
    case plain, mapped, lifted, liftedAndMapped, afterLifted, beforeLifted, liftedBeforeInput, twice

    func apply(_ operation: Scheduled, to source: Numbers, on scheduler: any DelayScheduler) -> Numbers {
        let (onProducers, onSignals) = (operation.onProducers, operation.onSignals)
        let trigger = SignalProducer<Int, Never>.never
        return switch self {
        case .plain: onProducers(source, scheduler)
        case .mapped: onProducers(source.map { $0 }, scheduler).map { $0 }
        case .lifted: source.lift { onSignals($0, scheduler) }
        case .liftedAndMapped: source.lift { onSignals($0.filter { _ in true }, scheduler).map { $0 } }
        case .afterLifted: onProducers(source.take(until: trigger), scheduler)
        case .beforeLifted: onProducers(source, scheduler).take(until: trigger)
        case .liftedBeforeInput: source.lift { onSignals($0, scheduler).take(until: Signal<Int, Never>.never) }
        case .twice: onProducers(onProducers(source, scheduler), scheduler)
        }
    }
}

/// A lifted operator whose result does not end when its input is interrupted.
private struct Absorbing: Sendable, CustomTestStringConvertible {
    typealias Hot = Signal<Int, TestError>

    let testDescription: String
    let apply: @Sendable (Hot, _ input: Hot) -> Hot

    init(_ name: String, _ apply: @escaping @Sendable (Hot, _ input: Hot) -> Hot) {
        testDescription = name
        self.apply = apply
    }

    static let all: [Absorbing] = [
        Absorbing("merge") { $1.merge(with: $0) },
        Absorbing("take(until:)") { $0.take(until: $1.unfailing.filter { _ in false }.merge(with: .never)) },
        Absorbing("skip(until:)") { $0.skip(until: $1.unfailing) },
        Absorbing("withLatest(from:)") { $0.withLatest(from: $1.unfailing).map { $0.0 } },
        Absorbing("take(untilReplacement:)") { $1.take(untilReplacement: $0.merge(with: $1)) },
        Absorbing("flatMap") { hot, input in hot.flatMap(.merge) { _ in input.producer } },
        Absorbing("flatMap of the input") { hot, input in input.flatMap(.merge) { _ in hot.producer }.merge(with: hot)
        },
        Absorbing("nothing of the input") { hot, _ in hot },
    ]
}

extension Signal<Int, TestError> {
    fileprivate var unfailing: Signal<Int, Never> {
        materialize().compactMap(\.value)
    }
}

@Suite("Interruption by disposal")
struct InterruptionTests {
    @Test("arrives at all inputs of an operator")
    func allInputs() {
        let log = Log<String>()
        let inputs = ["a", "b", "c"].map { name in
            SignalProducer<Int, Never>.never.on(interrupted: { log.append(name) })
        }
        SignalProducer.combineLatest(inputs).start().dispose()
        expect(log.all, is: ["a", "b", "c"])
        log.removeAll()
        inputs[0].zip(with: inputs[1]).start().dispose()
        expect(log.all, is: ["a", "b"])
        log.removeAll()
        SignalProducer.merge(inputs[0], inputs[1]).start().dispose()
        expect(log.all, is: ["a", "b"])
    }

    @Test("lets the end of the work neither wait nor deliver the events of other threads")
    func endIsPassive() {
        let sections = Log<Bool>()
        SignalProducer<Int, Never> { observer, lifetime in
            lifetime.observeEnded {
                sections.append(PassiveSection.isCurrent)
                _ = observer
            }
        }.map { $0 }.flatMap(.merge) { .init(value: $0) }.start().dispose()
        expect(sections.all, is: [true])
        #expect(!PassiveSection.isCurrent)
    }

    /// The state of a source when its start is disposed of.
    enum Stage: CaseIterable {
        case atWork, ended, neverSent
    }

    @Test(
        "arrives on the operator's scheduler, whatever the source does, and no value follows disposal",
        arguments: Scheduled.all, Stage.allCases)
    private func scheduled(_ operation: Scheduled, _ stage: Stage) {
        for form in Form.allCases {
            let comment: Comment = "\(form)"
            let population = Population()
            let scheduler = TestScheduler()
            let manual = Manual()
            let log = Log<String>()
            do {
                let member = population.member()
                let source: Numbers =
                    switch stage {
                    case .atWork: manual.producer.prefix(value: 1)
                    case .ended: Numbers([1, 2])
                    case .neverSent: .never
                    }
                let disposable = form.apply(operation, to: source, on: scheduler)
                    .on(
                        next: { log.append("value \($0)") }, interrupted: { member.touch() },
                        disposed: { log.append("disposed") }
                    )
                    .start { log.append(when($0, scheduler)) }
                disposable.dispose()
            }
            expect(log.all, is: [], comment)
            #expect(manual.disposals.value == (stage == .atWork ? 1 : 0), comment)
            // As many times as there are schedulers in the chain.
            for _ in 0..<3 { scheduler.advance() }
            expect(log.all, is: ["interrupted at 0", "disposed"], comment)
            expect(population.alive, is: 0, comment)
            manual.release()
            scheduler.run()
            expect(log.count, is: 2, comment)
        }
    }

    @Test(
        "arrives once, promptly and on the scheduler, when it races with the end of the source",
        arguments: Scheduled.all)
    private func race(_ operation: Scheduled) {
        let queue = QueueScheduler()
        let forms: [Form] = [.plain, .lifted, .beforeLifted]
        for round in 0..<raceRounds {
            let manual = Manual()
            let ended = Latch("\(operation.testDescription) is not interrupted")
            let log = Log<String>()
            let disposable = forms[round % forms.count].apply(operation, to: manual.producer, on: queue)
                .start { event in
                    guard event.isTerminating else { return }
                    log.append(CurrentScheduler.value === queue ? "on the queue" : "elsewhere: \(event.text)")
                    ended.open()
                }
            manual.input?.sendNext(1)
            onThreads(2, "ending") { thread in
                if thread == 0 { disposable.dispose() } else { manual.input?.sendCompleted() }
            }
            ended.wait()
            expect(log.all, is: ["on the queue"])
            manual.release()
        }
    }

    @Test(
        "arrives even if the lifted signal ignores its input, and detaches from that signal", arguments: Absorbing.all)
    private func absorbed(_ operation: Absorbing) {
        for stage in Stage.allCases {
            for form in ["lift", "lift with a map", "before another", "after a scheduler"] {
                let comment: Comment = "\(stage), \(form)"
                let (hot, input) = Signal<Int, TestError>.pipe()
                let log = Log<String>()
                let manual = Manual()
                let source: Numbers =
                    switch stage {
                    case .atWork: manual.producer.prefix(value: 1)
                    case .ended: Numbers([1, 2])
                    case .neverSent: .never
                    }
                let lifted: Numbers =
                    switch form {
                    case "lift": source.lift { operation.apply(hot, $0) }
                    case "lift with a map": source.lift { operation.apply(hot, $0.map { $0 }).map { $0 } }
                    case "before another":
                        source.lift { operation.apply(hot, $0) }.take(until: SignalProducer<Int, Never>.never)
                    default: source.observe(on: ImmediateScheduler()).lift { operation.apply(hot, $0) }
                    }
                let disposable = lifted.on(disposed: { log.append("disposed") }).start { event in
                    if event.isTerminating { log.append(event.text) }
                }
                input.sendNext(3)
                disposable.dispose()
                expect(log.all, is: ["interrupted", "disposed"], comment)
                expect(hot.core.observerCount, is: 0, comment)
                expect(manual.starts.value, is: manual.disposals.value, comment)
                manual.release()
                input.sendCompleted()
            }
        }
    }

    @Test("arrives on the upstream scheduler if the lifted signal ignores its input", arguments: Absorbing.all)
    private func absorbedAfterScheduler(_ operation: Absorbing) {
        // A start whose signal is not observed is cut off, so that there is nothing upstream.
        for stage in Stage.allCases where operation.testDescription != "nothing of the input" {
            let (hot, input) = Signal<Int, TestError>.pipe()
            let scheduler = TestScheduler()
            let log = Log<String>()
            let source: Numbers =
                switch stage {
                case .atWork: Numbers.never.prefix(value: 1)
                case .ended: Numbers([1, 2])
                case .neverSent: .never
                }
            let disposable = source.observe(on: scheduler).lift { operation.apply(hot, $0) }
                .on(disposed: { log.append("disposed") })
                .start { log.append(when($0, scheduler)) }
            disposable.dispose()
            expect(log.all, is: [], "\(stage)")
            scheduler.advance()
            expect(log.all, is: ["interrupted at 0", "disposed"], "\(stage)")
            expect(hot.core.observerCount, is: 0, "\(stage)")
            input.sendCompleted()
        }
    }

    @Test("stops asynchronous transformations at once, also behind a scheduler that is busy")
    func transformations() async {
        let scheduler = TestScheduler()
        let (begun, begunInput) = AsyncStream<Int>.makeStream()
        let (cancelled, cancelledInput) = AsyncStream<Int>.makeStream()
        let (never, neverInput) = AsyncStream<Never>.makeStream()
        let start = Numbers([1, 2, 3]).observe(on: scheduler).mapAsync(maxConcurrent: 1) { value in
            begunInput.yield(value)
            // Ends when the task is cancelled.
            for await _ in never {}
            cancelledInput.yield(value)
            return value
        }.start()
        // Not the forms that wait until no task runs: one is to go on.
        let advance = { scheduler.advance() }
        advance()
        var (beginnings, ends) = (begun.makeAsyncIterator(), cancelled.makeAsyncIterator())
        let first = await beginnings.next()
        expect(first, is: 1)
        start.dispose()
        let cancelledFirst = await ends.next()
        expect(cancelledFirst, is: 1)
        advance()
        begunInput.finish()
        let second = await beginnings.next()
        expect(second, is: nil)
        neverInput.finish()
    }

    @Test("stops an endless loop of a lifted operator behind a scheduler, from inside")
    func endlessBehindScheduler() {
        let scheduler = TestScheduler()
        let (values, start) = (Counter(), SerialDisposable())
        start.inner = Numbers(value: 0).observe(on: scheduler).lift { $0.map { _ in 0... }.flatten() }.start { event in
            guard !event.isTerminating else { return }
            values.increment()
            if values.value == 3 { start.dispose() }
        }
        scheduler.run()
        expect(values.value, is: 3)
    }

    @Test("arrives on the upstream scheduler, and upstream, at an operator that makes windows")
    func windows() {
        let (scheduler, log) = (TestScheduler(), Log<String>())
        let start = Numbers.never.observe(on: scheduler).on(interrupted: { log.append("upstream") })
            .window(until: SignalProducer<Int, Never>.never, bufferLimit: 1, whenFull: .dropOldest)
            .start { event in if event.isTerminating { log.append("interrupted") } }
        start.dispose()
        expect(log.all, is: [])
        scheduler.advance()
        expect(log.all, is: ["upstream", "interrupted"])
    }

    @Test("stops an endless stream that a lifted operator is delivering")
    func endless() {
        expectStops { source in
            Numbers(value: 1).lift { $0.flatMap(.merge) { _ in source } }
        }
        expectStops { source in
            Numbers(value: 1).lift { $0.flatMap(.concat) { _ in source }.merge(with: .never) }
        }
    }

    @Test("arrives after a delivery on another thread, without making the disposal wait")
    func doesNotWait() {
        let lifts: [@Sendable (Signal<Int, TestError>, Signal<Int, TestError>) -> Signal<Int, TestError>] = [
            { _, hot in hot.map { $0 } }, { source, hot in source.merge(with: hot) },
            { source, hot in source.take(untilReplacement: hot) },
        ]
        for lift in lifts {
            let (delivering, leave) = (Latch("nothing is delivered"), Latch("the delivery goes on"))
            let log = Log<String>()
            let (hot, input) = Signal<Int, TestError>.pipe()
            let disposable = Numbers.never.lift { lift($0, hot) }.start { event in
                log.append(event.text)
                guard !event.isTerminating else { return }
                delivering.open()
                leave.wait()
            }
            let thread = TestThread("delivery") { input.sendNext(1) }
            delivering.wait()
            disposable.dispose()
            expect(log.all, is: ["1"])
            leave.open()
            thread.join()
            expect(log.all, is: ["1", "interrupted"])
            expect(hot.core.observerCount, is: 0)
            input.sendCompleted()
        }
    }

    @Test("arrives promptly when the source's completion disposes of the start, and drops delayed values")
    func completedInside() {
        for operation in Scheduled.all {
            let scheduler = TestScheduler()
            let manual = Manual()
            let log = Log<String>()
            let own = SerialDisposable()
            own.inner = manual.producer
                .lift { operation.onSignals($0.on(completed: { own.dispose() }), scheduler) }
                .start { log.append(when($0, scheduler)) }
            manual.input?.sendNext(1)
            manual.input?.sendCompleted()
            for _ in 0..<3 { scheduler.advance() }
            expect(log.all, is: ["interrupted at 0"], "\(operation.testDescription)")
            manual.release()
        }
    }

    @Test("reaches the operators before the scheduler first, then is delivered on the scheduler")
    func between() {
        let (first, second) = (TestScheduler(), TestScheduler())
        let log = Log<String>()
        let disposable = Numbers([1]).observe(on: first).on(interrupted: { log.append("between") })
            .observe(on: second)
            .start { log.append($0.text) }
        disposable.dispose()
        second.advance()
        expect(log.all, is: [])
        first.advance()
        expect(log.all, is: ["between"])
        second.advance()
        expect(log.all, is: ["between", "interrupted"])
    }
}
