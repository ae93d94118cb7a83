import Foundation
import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contract 8 of the design: a disposal never waits for another thread's delivery, through any number of gates, and
/// never delivers what other threads send.
@Suite("Disposal during deliveries on other threads", .watched)
struct DisposalWaitingTests {
    // MARK: A delivery on another thread

    /// An observer that blocks its thread at its first event until the test lets it continue.
    private final class Blocker: Sendable {
        let recorder = Recorder()
        private let isBlocking = OnceFlag()
        let hasBlocked: Latch
        let mayReturn = Latch("the end of the disposal")

        init(_ name: String) { hasBlocked = Latch("\(name): the delivery") }

        func observe(_ event: Event<Int, TestError>) {
            recorder.record(event)
            guard isBlocking.raise() else { return }
            hasBlocked.open()
            mayReturn.wait()
        }

        var hasBegun: Bool { isBlocking.isRaised }
    }

    /// Runs `dispose` on another thread while `blocker` blocks the thread that sends into the inputs.
    private func dispose(
        _ name: String, beside blocker: Blocker, sendingInto inputs: [Locked<Numbers.Observer?>],
        _ dispose: @escaping @Sendable () -> Void
    ) {
        let sender = TestThread("\(name): sender") {
            // Some operators send only once they have a value from each input.
            for input in inputs + inputs + inputs where !blocker.hasBegun { input.withLock { $0 }?.sendNext(1) }
            if !blocker.hasBegun { fatalError("\(name): nothing is delivered") }
        }
        blocker.hasBlocked.wait()
        TestThread("\(name): a disposal that waits for a delivery", dispose).join()
        blocker.mayReturn.open()
        sender.join()
        expect(blocker.recorder.violations, is: [], "\(name)")
    }

    @Test(
        "8: releasing an input of an operator with several inputs does not wait for another input's delivery",
        arguments: Joint.table + Joint.guided)
    func inputs(_ joint: Joint) {
        for contention in [Contention.wait, .enqueue] {
            for released in 0..<joint.inputCount {
                let pipes = (0..<joint.inputCount).map { _ in Numbers.pipe(contention: contention) }
                let inputs = pipes.map { Locked<Numbers.Observer?>($0.input) }
                let blocker = Blocker(joint.testDescription)
                joint.join(pipes.map(\.output)).observe { blocker.observe($0) }
                withExtendedLifetime(pipes.map(\.output)) {
                    dispose(joint.testDescription, beside: blocker, sendingInto: inputs) { [pipes] in
                        _ = pipes.count
                        let input = inputs[released].withLock { $0.take() }
                        input?.sendInterruptedByRelease()
                    }
                }
            }
        }
    }

    /// A stream that is started or shared with the test's inputs, and the way to dispose of it.
    struct Start: Sendable, CustomTestStringConvertible {
        typealias Begin =
            @Sendable (_ first: Cold, _ second: Cold, _ observe: @escaping @Sendable (Event<Int, TestError>) -> Void)
            -> any Disposable

        let testDescription: String
        let begin: Begin

        init(_ name: String, begin: @escaping Begin) {
            testDescription = name
            self.begin = begin
        }

        /// A start of an operator's result for two producers.
        init(_ name: String, _ join: @escaping @Sendable (_ first: Cold, _ second: Cold) -> Cold) {
            self.init(name, begin: { join($0, $1).start($2) })
        }

        static let table =
            joining
            + FlattenStrategy.all.map { strategy in
                Start("flatMap(\(strategy))") { first, second in first.flatMap(strategy) { _ in second } }
            } + sharing

