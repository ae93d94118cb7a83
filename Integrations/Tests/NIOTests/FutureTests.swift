import IntegrationsTestSupport
import NIOCore
import NIOEmbedded
import NIOPosix
import ReactiveSignals
import ReactiveSignalsNIO
import ReactiveSignalsTesting
import Testing

extension NIOTests {
    @Suite("A future as a producer")
    struct FutureAsProducer {
        private let loop = EmbeddedEventLoop()

        @Test("sends the value and completes, to every start, also to one that comes late")
        func value() {
            let promise = loop.makePromise(of: Int.self)
            let producer = promise.futureResult.producer
            let (first, second) = (producer.record(), producer.record())
            #expect(first.values.isEmpty)
            promise.succeed(7)
            let third = producer.record()
            for recorder in [first, second, third] {
                #expect(recorder.values == [7])
                #expect(recorder.hasCompleted)
            }
        }

        @Test("sends the error, or interrupts if it is that of a cancellation")
        func errors() {
            let failed = (loop.makeFailedFuture(Trouble()) as EventLoopFuture<Int>).producer.record()
            #expect(failed.error as? Trouble == Trouble())
            let cancelled = (loop.makeFailedFuture(CancellationError()) as EventLoopFuture<Int>).producer.record()
            #expect(cancelled.wasInterrupted)
        }

        @Test("a disposal interrupts at once, releases the observer, and does not affect others")
        func disposal() {
            let promise = loop.makePromise(of: Int.self)
            let other = promise.futureResult.producer.record()
            let population = Population()
            func start() -> any Disposable {
                promise.futureResult.producer.start { [token = population.token()] _ in token.touch() }
            }
            let start = start()
            #expect(population.alive == 1)
            start.dispose()
            #expect(population.alive == 0)
            #expect(!other.hasTerminated)
            promise.succeed(1)
            #expect(other.values == [1])
        }

        @Test(
            "delivers on the event loop, whether the future has been fulfilled before or not", arguments: [false, true])
        func thread(isFulfilled: Bool) async throws {
            try await withEventLoop { loop in
                let promise = loop.makePromise(of: Int.self)
                if isFulfilled { try await loop.submit { promise.succeed(1) }.get() }
                let isOnLoop = promise.futureResult.producer.map { _ in loop.inEventLoop }
                async let found = isOnLoop.first()
                promise.succeed(1)
                #expect(try await found == true)
            }
        }

        @Test("interrupts if the event loop has shut down, so that nothing waits forever")
        func shutDown() async throws {
            let future = try await withEventLoop { loop in loop.makeSucceededFuture(1) }
            #expect(try await future.producer.first() == nil)
            if case .interrupted = await future.producer.wait() {} else { Issue.record("not interrupted") }
        }

        @Test("sends exactly one terminal event when a disposal and the result race")
        func race() async throws {
            try await withEventLoop { loop in
                for _ in 0..<2_000 {
                    let promise = loop.makePromise(of: Int.self)
                    let (values, ends) = (MutableProperty(0), MutableProperty(0))
                    let start = promise.futureResult.producer.start { event in
                        (event.isTerminating ? ends : values).modify { $0 += 1 }
                    }
                    async let fulfilled: Void = promise.succeed(1)
                    start.dispose()
                    await fulfilled
                    // The result has been delivered when the event loop has run what it had to do.
                    try await loop.submit {}.get()
                    #expect(ends.value == 1)
                    #expect(values.value <= 1)
                }
            }
        }

        @Test("does not make the event loop wait for a delivery on another thread")
        func enqueues() async throws {
            try await withEventLoop { loop in
                let promise = loop.makePromise(of: Int.self)
                let (numbers, input) = Signal<Int, any Error>.pipe()
                let (values, hasGoneOn) = (MutableProperty<[Int]>([]), MutableProperty(false))
                let merged = SignalProducer.merge([SignalProducer(numbers), promise.futureResult.producer])
                merged.startWithNextResult { value in
                    values.modify { $0.append(value) }
                    if value == 1 {
                        // While this thread delivers, the event loop fulfills the promise and goes on.
                        promise.succeed(2)
                        loop.execute { hasGoneOn.value = true }
                        while !hasGoneOn.value {}
                    }
                }
                await Task.detached { input.sendNext(1) }.value
                #expect(await eventually { values.value == [1, 2] })
                input.sendCompleted()
            }
        }
    }

