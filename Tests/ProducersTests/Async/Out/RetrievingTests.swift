import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// A task that waits for the result of a producer's work.
private final class Waiting<Value: Sendable>: Sendable {
    let manual = Manual()
    let executor = HandDrivenExecutor()
    let log = Log<Value>()
    let task: Task<Void, Never>

    init(cancelled: Bool = false, _ retrieve: @escaping @Sendable (Numbers) async -> Value) {
        task = Task(executorPreference: executor) { [log, producer = manual.producer] in
            log.append(await retrieve(producer))
        }
        if cancelled { task.cancel() }
        executor.run()
    }
}

private typealias Retrieve = @Sendable (Numbers) async -> String

/// The five functions, each with its result as text.
private let retrievals: [(name: String, retrieve: Retrieve)] = [
    ("first", { await text { producer async throws(TestError) in try await producer.first() }($0) }),
    ("last", { await text { producer async throws(TestError) in try await producer.last() }($0) }),
    ("single", { await text { producer async throws(TestError) in try await producer.single() }($0) }),
    ("collectAll", { await text { producer async throws(TestError) in try await producer.collectAll() }($0) }),
    ("wait", { await $0.wait().text }),
]

private func text<Value>(
    _ retrieve: @escaping @Sendable (Numbers) async throws(TestError) -> Value?
) -> @Sendable (Numbers) async -> String {
    { producer in
        do throws(TestError) {
            return try await retrieve(producer).map { "\($0)" } ?? "nil"
        } catch { return "error \(error)" }
    }
}

/// The five blocking functions.
private let blockingRetrievals: [(name: String, retrieve: @Sendable (Numbers) -> String)] = [
    ("first", { blockingText { producer throws(TestError) in try producer.blockingFirst() }($0) }),
    ("last", { blockingText { producer throws(TestError) in try producer.blockingLast() }($0) }),
    ("single", { blockingText { producer throws(TestError) in try producer.blockingSingle() }($0) }),
    ("collectAll", { blockingText { producer throws(TestError) in try producer.blockingCollect() }($0) }),
    ("wait", { $0.blockingWait().text }),
]

private func blockingText<Value>(
    _ retrieve: @escaping @Sendable (Numbers) throws(TestError) -> Value?
) -> @Sendable (Numbers) -> String {
    { producer in
        do throws(TestError) {
            return try retrieve(producer).map { "\($0)" } ?? "nil"
        } catch { return "error \(error)" }
    }
}

/// A producer's events, and the results of first, last, single, collect and wait.
private struct Expectation: Sendable, CustomTestStringConvertible {
    let events: [Event<Int, TestError>]
    let results: [String]

    init(_ events: [Event<Int, TestError>], _ results: String...) {
        self.events = events
        self.results = results
    }

    var testDescription: String { events.map(\.text).joined(separator: ", ") }

    static let all = [
        Expectation([.completed], "nil", "nil", "nil", "[]", "completed"),
        Expectation([.next(1), .completed], "1", "1", "1", "[1]", "completed"),
        Expectation([.next(1), .next(2), .completed], "1", "2", "nil", "[1, 2]", "completed"),
        Expectation([.error(.second)], "error second", "error second", "error second", "error second", "error second"),
        Expectation([.next(1), .error(.second)], "1", "error second", "error second", "error second", "error second"),
        Expectation([.next(1), .next(2), .error(.second)], "1", "error second", "nil", "error second", "error second"),
        Expectation([.interrupted], "nil", "nil", "nil", "nil", "interrupted"),
        Expectation([.next(1), .interrupted], "1", "nil", "nil", "nil", "interrupted"),
    ]
}

@Suite("first(), last(), single(), collectAll() and wait() of producers", .watched)
struct RetrievingTests {
    @Test("return the result of synchronous work", arguments: Expectation.all)
    private func synchronous(expectation: Expectation) {
        let disposals = Counter()
        let producer = Numbers { observer, lifetime in
            lifetime.observeEnded { disposals.increment() }
            for event in expectation.events { observer.send(event) }
        }
        for (index, form) in retrievals.enumerated() {
            let result = HandDrivenExecutor().run { await form.retrieve(producer) }
            expect(result, is: expectation.results[index], "\(form.name)()")
        }
        expect(disposals.value, is: retrievals.count)
    }

    @Test("return the result of work on another thread, once that work has been disposed of")
    func asynchronous() {
        for expectation in Expectation.all {
            for (index, form) in retrievals.enumerated() {
                let manual = Manual()
                let result = Log<String>()
                let executor = HandDrivenExecutor()
                let isDone = DoneFlag()
                Task(executorPreference: executor) {
                    result.append(await form.retrieve(manual.producer))
                    result.append("disposals \(manual.disposals.value)")
                    isDone.raise()
                }
                executor.run()
                let thread = TestThread("sender") {
                    for event in expectation.events { manual.input?.send(event) }
                }
                executor.run(until: isDone)
                thread.join()
                expect(result.all, is: [expectation.results[index], "disposals 1"], "\(form.name)()")
            }
        }
    }

