import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contract 18 of the design: an observer never runs under the task-locals of a sender other than its event's.
@Suite("Task-local contract", .watched)
struct TaskLocalContractTests {
    private enum Request {
        @TaskLocal static var id = 0
    }

    /// A stream that receives values from several threads.
    struct Stream: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Creates the stream with an observer. Returns a function that sends into it, whose release disposes of the
        /// observer.
        let make: @Sendable (_ observe: @escaping @Sendable (Int) -> Void) -> @Sendable (Int) -> Void

        init(
            _ name: String,
            make: @escaping @Sendable (_ observe: @escaping @Sendable (Int) -> Void) -> @Sendable (Int) -> Void
        ) {
            testDescription = name
            self.make = make
        }

        /// An operator on a signal.
        private init(_ name: String, applying apply: @escaping @Sendable (Signal<Int, Never>) -> Signal<Int, Never>) {
            self.init(name) { observe in
                let (source, input) = Signal<Int, Never>.pipe(contention: .enqueue)
                let (lifetime, token) = Lifetime.make()
                lifetime += apply(source).observeNext(observe)
                return {
                    input.sendNext($0)
                    withExtendedLifetime(token) {}
                }
            }
        }

        static let table: [Stream] = [
            Stream("no operator", applying: { $0 }),
            Stream("map", applying: { $0.map { $0 } }),
            Stream("merge", applying: { $0.merge(with: .never) }),
            Stream("zip", applying: { $0.zip(with: $0.map { $0 }).map { $0.0 } }),
            Stream("sample", applying: { $0.map { $0 }.sample(on: $0.map { _ in }) }),
            Stream("flatMap(.merge)", applying: { $0.flatMap(.merge) { SignalProducer(value: $0) } }),
            Stream("flatMap(.latest)", applying: { $0.flatMap(.latest) { SignalProducer(value: $0) } }),
            Stream("start") { observe in
                let (source, input) = Signal<Int, Never>.pipe(contention: .enqueue)
                source.producer.startWithNext(observe)
                return { input.sendNext($0) }
            },
            Stream("replayLazily") { observe in
                let (source, input) = Signal<Int, Never>.pipe(contention: .enqueue)
                source.producer.replayLazily(upTo: 1).startWithNext(observe)
                return { input.sendNext($0) }
            },
            Stream("a property that never waits") { observe in
                let property = MutableProperty(0, contention: .enqueue)
                property.signal.observeNext(observe)
                return { property.value = $0 }
            },
            Stream("a property derived from one that never waits") { observe in
                let property = MutableProperty(0, contention: .enqueue)
                let derived = property.map { $0 }
                derived.signal.observeNext { observe($0) }
                return {
                    property.value = $0
                    withExtendedLifetime(derived) {}
                }
            },
            Stream("two signals that feed each other") { observe in
                let (first, firstInput) = Signal<Int, Never>.pipe()
                let (second, secondInput) = Signal<Int, Never>.pipe()
                let (lifetime, token) = Lifetime.make()
                lifetime += first.observeNext { value in
                    observe(value)
                    if value & 1 << 40 == 0 { secondInput.sendNext(value | 1 << 40) }
                }
                lifetime += second.observeNext { value in
                    observe(value)
                    if value & 1 << 40 == 0 { firstInput.sendNext(value | 1 << 40) }
                }
                return { value in
                    value % 2 == 0 ? firstInput.sendNext(value) : secondInput.sendNext(value)
                    withExtendedLifetime(token) {}
                }
            },
        ]