    @Suite("A producer as a future")
    struct ProducerAsFuture {
        private let loop = EmbeddedEventLoop()

        @Test("succeeds with the first value, and stops the work")
        func value() throws {
            let made = MutableProperty(0)
            let producer = SignalProducer<Int, Never>(1...10).on(next: { _ in made.modify { $0 += 1 } })
            #expect(try producer.future(on: loop).wait() == 1)
            #expect(made.value == 1)
        }

        @Test("fails with the error, and tells an interruption from a completion without a value")
        func ends() throws {
            #expect(throws: Trouble()) { try SignalProducer<Int, Trouble>(error: Trouble()).future(on: loop).wait() }
            #expect(throws: CompletedWithoutValue()) { try SignalProducer<Int, Never>.empty.future(on: loop).wait() }
            let interrupted = SignalProducer<Int, Never> { observer, _ in observer.sendInterrupted() }
            #expect(throws: CancellationError.self) { try interrupted.future(on: loop).wait() }
        }

        @Test("starts the producer once, at once")
        func starts() throws {
            let starts = MutableProperty(0)
            let future = SignalProducer<Int, Never>(value: 1).on(started: { starts.modify { $0 += 1 } }).future(
                on: loop)
            #expect(starts.value == 1)
            _ = try (future.wait(), future.wait())
            #expect(starts.value == 1)
        }

        @Test("a cancellation interrupts the work, and fails the future")
        func cancellation() throws {
            let log = MutableProperty<[String]>([])
            let (future, cancellation) = SignalProducer<Int, Never>.never
                .on(
                    interrupted: { log.modify { $0.append("interrupted") } },
                    disposed: { log.modify { $0.append("disposed") } }
                )
                .cancellableFuture(on: loop)
            #expect(!cancellation.isDisposed)
            cancellation.dispose()
            cancellation.dispose()
            #expect(throws: CancellationError.self) { try future.wait() }
            #expect(log.value == ["interrupted", "disposed"])
        }

        @Test("a cancellation after the value changes nothing")
        func lateCancellation() throws {
            let (future, cancellation) = SignalProducer<Int, Never>(value: 1).cancellableFuture(on: loop)
            cancellation.dispose()
            #expect(try future.wait() == 1)
        }

        @Test("its callbacks run on the event loop, from whichever thread the value comes")
        func thread() async throws {
            try await withEventLoop { loop in
                let queue = QueueScheduler()
                let future = SignalProducer<Int, Never>(value: 1).observe(on: queue).future(on: loop)
                let isOnLoop = try await future.map { _ in loop.inEventLoop }.get()
                #expect(isOnLoop)
            }
        }

        @Test("is fulfilled exactly once when the value, the end and a cancellation race")
        func race() async throws {
            try await withEventLoop { loop in
                for round in 0..<1_000 {
                    let (numbers, input) = Signal<Int, Trouble>.pipe()
                    let (future, cancellation) = SignalProducer(numbers).cancellableFuture(on: loop)
                    await withTaskGroup { group in
                        group.addTask { input.sendNext(1) }
                        if round % 3 != 0 { group.addTask { input.sendError(Trouble()) } }
                        if round % 3 != 1 { group.addTask { cancellation.dispose() } }
                        if round % 3 == 2 { group.addTask { input.sendCompleted() } }
                    }
                    switch await future.result {
                    case .success(let value): #expect(value == 1)
                    case .failure(let error):
                        #expect(error is Trouble || error is CancellationError || error is CompletedWithoutValue)
                    }
                }
            }
        }

        @Test("survives the way to a future and back")
        func roundTrip() throws {
            let recorder = SignalProducer<Int, Never>(value: 3).future(on: loop).producer.record()
            #expect(recorder.values == [3])
            let interrupted = SignalProducer<Int, Never> { observer, _ in observer.sendInterrupted() }
            #expect(interrupted.future(on: loop).producer.record().wasInterrupted)
        }
    }
}

extension EventLoopFuture where Value: Sendable {
    /// How the future ends.
    fileprivate var result: Result<Value, any Error> {
        get async {
            do { return .success(try await get()) } catch { return .failure(error) }
        }
    }
}

extension SignalProducer {
    /// Observes the values of a producer that may fail.
    fileprivate func startWithNextResult(_ action: @escaping @Sendable (Value) -> Void) {
        start { event in
            if case .next(let value) = event { action(value) }
        }
    }
}
