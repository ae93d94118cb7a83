import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("Executing an action", .watched)
struct ActionExecuteTests {
    typealias Pipe = (output: Signal<Int, TestError>, input: Signal<Int, TestError>.Observer)

    @Test("returns the result of an async function")
    func value() async throws {
        let action = Action { (input: Int) async throws(TestError) in input + 1 }
        #expect(try await action.execute(1) == 2)
        let void = Action { () async in 7 }
        #expect(try await void.execute() == 7)
    }

    @Test("returns the last value, or nil if there is none or the unit is interrupted")
    func values() async throws {
        #expect(try await Action<Int, Int, TestError> { _ in SignalProducer([1, 2, 3]) }.execute(0) == 3)
        #expect(try await Action<Int, Int, TestError> { _ in .empty }.execute(0) == nil)
        let interrupted = Action<Int, Int, TestError> { _ in
            SignalProducer { observer, _ in
                observer.sendNext(1)
                observer.sendInterrupted()
            }
        }
        #expect(try await interrupted.execute(0) == nil)
    }

    @Test("throws the typed error of the work")
    func failure() async {
        let action = Action<Int, Int, TestError> { _ in SignalProducer(error: .second) }
        do throws(ActionError<TestError>) {
            try await action.execute(1)
            Issue.record("nothing was thrown")
        } catch {
            expect(error, is: .producerError(.second))
        }
    }

    @Test("throws when the action is disabled")
    func disabled() async {
        let action = Action<Int, Int, TestError>(enabledIf: MutableProperty(false)) { SignalProducer(value: $0) }
        await #expect(throws: ActionError<TestError>.disabled) { try await action.execute(1) }
    }

    @Test("interrupts the unit when the waiting task is cancelled")
    func cancellation() async throws {
        let pipe: Pipe = Signal.pipe()
        let (begun, disposals) = (AsyncStream.makeStream(of: Void.self), Counter())
        let action = Action<Void, Int, TestError> {
            SignalProducer(pipe.output).on(
                started: { begun.continuation.finish() }, disposed: { disposals.increment() })
        }
        let task = Task { try await action.execute() }
        for await _ in begun.stream {}
        #expect(action.isExecuting.value)
        task.cancel()
        expect(disposals.value, is: 1)
        #expect(!action.isExecuting.value)
        #expect(try await task.value == nil)
    }

    @Test("returns nil when the task is cancelled during the delivery of the value")
    func cancelledInside() async throws {
        let action = Action<Void, Int, TestError> {
            SignalProducer(value: 1).on(next: { _ in withUnsafeCurrentTask { $0?.cancel() } })
        }
        let result = try await Task { try await action.execute() }.value
        #expect(result == nil)
        #expect(action.isEnabled.value)
    }

    @Test("runs all of its tasks in the task context of the call")
    func taskContext() {
        let (executor, log) = (HandDrivenExecutor(), Log<String>())
        let action = Action<Void, Int, Never> {
            .using(
                resource: { () throws(Never) in () }, release: { _ async in log.append("released") },
                producer: { _ in SignalProducer<Int, Never>.async { 1 } })
        }
        executor.within {
            _ = LibraryTask.start { log.append("\((try? await action.execute()) == 1)") }
        }
        executor.run()
        expect(Set(log.all), is: ["released", "true"])
    }

