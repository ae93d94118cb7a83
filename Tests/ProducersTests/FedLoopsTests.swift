import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Far more than a thread handles for others in a row.
private let enough = 10 * ForeignWork.limit

/// The loops of the library in which one thread handles what other threads add meanwhile.
@Suite("A thread whose loop other threads feed", .watched)
struct FedLoopsTests {
    /// Notes the calling thread, and lets another thread feed the loop while `fed` runs it. Gives up eventually.
    private final class Feeder: Sendable {
        let log = Log<UInt>()
        private let fed: UInt

        init(_ fed: UInt = ThreadIdentity.current) { self.fed = fed }

        func note(_ feed: @escaping @Sendable (_ number: Int) -> Void) {
            let isReleased = log.all.contains { $0 != fed }
            log.append(ThreadIdentity.current)
            let number = log.count
            guard ThreadIdentity.current == fed, !isReleased, number < enough else { return }
            TestThread("feeder") { feed(number) }.join()
        }

        /// Whether the thread was released, and everything that was added has been handled elsewhere.
        func expectRelease(sourceLocation: SourceLocation = #_sourceLocation) {
            let fed = fed
            #expect(becomesTrue { log.all.contains { $0 != fed } }, sourceLocation: sourceLocation)
            settle()
            #expect(log.all.prefix { $0 == fed }.count <= ForeignWork.limit + 2, sourceLocation: sourceLocation)
            #expect(!log.all.drop { $0 == fed }.contains(fed), sourceLocation: sourceLocation)
        }
    }

    // MARK: Flattening

    @Test(
        "leaves the start of inner streams to a thread of the library",
        arguments: [FlattenStrategy.concat, .concurrent(limit: 1, ordered: true)])
    func innerStarts(_ strategy: FlattenStrategy) {
        let feeder = Feeder()
        let (outer, input) = Signal<Int, Never>.pipe()
        let (first, firstInput) = Signal<Int, Never>.pipe()
        let values = Log<Int>()
        let disposable = outer.flatMap(strategy) { $0 == 0 ? first.producer : SignalProducer(value: $0) }
            .observeNext { value in
                values.append(value)
                feeder.note { input.sendNext($0 + 1) }
            }
        input.sendNext(0)
        input.sendNext(1)
        expect(values.all, is: [])
        firstInput.sendCompleted()
        feeder.expectRelease()
        expect(values.all, is: Array(1...values.count))
        disposable?.dispose()
    }

    @Test("leaves the values of an ordered inner stream to a thread of the library")
    func orderedValues() {
        let feeder = Feeder()
        let (outer, input) = Signal<Int, Never>.pipe()
        let inners = (0..<2).map { _ in Signal<Int, Never>.pipe() }
        let values = Log<Int>()
        let disposable = outer.flatMap(.concurrent(limit: 2, ordered: true)) { inners[$0].output.producer }
            .observeNext { value in
                values.append(value)
                feeder.note { inners[1].input.sendNext($0 + 1) }
            }
        input.sendNext(0)
        input.sendNext(1)
        inners[1].input.sendNext(1)
        inners[0].input.sendCompleted()
        feeder.expectRelease()
        expect(values.all, is: Array(1...values.count))
        // The stream whose turn it is sends directly again.
        inners[1].input.sendNext(-1)
        expect(values.all.last, is: -1)
        disposable?.dispose()
    }

    @Test(
        "leaves the values that are expanded to a thread of the library",
        arguments: [FlattenStrategy.concat, .concurrent(limit: 2)])
    func expansion(_ strategy: FlattenStrategy) {
        let feeder = Feeder()
        let (branch, branchInput) = Signal<Int, Never>.pipe()
        let (obstacle, obstacleInput) = Signal<Int, Never>.pipe()
        let disposable = SignalProducer<Int, Never>(value: 0)
            .expand(strategy) { value -> SignalProducer<Int, Never> in
                switch value {
                case 0: return branch.producer
                case 1: return obstacle.producer
                case 2...: return .init(value: -value)
                default:
                    feeder.note { branchInput.sendNext($0 + 2) }
                    return .empty
                }
            }
            .start()
        branchInput.sendNext(1)
        branchInput.sendNext(2)
        expect(feeder.log.count, is: 0)
        obstacleInput.sendCompleted()
        feeder.expectRelease()
        disposable.dispose()
    }

    // MARK: Schedulers

    /// Runs what it is told to, on the calling thread.
    private final class StepScheduler: DelayScheduler {
        private let clock = ContinuousClock()
        private let actions = Locked<[@Sendable () -> Void]>([])
        /// Whether an action without a delay runs inside the call that schedules it.
        private let runsAtOnce: Bool
        /// Runs inside that call, too.
        private let alongside: @Sendable () -> Void

        init(runsAtOnce: Bool = false, alongside: @escaping @Sendable () -> Void = {}) {
            self.runsAtOnce = runsAtOnce
            self.alongside = alongside
        }

        var now: ContinuousClock.Instant { clock.now }

        func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
            if runsAtOnce {
                alongside()
                action()
                return nil
            }
            actions.withLock { $0.append(action) }
            return SimpleDisposable()
        }

        func schedule(
            after _: Duration, leeway _: Duration, _ action: @escaping @Sendable () -> Void
        ) -> (any Disposable)? {
            actions.withLock { $0.append(action) }
            return SimpleDisposable()
        }