        private static let joining: [Start] = [
            Start("merge") { $0.merge(with: $1) },
            Start("merge of one and a hot signal") { first, second in first.merge(with: second.hotSignal) },
            Start("combineLatest") { $0.combineLatest(with: $1).map { $0 &+ $1 } },
            Start("combineLatest of three") { SignalProducer.combineLatest($0, $1, $0).map { $0.0 } },
            Start("combineLatest of materialized") { first, second in
                first.materialize().combineLatest(with: second.materialize()).map { $0.0.value ?? 0 }
                    .promoteError(TestError.self)
            },
            Start("combineLatest of collections") { SignalProducer.combineLatest([$0, $1]).map { $0.reduce(0, &+) } },
            Start("zip") { $0.zip(with: $1).map { $0 &+ $1 } },
            Start("zip of three") { SignalProducer.zip($0, $1, $1).map { $0.0 } },
            Start("sample(with:)") { first, second in
                first.sample(with: second.promotingNoError).map { $0.0 }
            },
            Start("withLatest(from:)") { first, second in
                first.withLatest(from: second.promotingNoError).map { $0.0 }
            },
            Start("take(until:)") { first, second in
                first.take(until: second.promotingNoError.filter { _ in false }.map { _ in })
            },
            Start("skip(until:)") { first, second in first.skip(until: second.promotingNoError.map { _ in }) },
            Start("take(untilReplacement:)") { first, second in first.take(untilReplacement: second) },
            Start("lift of two") { first, second in
                first.lift { signal in { other in signal.merge(with: other) } }(second)
            },
            Start("concat") { first, second in second.take(first: 1).concat(first) },
            Start("then") { first, second in second.take(first: 1).then(first) },
            Start("flatMapError") { first, second in first.flatMapError { _ in second } },
            Start("retry") { first, second in first.merge(with: second).retry(upTo: 3) },
            Start("flatMap in flatMap") { first, second in
                first.flatMap(.merge) { _ in second.flatMap(.concat) { SignalProducer(value: $0) } }
            },
            Start("groupBy, flattened") { first, second in
                first.merge(with: second).groupBy { $0 }.flatMap(.merge) { $0.producer }
            },
        ]

        private static let sharing: [Start] = [
            Start("replayLazily") { first, second in first.merge(with: second).replayLazily(upTo: 2) },
            Start("share") { first, second in first.merge(with: second).share(replay: 1, while: .observed) },
            Start(
                "multicast, the connection",
                begin: { first, second, observe in
                    let connection = first.merge(with: second).multicast(replay: 1)
                    connection.producer.start(observe)
                    return connection.connect()
                }),
            Start(
                "buffer, its input",
                begin: { first, second, observe in
                    let (producer, input) = SignalProducer<Int, TestError>.buffer(capacity: 1)
                    producer.start(observe)
                    // Also releases the input.
                    return first.merge(with: second).start(input)
                }),
        ]
    }

    @Test("8: disposing of a start does not wait for another thread's delivery", arguments: Start.table)
    func starts(_ start: Start) {
        for contention in [Contention.wait, .enqueue] {
            let pipes = (0..<2).map { _ in Numbers.pipe(contention: contention) }
            let blocker = Blocker(start.testDescription)
            let disposable = start.begin(pipes[0].output.producer, pipes[1].output.producer) { blocker.observe($0) }
            dispose(
                start.testDescription, beside: blocker, sendingInto: pipes.map { Locked<Numbers.Observer?>($0.input) }
            ) { disposable.dispose() }
            expect(blocker.recorder.events.last, is: .interrupted, "\(start.testDescription)")
            withExtendedLifetime(pipes.map(\.input)) {}
        }
    }

    @Test("8: disposing of a start of mapAsync does not wait for a delivery")
    func asynchronousTransformation() {
        let (source, input) = Numbers.pipe()
        let blocker = Blocker("mapAsync")
        // Tests block the threads of Swift's pool.
        let disposable = DispatchExecutor.shared.within {
            source.producer.mapAsync(maxConcurrent: 2) { $0 }.start { blocker.observe($0) }
        }
        // On a separate thread: the sender delivers a result that arrives before its send returns.
        let sender = TestThread("sender") { input.sendNext(1) }
        blocker.hasBlocked.wait()
        TestThread("a disposal that waits for a delivery") { disposable.dispose() }.join()
        blocker.mayReturn.open()
        sender.join()
        blocker.recorder.ended.wait()
        expect(blocker.recorder.events, is: [.next(1), .interrupted])
        expect(blocker.recorder.violations, is: [])
    }

    @Test("8: cancelling a task that awaits a producer with two inputs does not wait for a delivery")
    func cancellation() async {
        let pipes = (0..<2).map { _ in Numbers.pipe() }
        let blocker = Blocker("wait()")
        let producer = SignalProducer.combineLatest(pipes[0].output.producer, pipes[1].output.producer)
            .map { $0.0 &+ $0.1 }.on(event: { blocker.observe($0) })
        let task = Task { await producer.wait() }
        while true {
            // The start is synchronous: once it has begun, both inputs are observed shortly after.
            if pipes.allSatisfy({ $0.output.core.observerCount > 0 }) { break }
            await Task.yield()
        }
        dispose("wait()", beside: blocker, sendingInto: pipes.map { Locked<Numbers.Observer?>($0.input) }) {
            task.cancel()
        }
        _ = await task.value
        withExtendedLifetime(pipes.map(\.input)) {}
    }

    // MARK: A lock taken by an observer

    /// A stream whose observer takes a lock while another thread observes and disposes under that lock.
    struct Stream: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Creates the stream. Returns a function that sends into it and one that observes it.
        let make: @Sendable () -> (send: @Sendable (Int) -> Void, begin: Begin)