    @Test("begins nothing in a cancelled task")
    func cancelledBefore() async throws {
        let calls = Counter()
        let action = Action<Void, Int, TestError> { SignalProducer(value: calls.increment()) }
        let result = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await action.execute()
        }.value
        #expect(result == nil)
        expect(calls.value, is: 0)
    }

    @MainActor
    @Test("begins the unit on the calling thread, on an actor")
    func isolation() async throws {
        let action = Action<Void, UInt, Never> {
            SignalProducer { observer, _ in
                observer.sendNext(ThreadIdentity.current)
                observer.sendCompleted()
            }
        }
        // There is no suspension in between.
        let here = ThreadIdentity.current
        let there = try await action.execute()
        expect(there, is: here)
    }

    @Test("returns the results of units in a queue")
    func queue() async throws {
        let pipe: Pipe = Signal.pipe()
        let begun = AsyncStream.makeStream(of: Void.self)
        let action = Action<Int, Int, TestError>(policy: .queue(waiting: 1)) { input in
            if input == 1 { return SignalProducer(pipe.output).on(started: { begun.continuation.finish() }) }
            return SignalProducer(value: input)
        }
        let first = Task { try await action.execute(1) }
        for await _ in begun.stream {}
        async let second = action.execute(2)
        pipe.input.sendNext(10)
        pipe.input.sendCompleted()
        #expect(try await first.value == 10)
        #expect(try await second == 2)
    }

    @Test("returns once the action can run the next call")
    func oneAfterTheOther() async throws {
        let action = Action { (input: Int) async in input }
        for input in 0..<raceRounds {
            let result = try await action.execute(input)
            expect(result, is: input)
        }
        // Here, the action needs a moment to become available again.
        let slow = Action<Int, Int, TestError> { input in
            SignalProducer { observer, lifetime in
                lifetime.observeEnded { for _ in 0..<100 { _ = Task.isCancelled } }
                observer.sendNext(input)
                observer.sendCompleted()
            }.start(on: QueueScheduler())
        }
        for input in 0..<200 {
            let result = try await slow.execute(input)
            expect(result, is: input)
        }
    }

    @Test("a queued unit is counted only by its own scope")
    func turns() async {
        let (log, input, door) = (Log<String>(), Signal<Int, Never>.pipe(), AsyncStream.makeStream(of: Void.self))
        let action = Action<Int, Int, Never>(policy: .queue(waiting: 1)) { number in
            if number == 1 { return SignalProducer(input.output) }
            return SignalProducer.async {
                for await _ in door.stream {}
                return number
            }
        }
        await withSignalScope(throwing: Never.self) { scope in
            action.apply(1).flatMapError { _ in SignalProducer<Int, Never>.empty }.start(in: scope) {
                log.append("first \($0.text)")
            }
            await withCheckedContinuation { continuation in
                action.apply(2).start {
                    log.append("second \($0.text)")
                    if $0.isTerminating { continuation.resume() }
                }
                SignalProducer<Int, Never>.async {
                    // The second unit begins here.
                    input.input.sendCompleted()
                    return 0
                }.start(in: scope) { _ in }
                Task {
                    await scope.waitForAll()
                    log.append("all of the scope")
                    door.continuation.finish()
                }
            }
        }
        expect(log.all, is: ["first completed", "all of the scope", "second 2", "second completed"])
    }

    @Test("returns exactly once and holds nothing when cancellation races with the end")
    func race() async {
        for round in 0..<raceRounds {
            let (pipe, values): (Pipe, Population) = (Signal.pipe(), Population())
            let begun = AsyncStream.makeStream(of: Void.self)
            let action = Action<Void, Population.Member, TestError> {
                SignalProducer(pipe.output).map { _ in values.member() }.on(started: { begun.continuation.finish() })
            }
            let task = Task { () async -> String in
                do throws(ActionError<TestError>) { return try await action.execute() == nil ? "nil" : "value" } catch {
                    return "\(error)"
                }
            }
            for await _ in begun.stream {}
            await race(
                {
                    pipe.input.sendNext(1)
                    if round % 2 == 0 { pipe.input.sendCompleted() } else { pipe.input.sendError(.first) }
                }, { task.cancel() })
            let result = await task.value
            let expected = round % 2 == 0 ? "value" : "\(ActionError<TestError>.producerError(.first))"
            #expect(result == "nil" || result == expected)
            expect(values.alive, is: 0)
            #expect(action.isEnabled.value)
        }
    }

    /// Runs both concurrently on separate threads, without blocking a thread of the pool.
    private func race(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let both = TestThread("a race") {
                onThreads(2, "the end and a cancellation") { index in if index == 0 { first() } else { second() } }
                continuation.resume()
            }
            threads.append(both)
        }
        for thread in threads.all { thread.join() }
        threads.removeAll()
    }

    private let threads = Log<TestThread>()
}
