import HotSignals
public import ReactiveSignals

/// Records what a stream sends, and when.
///
///     let recorder = producer.debounce(.seconds(2), on: scheduler).record(on: scheduler)
///     scheduler.advance(by: .seconds(10))
///     #expect(recorder.values == ["a"])
///     try recorder.expect("--a--|")
///
/// `print(recorder)` draws what has been recorded so far: see ``marbles(frame:)``.
///
/// **Threads**: it may be read from any thread at any time. The events come on the threads that send them.
///
/// **Life**: a recorder made by a `record(on:)` is disposed of when it is released. What it has recorded goes with it.
public final class TestObserver<Value: Sendable, Failure: Error>: Disposable {
    /// What has been recorded, apart from the recorder, so that the stream does not hold that.
    private final class Record: Sendable {
        struct State {
            var events: [TimedEvent<Value, Failure>] = []
            var terminal: Event<Value, Failure>?
            var waiting: [UInt: CheckedContinuation<Void, any Error>] = [:]
            var nextWaiter: UInt = 0
        }

        let state = Locked(State())
    }

    private let record = Record()
    let scheduler: TestScheduler
    private let subscription = SerialDisposable()

    /// When the recording began: the moment that the first column of a diagram stands for.
    public let beginning: TestScheduler.Instant

    /// A recorder that has seen nothing. Add its ``observer`` to a signal, or start a producer with it.
    ///
    /// - Parameter scheduler: Whose time the recorder notes.
    public init(on scheduler: TestScheduler) {
        self.scheduler = scheduler
        beginning = scheduler.now
    }

    deinit { subscription.dispose() }

    /// What records: to be passed to `observe` or `start`. It does not hold the recorder.
    public var observer: Signal<Value, Failure>.Observer {
        Signal<Value, Failure>.Observer { [record, scheduler] event in
            let timed = TimedEvent(event, at: scheduler.now)
            let woken: [CheckedContinuation<Void, any Error>] = record.state.withLock { state in
                state.events.append(timed)
                guard event.isTerminating, state.terminal == nil else { return [] }
                state.terminal = event
                defer { state.waiting = [:] }
                return Array(state.waiting.values)
            }
            for continuation in woken { continuation.resume() }
        }
    }

    /// Makes a recorder's disposal dispose of what it observes.
    func follow(_ disposable: (any Disposable)?) { subscription.inner = disposable }

    // MARK: What came

    /// Everything that came, in order.
    public var events: [TimedEvent<Value, Failure>] { record.state.withLock { $0.events } }

    /// The values that came, in order.
    public var values: [Value] { events.compactMap(\.event.value) }

    /// The error, completion or interruption that came; nil if the stream goes on.
    public var terminal: Event<Value, Failure>? { record.state.withLock { $0.terminal } }

    /// Whether the stream has ended.
    public var hasTerminated: Bool { terminal != nil }

    /// Whether the stream has completed.
    public var hasCompleted: Bool { terminal?.isCompleted ?? false }

    /// Forgets the events that came up to now, but not that the stream has ended.
    public func removeAll() {
        // Released outside the lock.
        let removed = record.state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
        withExtendedLifetime(removed) {}
    }

    // MARK: Waiting

    /// Returns when the stream has ended, at once if that is past.
    ///
    /// - Returns: The error, completion or interruption.
    /// - Throws: `CancellationError` when the task is cancelled, unless the stream has ended.
    @discardableResult
    public func terminated() async throws -> Event<Value, Failure> {
        if let terminal { return terminal }
        let record = record
        let waiter = record.state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let hasTerminated: Bool? = record.state.withLock { state in
                    if state.terminal != nil { return true }
                    // A cancellation that comes later finds the continuation.
                    if Task.isCancelled { return false }
                    state.waiting[waiter] = continuation
                    return nil
                }
                switch hasTerminated {
                case true: continuation.resume()
                case false: continuation.resume(throwing: CancellationError())
                case nil: break
                }
            }
        } onCancel: {
            let continuation = record.state.withLock { $0.waiting.removeValue(forKey: waiter) }
            continuation?.resume(throwing: CancellationError())
        }
        // There is one, else it would have thrown.
        return terminal.unsafelyUnwrapped
    }

    // MARK: Disposal

    /// Whether it observes nothing: it has been disposed of, or the stream has ended.
    public var isDisposed: Bool { subscription.isDisposed || hasTerminated }

    /// Stops the recording, as disposing of what `observe` or `start` returns does. What has been recorded stays.
    public func dispose() { subscription.dispose() }
}

extension Signal {
    /// Observes the signal with a recorder.
    ///
    /// - Parameter scheduler: Whose time the recorder notes.
    /// - Returns: The recorder. When it is released, or disposed of, the signal is no longer observed.
    public func record(on scheduler: TestScheduler) -> TestObserver<Value, Failure> {
        let recorder = TestObserver<Value, Failure>(on: scheduler)
        recorder.follow(observe(recorder.observer))
        return recorder
    }
}

extension SignalProducer {
    /// Starts the producer with a recorder.
    ///
    /// - Parameter scheduler: Whose time the recorder notes.
    /// - Returns: The recorder. When it is released, or disposed of, the work is interrupted.
    public func record(on scheduler: TestScheduler) -> TestObserver<Value, Failure> {
        let recorder = TestObserver<Value, Failure>(on: scheduler)
        recorder.follow(start(recorder.observer))
        return recorder
    }
}

extension PropertyProtocol where Value: Sendable {
    /// Records the value at this moment and each change: see ``ColdProducers/SignalProducer/record(on:)``.
    ///
    /// - Parameter scheduler: Whose time the recorder notes.
    public func record(on scheduler: TestScheduler) -> TestObserver<Value, Never> {
        producer.record(on: scheduler)
    }
}