    @Test("the blocking forms block the thread until the result is known", arguments: Expectation.all)
    private func blocking(expectation: Expectation) {
        for (index, form) in blockingRetrievals.enumerated() {
            let manual = Manual()
            let result = Log<String>()
            let thread = TestThread("blocked") {
                result.append(form.retrieve(manual.producer))
                result.append("disposals \(manual.disposals.value)")
            }
            #expect(becomesTrue { manual.input != nil })
            thread.waitUntilAsleep()
            expect(result.all, is: [], "\(form.name)()")
            for event in expectation.events { manual.input?.send(event) }
            thread.join()
            expect(result.all, is: [expectation.results[index], "disposals 1"], "\(form.name)()")
        }
    }

    @Test("the blocking forms return the result of synchronous work", arguments: Expectation.all)
    private func blockingSynchronous(expectation: Expectation) {
        let producer = Numbers { observer, _ in
            for event in expectation.events { observer.send(event) }
        }
        for (index, form) in blockingRetrievals.enumerated() {
            expect(form.retrieve(producer), is: expectation.results[index], "\(form.name)()")
        }
    }

    @Test("take no more of an endless source than they need")
    func endless() async {
        for (asked, result) in [(1, Optional(0)), (2, nil)] {
            let counter = Counter()
            let producer = SignalProducer<Int, Never>(CountedNumbers(counter))
            let value = asked == 1 ? await producer.first() : await producer.single()
            expect(value, is: result)
            expect(counter.value, is: asked)
        }
    }

    @Test("the blocking forms take no more of an endless source than they need")
    func blockingEndless() {
        let counter = Counter()
        let producer = SignalProducer<Int, Never>(CountedNumbers(counter))
        expect(producer.blockingFirst(), is: 0)
        expect(counter.value, is: 1)
        #expect(producer.blockingSingle() == nil)
        expect(counter.value, is: 1 + 2)
    }

    @Test("interrupt the work when the task is cancelled, and return nil or the interruption")
    func cancellation() {
        for form in retrievals {
            let waiting = Waiting(form.retrieve)
            expect(waiting.manual.starts.value, is: 1)
            waiting.task.cancel()
            expect(waiting.manual.disposals.value, is: 1, "\(form.name)()")
            waiting.executor.run()
            expect(waiting.log.all, is: [form.name == "wait" ? "interrupted" : "nil"])
        }
    }

    @Test("return after a cancellation only once the work that another thread delivers has been disposed of")
    func cancellationInFlight() {
        for form in retrievals {
            let manual = Manual()
            let executor = HandDrivenExecutor()
            let results = Log<String>()
            let (isInside, goOn) = (Latch("the delivery"), Latch("the cancellation"))
            let task = Task(executorPreference: executor) {
                let producer = manual.producer.map { value in
                    isInside.open()
                    goOn.wait()
                    return value
                }
                let result = await form.retrieve(producer)
                results.append("\(result), disposals \(manual.disposals.value)")
            }
            executor.run()
            let thread = TestThread("sender") { manual.input?.sendNext(1) }
            isInside.wait()
            task.cancel()
            executor.run()
            expect(results.all, is: [], "\(form.name)()")
            goOn.open()
            thread.join()
            executor.run()
            expect(results.all, is: [(form.name == "wait" ? "interrupted" : "nil") + ", disposals 1"], "\(form.name)()")
        }
    }

    @Test("dispose of everything they start when cancellation races with the start")
    func cancelledBeginning() {
        for round in 0..<raceRounds {
            let form = retrievals[round % retrievals.count]
            let manual = Manual()
            let executor = HandDrivenExecutor()
            let isDone = DoneFlag()
            let task = Task(executorPreference: executor) {
                _ = await form.retrieve(manual.producer)
                isDone.raise()
            }
            onThreads(2, "beginning and cancellation of \(form.name)()") { index in
                if index == 0 { executor.run(until: isDone) } else { task.cancel() }
            }
            expect(manual.disposals.value, is: manual.starts.value)
            manual.release()
        }
    }

    @Test("start nothing in a task that has been cancelled")
    func cancelledBefore() {
        for form in retrievals {
            let waiting = Waiting(cancelled: true, form.retrieve)
            expect(waiting.manual.starts.value, is: 0, "\(form.name)()")
            expect(waiting.log.all, is: [form.name == "wait" ? "interrupted" : "nil"])
        }
    }