        typealias Begin = @Sendable (_ observe: @escaping @Sendable () -> Void) -> (any Disposable)?

        private static func hot(
            _ name: String, _ contention: Contention, _ apply: @escaping @Sendable (Numbers) -> Numbers
        ) -> [Stream] {
            [
                Stream(testDescription: "\(name), \(contention), observed") {
                    let (source, input) = Numbers.pipe(contention: contention)
                    let result = apply(source)
                    return ({ input.sendNext($0) }, { observe in result.observe { _ in observe() } })
                },
                Stream(testDescription: "\(name), \(contention), started") {
                    let (source, input) = Numbers.pipe(contention: contention)
                    let result = apply(source).producer
                    // The interruption is delivered by the disposing thread itself.
                    return (
                        { input.sendNext($0) },
                        { observe in result.start { event in if !event.isTerminating { observe() } } }
                    )
                },
            ]
        }

        static let table: [Stream] =
            [Contention.wait, .enqueue].flatMap { contention in
                hot("a signal", contention) { $0 } + hot("map", contention) { $0.map { $0 } }
                    + hot("merge", contention) { $0.merge(with: .never) }
                    + hot("flatMap", contention) { $0.flatMap(.merge) { SignalProducer(value: $0) } }
            } + [
                Stream(testDescription: "a property") {
                    let property = MutableProperty(0, contention: .enqueue)
                    return (
                        { property.value = $0 },
                        { observe in
                            property.producer.skip(first: 1).start { event in if !event.isTerminating { observe() } }
                        }
                    )
                },
                Stream(testDescription: "replayLazily") {
                    let (source, input) = Numbers.pipe(contention: .enqueue)
                    let shared = source.producer.replayLazily(upTo: 0)
                    shared.start()
                    return (
                        { input.sendNext($0) },
                        { observe in shared.start { event in if !event.isTerminating { observe() } } }
                    )
                },
            ]
    }

    @Test(
        "8: disposals under a lock that an observer takes do not deadlock", .serialized, arguments: Stream.table)
    func lock(_ stream: Stream) async {
        // Takes a long time, during which other tests need the threads of Swift's pool.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                disposeUnderLock(stream)
                continuation.resume()
            }
        }
    }

    private func disposeUnderLock(_ stream: Stream) {
        let (send, begin) = stream.make()
        let lock = NSLock()
        let isOver = OnceFlag()
        let delivered = Counter()
        let permanent = begin { lock.withLock { _ = delivered.increment() } }
        let sender = TestThread("\(stream.testDescription): sender") {
            var value = 0
            while !isOver.isRaised {
                send(value)
                value &+= 1
                // Limits the number of undelivered values.
                while delivered.value + 100 < value, !isOver.isRaised { sched_yield() }
            }
        }
        // In the gate 3,000,000 disposals. Twenty times as slow under the thread sanitizer, which detects a race in far
        // fewer.
        let isSlow = dlsym(nil, "__tsan_init") != nil
        let batches = (isSlow ? 1_500 : 12 * raceRounds) / Stream.table.count + 1
        let disposer = TestThread("\(stream.testDescription): a disposal under a lock") {
            for _ in 0..<batches {
                lock.withLock {
                    for _ in 0..<100 { begin { lock.withLock {} }?.dispose() }
                }
            }
        }
        disposer.join()
        isOver.raise()
        sender.join()
        permanent?.dispose()
    }

    @Test(
        "8: events that other threads send while a disposal delivers its interruption are not delivered by its thread")
    func foreignEvents() {
        let (source, input) = Numbers.pipe(contention: .enqueue)
        let isDelivered = Latch("the event")
        let deliverer = Locked<UInt>(0)
        source.observe { _ in
            deliverer.withLock { $0 = ThreadIdentity.current }
            isDelivered.open()
        }
        let start = source.producer.start { event in
            guard case .interrupted = event else { return }
            TestThread("sender") { input.sendNext(1) }.join()
        }
        start.dispose()
        isDelivered.wait()
        #expect(deliverer.withLock { $0 } != ThreadIdentity.current)
    }
}

extension SignalProducer where Value == Int, Failure == TestError {
    /// The same producer with errors replaced by completion.
    fileprivate var promotingNoError: SignalProducer<Int, Never> {
        flatMapError { _ in SignalProducer<Int, Never>.empty }
    }

    /// The signal of a new start.
    fileprivate var hotSignal: Numbers { startWithSignal { signal, _ in signal } }
}

extension Signal.Observer {
    /// Does nothing: the test needs only the caller's release of the input afterward.
    fileprivate func sendInterruptedByRelease() {}
}