        static let strict = table.filter { $0.testDescription != "two signals that feed each other" }
    }

    @Test(
        "18: with four senders, no observer runs under the task-locals of another sender",
        arguments: Stream.table)
    func senders(_ stream: Stream) {
        let mistakes = Log<String>()
        let count = Counter()
        let send = stream.make { value in
            count.increment()
            let sender = value >> 32 & 0xFF
            let current = Request.id
            if current != 0, current != sender { mistakes.append("\(value & 0xFFFF) of \(sender) under \(current)") }
        }
        onThreads(4, stream.testDescription) { index in
            Request.$id.withValue(index + 1) {
                for value in 0..<5_000 { send((index + 1) << 32 | value) }
            }
        }
        #expect(count.value > 0)
        expect(mistakes.all.prefix(3), is: [])
    }

    @Test("18: a queued event is observed under its sender's task-locals", arguments: Stream.strict)
    func handedOver(_ stream: Stream) {
        let seen = Log<Int>()
        let (isDelivering, mayGoOn) = (Latch("a delivery"), Latch("the second sender"))
        let send = stream.make { value in
            if value == 1 {
                isDelivering.open()
                mayGoOn.wait()
            }
            seen.append(value * 10 + Request.id)
        }
        let first = TestThread("first") { Request.$id.withValue(1) { send(1) } }
        isDelivering.wait()
        TestThread("second") { Request.$id.withValue(2) { send(2) } }.join()
        mayGoOn.open()
        first.join()
        expect(seen.all, is: [11, 22])
    }

    @Test("18: an interruption that a disposal hands over is observed under the disposing thread's task-locals")
    func interruption() {
        let (source, input) = Signal<Int, Never>.pipe()
        let seen = Log<String>()
        let (isDelivering, mayGoOn) = (Latch("a delivery"), Latch("the disposal"))
        let start = source.producer.start { event in
            if !event.isTerminating {
                isDelivering.open()
                mayGoOn.wait()
            }
            seen.append("\(event.text) under \(Request.id)")
        }
        let sender = TestThread("sender") { Request.$id.withValue(1) { input.sendNext(7) } }
        isDelivering.wait()
        Request.$id.withValue(2) { start.dispose() }
        mayGoOn.open()
        sender.join()
        expect(seen.all, is: ["7 under 1", "interrupted under 2"])
    }

    @Test("18: one hop to an actor delivers the events of several senders without task-locals")
    func isolated() async {
        let (source, input) = Signal<Int, Never>.pipe()
        let seen = Log<Int>()
        let all = AsyncStream<Void>.makeStream()
        source.observeNextIsolated { _ in
            seen.append(Request.id)
            if seen.count == 40 { all.continuation.finish() }
        }
        onThreads(4, "senders") { index in
            Request.$id.withValue(index + 1) {
                for value in 0..<10 { input.sendNext(value) }
            }
        }
        for await _ in all.stream {}
        expect(seen.all, is: Array(repeating: 0, count: 40))
    }

    /// An operator that delivers on a scheduler.
    struct Scheduled: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isEachUnderItsOwn: Bool
        let apply: @Sendable (Signal<Int, Never>) -> Signal<Int, Never>

        init(
            _ name: String, isEachUnderItsOwn: Bool = false,
            _ apply: @escaping @Sendable (Signal<Int, Never>) -> Signal<Int, Never>
        ) {
            testDescription = name
            self.isEachUnderItsOwn = isEachUnderItsOwn
            self.apply = apply
        }

        private static let actor = Destination()

        private actor Destination {}

        static let table: [Scheduled] = [
            Scheduled("observe(on: QueueScheduler)") { $0.observe(on: QueueScheduler()) },
            Scheduled("observe(on: QueueScheduler(propagating:))", isEachUnderItsOwn: true) {
                $0.observe(on: QueueScheduler(propagating: Request.$id))
            },
            Scheduled("observe(on: ActorScheduler)", isEachUnderItsOwn: true) { $0.observe(on: ActorScheduler(actor)) },
            Scheduled("observe(on: ImmediateScheduler)", isEachUnderItsOwn: true) {
                $0.observe(on: ImmediateScheduler())
            },
            Scheduled("observe(on: TrampolineScheduler)", isEachUnderItsOwn: true) {
                $0.observe(on: TrampolineScheduler())
            },
            Scheduled("delay") { $0.delay(.zero, on: ClockScheduler(ContinuousClock(), propagating: Request.$id)) },
            Scheduled("delay on a queue") { $0.delay(.zero, on: QueueScheduler(propagating: Request.$id)) },
            Scheduled("debounce") { $0.debounce(.zero, on: QueueScheduler(propagating: Request.$id)) },
            Scheduled("throttle") { $0.throttle(.zero, on: QueueScheduler(propagating: Request.$id)) },
            Scheduled("lazyMap") { $0.lazyMap(on: QueueScheduler(propagating: Request.$id)) { $0 } },
            Scheduled("collect(every:)") {
                $0.collect(every: .milliseconds(1), on: QueueScheduler(propagating: Request.$id)).flatten()
            },
        ]
    }

    @Test(
        "18: an operator that delivers on a scheduler never delivers under another sender's task-locals",
        arguments: Scheduled.table)
    func schedulers(_ scheduled: Scheduled) async {
        let (source, input) = Signal<Int, Never>.pipe()
        let mistakes = Log<String>()
        // Not a latch: some operators need a thread of Swift's pool.
        let last = AsyncStream<Void>.makeStream()
        scheduled.apply(source).observe { event in
            guard case .next(let value) = event else { return last.continuation.finish() }
            let sender = value >> 32
            let isRight = Request.id == sender || !scheduled.isEachUnderItsOwn && Request.id == 0
            if !isRight { mistakes.append("\(value & 0xFFFF) of \(sender) under \(Request.id)") }
        }
        onThreads(4, scheduled.testDescription) { index in
            Request.$id.withValue(index + 1) {
                for value in 0..<500 { input.sendNext((index + 1) << 32 | value) }
            }
        }
        input.sendCompleted()
        for await _ in last.stream {}
        expect(mistakes.all.prefix(3), is: [])
    }

    @Test("18: a unit that waits in an action's queue starts in the context of its own start")
    func queuedUnit() {
        let seen = Log<Int>()
        let (end, endInput) = Signal<Void, Never>.pipe()
        let action = Action<Int, Int, Never>(policy: .queue(waiting: 1)) { input in
            seen.append(input * 10 + Request.id)
            return SignalProducer { observer, lifetime in
                lifetime += end.observeNext { observer.sendCompleted() }
            }
        }
        Request.$id.withValue(1) { _ = action.apply(1).start() }
        Request.$id.withValue(2) { _ = action.apply(2).start() }
        Request.$id.withValue(3) { endInput.sendNext(()) }
        expect(seen.all, is: [11, 22])
        endInput.sendCompleted()
    }

    /// Sends each value under a context of its own into `mapAsync`, and then ends the transformations of the values one
    /// by one.
    ///
    /// - Parameter ends: The values from 1 on, in the order in which their transformations end.
    /// - Returns: What the transformations and the observer have run under.
    private func contexts(ofMapAsync maxConcurrent: Int, ordered: Bool = true, ending ends: [Int]) -> [String] {
        let (executor, seen) = (HandDrivenExecutor(), Log<String>())
        let (source, input) = Signal<Int, Never>.pipe()
        let doors = ends.map { _ in AsyncStream<Void>.makeStream() }
        executor.within {
            source.mapAsync(maxConcurrent: maxConcurrent, ordered: ordered) { value in
                seen.append("\(value) under \(Request.id)")
                for await _ in doors[value - 1].stream {}
                return value
            }
            .observeNext { seen.append("the result of \($0) under \(Request.id)") }
        }
        for value in 1...ends.count { Request.$id.withValue(value) { input.sendNext(value) } }
        executor.run()
        for value in ends {
            doors[value - 1].continuation.finish()
            executor.run()
        }
        return seen.all
    }

    @Test("18: a value that waits in mapAsync is transformed in its sender's context", arguments: [false, true])
    func waitingInMapAsync(ordered: Bool) {
        expect(
            contexts(ofMapAsync: 1, ordered: ordered, ending: [1, 2, 3]),
            is: [
                "1 under 1", "the result of 1 under 1", "2 under 2", "the result of 2 under 2", "3 under 3",
                "the result of 3 under 3",
            ])
    }

    @Test("18: a result of mapAsync that waits for earlier ones is observed in its sender's context")
    func waitingResults() {
        expect(
            contexts(ofMapAsync: 3, ending: [2, 3, 1]),
            is: [
                "1 under 1", "2 under 2", "3 under 3", "the result of 1 under 1", "the result of 2 under 2",
                "the result of 3 under 3",
            ])
    }

    @Test("18: an observer added while the signal ends is interrupted without task-locals")
    func lateObserver() {
        let (source, input) = Signal<Int, Never>.pipe()
        let seen = Log<Int>()
        source.observeNext { _ in
            input.sendCompleted()
            TestThread("observing") {
                Request.$id.withValue(2) { _ = source.observeInterrupted { seen.append(Request.id) } }
            }.join()
        }
        Request.$id.withValue(1) { input.sendNext(7) }
        expect(seen.all, is: [0])
    }
}