        func schedule(
            after _: Duration, interval _: Duration, leeway _: Duration, _ action: @escaping @Sendable () -> Void
        ) -> (any Disposable)? { fatalError("no operator here repeats an action") }

        /// Runs one action. Returns `false` if there is none.
        func runNext() -> Bool {
            let next = actions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            next?()
            return next != nil
        }
    }

    enum Operator: String, CaseIterable, Sendable {
        case buffer, collect, delay

        fileprivate func apply(_ source: Signal<Int, Never>, _ scheduler: some DelayScheduler) -> Signal<Int, Never> {
            switch self {
            case .buffer: source.buffer(upTo: 2, whenFull: .dropOldest, on: scheduler)
            case .collect: source.collect(every: .seconds(3_600), upTo: 1, on: scheduler).map { $0[0] }
            case .delay: source.delay(.zero, on: scheduler)
            }
        }
    }

    @Test("lets its scheduler run other actions", arguments: Operator.allCases)
    func timed(_ tested: Operator) {
        let (feeder, scheduler, values) = (Feeder(), StepScheduler(), Log<Int>())
        let (source, input) = Signal<Int, Never>.pipe()
        let disposable = tested.apply(source, scheduler).observeNext { value in
            values.append(value)
            feeder.note { input.sendNext($0 + 1) }
        }
        input.sendNext(1)
        #expect(scheduler.runNext())
        #expect(values.count <= ForeignWork.limit + 2)
        while scheduler.runNext() {}
        expect(values.all, is: Array(1...enough))
        disposable?.dispose()
    }

    @Test("is released, too, if the scheduler would run the next action inside this one")
    func runsAtOnce() {
        let (feeder, scheduler, values) = (Feeder(), StepScheduler(runsAtOnce: true), Log<Int>())
        let (source, input) = Signal<Int, Never>.pipe()
        let disposable = source.collect(every: .nanoseconds(1), upTo: 2, on: scheduler).observeNext { array in
            for value in array { values.append(value) }
            feeder.note { number in for value in 0..<2 { input.sendNext(2 * number + value) } }
        }
        input.sendNext(1)
        // The timer of the first value.
        while values.count == 0 { #expect(scheduler.runNext()) }
        feeder.expectRelease()
        expect(values.all, is: Array(1...values.count))
        disposable?.dispose()
    }

    @Test("sends all that its observer adds from inside")
    func ownValues() {
        let (values, thread) = (Log<Int>(), ThreadIdentity.current)
        let (source, input) = Signal<Int, Never>.pipe()
        let disposable = source.buffer(upTo: 1, whenFull: .dropOldest, on: ImmediateScheduler()).observeNext { value in
            #expect(ThreadIdentity.current == thread)
            values.append(value)
            if value < enough { input.sendNext(value + 1) }
        }
        input.sendNext(1)
        expect(values.all, is: Array(1...enough))
        disposable?.dispose()
    }

    @Test("leaves the actions of other operators where their scheduler runs them")
    func otherOperators() {
        let other = Signal<UInt, Never>.pipe()
        let (feeder, calls, deliveries) = (Feeder(), Log<UInt>(), Log<UInt>())
        let observation = other.output.buffer(upTo: 1, whenFull: .dropOldest, on: ImmediateScheduler()).observeNext {
            expect(ThreadIdentity.current, is: $0)
            deliveries.append($0)
        }
        let scheduler = StepScheduler(runsAtOnce: true) {
            let thread = ThreadIdentity.current
            calls.append(thread)
            other.input.sendNext(thread)
        }
        let (source, input) = Signal<Int, Never>.pipe()
        let disposable = source.collect(every: .nanoseconds(1), upTo: 2, on: scheduler).observeNext { _ in
            feeder.note { number in for value in 0..<2 { input.sendNext(2 * number + value) } }
        }
        input.sendNext(1)
        while feeder.log.count == 0 { #expect(scheduler.runNext()) }
        feeder.expectRelease()
        // The fed thread has scheduled the action that a thread of the library then ran.
        #expect(calls.all.contains(ThreadIdentity.current))
        expect(deliveries.all, is: calls.all)
        disposable?.dispose()
        observation?.dispose()
    }

    @Test("leaves the actions that others give a TrampolineScheduler to a thread of the library, in order")
    func trampoline() {
        let (feeder, scheduler, numbers) = (Feeder(), TrampolineScheduler(), Log<Int>())
        @Sendable func act(_ number: Int) {
            numbers.append(number)
            feeder.note { next in
                let action: @Sendable () -> Void = { act(next) }
                scheduler.schedule(action)
            }
        }
        scheduler.schedule { act(0) }
        feeder.expectRelease()
        expect(numbers.all, is: Array(0..<numbers.count))
        // It is idle again.
        let thread = ThreadIdentity.current
        scheduler.schedule { #expect(ThreadIdentity.current == thread) }
    }

    @Test("runs all actions that it gives a TrampolineScheduler itself, between those of others")
    func trampolineOwn() {
        let (scheduler, own) = (TrampolineScheduler(), Counter())
        let thread = ThreadIdentity.current
        @Sendable func act() {
            #expect(ThreadIdentity.current == thread)
            guard own.increment() < enough else { return }
            scheduler.schedule(act)
            TestThread("feeder") { scheduler.schedule {} }.join()
        }
        scheduler.schedule(act)
        expect(own.value, is: enough)
        settle()
    }
}
