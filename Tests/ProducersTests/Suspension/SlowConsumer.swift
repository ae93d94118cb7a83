import HotSignals
import ReactiveSignals
import TestSupport

/// A consumer that suspends its source, and takes values when the test says so.
final class SlowConsumer<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable: only the thread of the test uses it, and runs its tasks.
    private var iterator: AsyncEvents<Value, Failure>.Iterator?
    private let executor: HandDrivenExecutor
    private var task: Task<Void, Never>?
    /// Whether an event has been requested that has not come.
    private var isWaiting = false
    private(set) var values: [Value] = []
    /// The terminal event, when it has been taken.
    private(set) var end: String?

    init(_ producer: SignalProducer<Value, Failure>, room: Int, _ executor: HandDrivenExecutor) {
        let events = producer.events(buffering: .suspending(room))
        iterator = executor.within { events.makeAsyncIterator() }
        self.executor = executor
        executor.run()
    }

    /// Takes as many events. The last request may have to wait.
    func take(_ count: Int = 1) {
        for _ in 0..<count where end == nil {
            request()
            executor.run()
        }
    }

    /// Requests an event, unless it already waits for one.
    func request() {
        if isWaiting { return }
        isWaiting = true
        task = Task(executorPreference: executor) { [self] in
            let event = await iterator?.next()
            isWaiting = false
            guard let event else { return }
            if let value = event.value { values.append(value) } else { end = event.text }
        }
    }

    /// Goes. A request that waits is cancelled.
    func release() {
        task?.cancel()
        executor.run()
        task = nil
        iterator = nil
        executor.run()
    }
}
