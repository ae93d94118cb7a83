import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// An operation that returns when the test says so.
final class Errand: Sendable {
    private struct State {
        var result: Result<Int, TestError>?
        var waiting: CheckedContinuation<Result<Int, TestError>, Never>?
    }

    private let state = Locked(State())
    let calls = Counter()
    let cancellations = Counter()

    /// The first result counts.
    func finish(_ result: Result<Int, TestError>) {
        let waiting = state.withLock { state in
            if state.waiting == nil, state.result == nil { state.result = result }
            return state.waiting.take()
        }
        waiting?.resume(returning: result)
    }

    func run() async throws(TestError) -> Int {
        calls.increment()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state in
                    if state.result == nil { state.waiting = continuation }
                    return state.result
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            cancellations.increment()
        }
        return try result.get()
    }
}

@Suite("SignalProducer.async(priority:_:)", .watched)
struct AsyncOperationTests {
    private let executor = HandDrivenExecutor()
    private let log = Log<String>()

    private func start(_ errand: Errand) -> any Disposable {
        executor.within {
            Numbers.async { () async throws(TestError) in try await errand.run() }
                .start { [log] in log.append($0.text) }
        }
    }

    @Test("sends the function's result and completes", arguments: [false, true])
    func value(isLate: Bool) {
        let errand = Errand()
        if !isLate { errand.finish(.success(7)) }
        let disposable = start(errand)
        expect(errand.calls.value, is: 0, "the task has not begun")
        executor.run()
        if isLate {
            expect(log.all, is: [])
            errand.finish(.success(7))
            executor.run()
        }
        expect(log.all, is: ["7", "completed"])
        #expect(disposable.isDisposed)
        expect(errand.cancellations.value, is: 0)
    }

    @Test("fails with the error that the function throws")
    func failure() {
        let errand = Errand()
        errand.finish(.failure(.second))
        _ = start(errand)
        executor.run()
        expect(log.all, is: ["error second"])
    }

    @Test("is interrupted by a CancellationError")
    func cancellationError() {
        executor.within {
            _ = SignalProducer<Int, any Error>.async { throw CancellationError() }
                .start { [log] in log.append($0.text) }
        }
        executor.run()
        expect(log.all, is: ["interrupted"])
    }

    @Test("calls the function once per start, and infers that it cannot fail")
    func perStart() {
        let calls = Counter()
        let producer = SignalProducer.async { calls.increment() }
        let typed: SignalProducer<Int, Never> = producer
        expect(calls.value, is: 0)
        for _ in 1...2 { executor.within { _ = typed.start { [log] in log.append($0.text) } } }
        executor.run()
        expect(log.all, is: ["1", "completed", "2", "completed"])
    }

    @Test("infers the error type of the function")
    func named() {
        @Sendable func work() async throws(TestError) -> Int { throw .first }
        let producer: SignalProducer<Int, TestError> = .async(work)
        executor.within { _ = producer.start { [log] in log.append($0.text) } }
        executor.run()
        expect(log.all, is: ["error first"])
    }

    @Test("is interrupted immediately on disposal, cancels the task, and ignores a function that goes on regardless")
    func disposal() {
        for result in [Result<Int, TestError>.success(1), .failure(.first)] {
            log.removeAll()
            let errand = Errand()
            let disposable = start(errand)
            executor.run()
            disposable.dispose()
            expect(log.all, is: ["interrupted"])
            expect(errand.cancellations.value, is: 1)
            errand.finish(result)
            executor.run()
            expect(log.all, is: ["interrupted"])
        }
    }

    @Test("does not call the function when it is disposed of before the task runs")
    func notBegun() {
        let errand = Errand()
        start(errand).dispose()
        executor.run()
        expect(log.all, is: ["interrupted"])
        expect(errand.calls.value, is: 0)
    }

    @Test("is interrupted after its value when it is disposed of during the delivery")
    func disposalInside() {
        executor.within {
            SignalProducer.async { 1 }.startDisposably { [log] event, disposable in
                disposable.dispose()
                log.append(event.text)
            }
        }
        executor.run()
        expect(log.all, is: ["1", "interrupted"])
    }

    @Test("runs with the given priority, on the executor of the calling task")
    func priority() {
        executor.within {
            _ = SignalProducer.async(priority: .low) { Task.currentPriority }
                .startWithNext { [log] in log.append("\($0 == .low)") }
            _ = SignalProducer.async(priority: .high) { () async throws(TestError) in Task.currentPriority }
                .startWithResult { [log] in log.append("\((try? $0.get()) == .high)") }
        }
        expect(executor.count, is: 2)
        executor.run()
        expect(log.all, is: ["true", "true"])
    }

    @Test("releases the observer at the end, and on disposal even while the function is still running")
    func release() {
        for isDisposed in [false, true] {
            let (observers, errand) = (Population(), Errand())
            let disposable = {
                let member = observers.member()
                return executor.within {
                    Numbers.async { () async throws(TestError) in try await errand.run() }.start { _ in member.touch() }
                }
            }()
            executor.run()
            expect(observers.alive, is: 1)
            if isDisposed { disposable.dispose() } else { errand.finish(.success(1)) }
            if !isDisposed { executor.run() }
            expect(observers.alive, is: 0)
            errand.finish(.success(1))
            executor.run()
        }
    }

    @Test("ends exactly once when disposal races with the value")
    func race() {
        for round in 0..<raceRounds {
            let (executor, record, errand) = (HandDrivenExecutor(), StrictLog<Int, TestError>(), Errand())
            let disposable = executor.within {
                Numbers.async { () async throws(TestError) in try await errand.run() }.start { record.record($0) }
            }
            if round % 2 == 0 { executor.run() }
            errand.finish(round % 3 == 0 ? .failure(.first) : .success(5))
            onThreads(2, "a function and a disposal") { index in
                if index == 0 { executor.run() } else { disposable.dispose() }
            }
            executor.run()
            expect(record.mistakes, is: [])
            switch record.terminal {
            case "interrupted": #expect(record.values.isEmpty || record.values == [5])
            case "completed": #expect(record.values == [5])
            default: #expect(record.terminal == "error first" && record.values.isEmpty)
            }
        }
    }
}