    @Test("interrupt synchronous work that cancels its own task")
    func synchronousCancellation() {
        for form in retrievals {
            let executor = HandDrivenExecutor()
            let producer = Numbers { observer, lifetime in
                withUnsafeCurrentTask { $0?.cancel() }
                #expect(lifetime.hasEnded)
                observer.sendNext(1)
                observer.sendCompleted()
            }
            let result = executor.run { await form.retrieve(producer) }
            #expect(result == (form.name == "wait" ? "interrupted" : "nil"), "\(form.name)()")
        }
    }

    @Test("resume once, dispose once and hold nothing when cancellation races with the value")
    func race() {
        let population = Population()
        for round in 0..<raceRounds {
            let form = retrievals[round % retrievals.count]
            let manual = Manual()
            let executor = HandDrivenExecutor()
            let isDone = DoneFlag()
            let results = Log<String>()
            let task = Task(executorPreference: executor) { [member = population.member()] in
                let producer = manual.producer.map { value in
                    member.touch()
                    return value
                }
                results.append(await form.retrieve(producer))
                isDone.raise()
            }
            executor.run()
            onThreads(3, "race of \(form.name)") { index in
                switch index {
                case 0: executor.run(until: isDone)
                case 1: task.cancel()
                default:
                    manual.input?.sendNext(1)
                    manual.input?.sendCompleted()
                }
            }
            #expect(["1", "[1]", "completed", "nil", "interrupted"].contains(results.all.joined()))
            expect(manual.disposals.value, is: 1)
            manual.release()
        }
        expect(population.alive, is: 0)
    }

    @Test("return an error that races with the beginning of the wait")
    func errorRace() {
        for _ in 0..<raceRounds {
            let manual = Manual()
            let executor = HandDrivenExecutor()
            let isDone = DoneFlag()
            let results = Log<String>()
            let hasStarted = Latch("the start")
            let producer = manual.producer.on(started: { hasStarted.open() })
            Task(executorPreference: executor) {
                results.append(await retrievals[0].retrieve(producer))
                isDone.raise()
            }
            onThreads(2, "error race") { index in
                if index == 0 {
                    executor.run(until: isDone)
                } else {
                    hasStarted.wait()
                    while manual.input == nil {}
                    manual.input?.sendError(.first)
                }
            }
            expect(results.all, is: ["error first"])
            manual.release()
        }
    }

    @Test(
        "the blocking forms do not compile in async code, and the message names the form that does", .notUnderSanitizers
    )
    func noasync() throws {
        let messages = try compilerMessages(
            about: """
                func f(_ producer: SignalProducer<Int, Never>) async {
                    _ = producer.blockingFirst()
                    _ = producer.blockingLast()
                    _ = producer.blockingSingle()
                    _ = producer.blockingCollect()
                    producer.blockingWait()
                }
                """)
        for (name, other) in [
            ("First", "first"), ("Last", "last"), ("Single", "single"), ("Collect", "collectAll"), ("Wait", "wait"),
        ] {
            let line = messages.split(separator: "\n").first { $0.contains("error:") && $0.contains("blocking\(name)") }
            expect(line?.contains("unavailable from asynchronous contexts"), is: true, "\(messages)")
            #expect(line?.contains("use `await \(other)()`") == true)
        }
        let fine = try compilerMessages(
            about: """
                func f(_ producer: SignalProducer<Int, Never>) async -> ([Int]?, SignalProducer<[Int], Never>) {
                    let (value, values) = (await producer.first(), await producer.collectAll())
                    _ = (value, producer.values(buffering: .newest(1)))
                    let all = producer.collect()
                    return (values, all)
                }
                func g(_ producer: SignalProducer<Int, Never>) -> Int? { producer.blockingFirst() }
                """)
        expect(fine, is: "")
    }

    @Test("the compiler suggests the blocking forms in synchronous code", .notUnderSanitizers)
    func synchronous() throws {
        let messages = try compilerMessages(
            about: """
                func f(_ producer: SignalProducer<Int, Never>) {
                    _ = producer.first()
                    _ = producer.last()
                    _ = producer.single()
                    producer.wait()
                }
                """)
        for name in ["First", "Last", "Single", "Wait"] {
            #expect(messages.contains("renamed to 'blocking\(name)()'"), "\(messages)")
        }
        #expect(!messages.contains("error:"))
    }

    @Test("a blocking call receives what its thread has to leave to another one")
    func blockedSender() {
        let (signal, input) = Signal<Int, TestError>.pipe(contention: .enqueue)
        let producer = Numbers { observer, _ in
            signal.observe(observer)
            input.sendNext(1)
            input.sendCompleted()
        }
        let (gate, thread) = (signal.core.gate, ThreadIdentity.current)
        #expect(gate.enterPassively(thread))
        let (hasSent, values) = (Latch("the send"), Log<Int>())
        let waiting = TestThread("sender") {
            _ = producer.on(started: { hasSent.open() }, next: { values.append($0) }).blockingWait()
        }
        hasSent.wait()
        gate.leavePassively(thread)
        waiting.join()
        expect(values.all, is: [1])
    }
}
