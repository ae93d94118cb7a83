import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("An action with async work", .watched)
struct ActionAsyncTests {
    private let executor = HandDrivenExecutor()
    private let log = Log<String>()

    @Test("sends the function's result, and is disabled while the function runs")
    func value() {
        let action = Action { (input: Int) async in input + 1 }
        let typed: Action<Int, Int, Never> = action
        executor.within {
            typed.apply(1).start { [log] in log.append($0.text) }
            typed.apply(5).start { [log] in log.append($0.text) }
        }
        #expect(typed.isExecuting.value)
        #expect(!typed.isEnabled.value)
        executor.run()
        expect(log.all, is: ["error disabled", "2", "completed"])
        #expect(typed.isEnabled.value)
    }

    @Test("fails with the error that the function throws")
    func failure() {
        let action = Action<Int, Int, TestError> { (_) async throws(TestError) in throw .first }
        executor.within { action.apply(1).start { [log] in log.append($0.text) } }
        executor.run()
        expect(log.all, is: ["error producerError(TestSupport.TestError.first)"])
    }

    @Test("does not call the function when the start is disposed of before the task runs")
    func disposal() {
        let cancellations = Counter()
        let action = Action<Void, Int, Never> { () async in
            await withTaskCancellationHandler {
                // Ends only when it is cancelled.
                for await _ in AsyncStream<Int>(unfolding: { 1 }) where Task.isCancelled { break }
                return 1
            } onCancel: {
                cancellations.increment()
            }
        }
        let disposable = executor.within { action.apply().start { [log] in log.append($0.text) } }
        disposable.dispose()
        executor.run()
        expect(log.all, is: ["interrupted"])
        expect(cancellations.value, is: 0, "the task has not begun")
        #expect(!action.isExecuting.value)
    }

    @Test("cancels a running function, and ignores its late result")
    func cancellation() {
        let waiting = Locked<CheckedContinuation<Int, Never>?>(nil)
        let cancellations = Counter()
        let action = Action<Void, Int, Never>(policy: .refuse, priority: .low) { () async in
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
            } onCancel: {
                cancellations.increment()
            }
        }
        let disposable = executor.within { action.apply().start { [log] in log.append($0.text) } }
        executor.run()
        disposable.dispose()
        expect(log.all, is: ["interrupted"])
        expect(cancellations.value, is: 1)
        #expect(action.isEnabled.value, "a heedless function does not keep the action")
        waiting.withLock { $0.take() }?.resume(returning: 1)
        executor.run()
        expect(log.all, is: ["interrupted"])
    }

    @Test("can be disabled")
    func condition() {
        let isAllowed = MutableProperty(false)
        let calls = Counter()
        let plain = Action<Int, Int, Never>(enabledIf: isAllowed) { (input: Int) async in input * calls.increment() }
        let void = Action<Void, Int, TestError>(enabledIf: isAllowed, policy: .concurrent(limit: 2)) {
            () async throws(TestError) in calls.increment()
        }
        executor.within {
            plain.apply(3).start { [log] in log.append($0.text) }
            void.apply().start { [log] in log.append($0.text) }
            isAllowed.value = true
            plain.apply(3).start { [log] in log.append($0.text) }
            executor.run()
            void.apply().start { [log] in log.append($0.text) }
            executor.run()
        }
        expect(log.all, is: ["error disabled", "error disabled", "3", "completed", "2", "completed"])
    }

    @Test("has the given policy and priority, in every form", arguments: 0..<4)
    func forms(form: Int) {
        let isAllowed = MutableProperty(true)
        let note = { @Sendable [log] in log.append("\(Task.currentPriority == .low)") }
        let policy = ActionPolicy.concurrent(limit: 2)
        let starts: SignalProducer<Void, Never>
        switch form {
        case 0, 1:
            let work = { @Sendable (_: Int) async in note() }
            let action: Action<Int, Void, Never> =
                form == 0
                ? Action(policy: policy, priority: .low, async: work)
                : Action(enabledIf: isAllowed, policy: policy, priority: .low, async: work)
            starts = .merge([1, 2].map { action.apply($0).flatMapError { _ in SignalProducer<Void, Never>.empty } })
        default:
            let work = { @Sendable () async in note() }
            let action: Action<Void, Void, Never> =
                form == 2
                ? Action(policy: policy, priority: .low, async: work)
                : Action(enabledIf: isAllowed, policy: policy, priority: .low, async: work)
            starts = .merge([1, 2].map { _ in action.apply().flatMapError { _ in SignalProducer<Void, Never>.empty } })
        }
        executor.within { _ = starts.start() }
        executor.run()
        expect(log.all, is: ["true", "true"])
    }

    @Test("does not change the type of closures that return producers")
    func overloads() {
        let plain = Action { (input: Int) in SignalProducer<Int, Never>(value: input) }
        let void = Action { SignalProducer<Int, Never>(value: 1) }
        let labelled = Action(async: { (input: Int) async -> Int in input })
        #expect(type(of: plain) == Action<Int, Int, Never>.self)
        #expect(type(of: void) == Action<Void, Int, Never>.self)
        #expect(type(of: labelled) == Action<Int, Int, Never>.self)
    }
}
