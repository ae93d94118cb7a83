import HotSignals
import ReactiveSignals
import TestSupport

/// A signal with back-pressure, whose senders and consumers go on when the test says so.
final class BoundedPipe<Value: Sendable>: Sendable {
    let signal: Signal<Value, TestError>
    let input: Signal<Value, TestError>.Sender
    let executor: HandDrivenExecutor

    init(capacity: Int, _ executor: HandDrivenExecutor = HandDrivenExecutor()) {
        self.executor = executor
        (signal, input) = Signal.pipe(capacity: capacity)
    }

    /// A task that sends one value.
    final class Sending: Sendable {
        /// `nil` while it is suspended.
        var result: Bool? { log.all.first }
        fileprivate let log = Log<Bool>()
        private let task = Locked<Task<Void, Never>?>(nil)

        fileprivate func set(_ task: Task<Void, Never>) { self.task.withLock { $0 = task } }

        func cancel() { task.withLock { $0 }?.cancel() }
    }

    /// Starts to send a value, and runs what can run.
    @discardableResult
    func send(_ value: Value) -> Sending {
        let sending = start(value)
        executor.run()
        return sending
    }

    /// Starts to send a value.
    @discardableResult
    func start(_ value: Value) -> Sending {
        let sending = Sending()
        let (input, log) = (input, sending.log)
        sending.set(Task(executorPreference: executor) { log.append(await input.send(value)) })
        return sending
    }

    /// Sends values until there is no room, and returns how many there were.
    @discardableResult
    func fill(with value: Value) -> Int {
        var count = 0
        while input.trySend(value) { count += 1 }
        return count
    }

    /// A consumer of the signal.
    func consumer(_ policy: BufferingPolicy) -> BoundedConsumer<Value> {
        BoundedConsumer(signal.values(buffering: policy), executor)
    }
}

/// Takes values one at a time, each in a task.
final class BoundedConsumer<Value: Sendable>: @unchecked Sendable {
    // Sendable: only the thread of the test uses it, and runs its tasks.
    private var iterator: AsyncValues<Value, TestError>.Iterator?
    private let executor: HandDrivenExecutor
    private var task: Task<Void, Never>?
    private(set) var values: [Value] = []
    private(set) var failures = 0
    private(set) var isOver = false
    /// Whether a value has been requested that has not come.
    private(set) var isWaiting = false

    init(_ values: AsyncValues<Value, TestError>, _ executor: HandDrivenExecutor) {
        iterator = values.makeAsyncIterator()
        self.executor = executor
    }

    /// Requests a value.
    func request() {
        isWaiting = true
        task = Task(executorPreference: executor) { [self] in
            do {
                if let value = try await iterator?.next() { values.append(value) } else { isOver = true }
            } catch {
                failures += 1
            }
            isWaiting = false
        }
    }

    /// Requests values, one after another, and runs what can run.
    func take(_ count: Int = 1) {
        for _ in 0..<count {
            request()
            executor.run()
        }
    }

    /// Cancels the task that requested the last value.
    func cancel() { task?.cancel() }

    /// Releases the iterator.
    func release() {
        task = nil
        iterator = nil
    }
}
