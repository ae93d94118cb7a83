import HotSignals
public import ReactiveSignals

/// Records what a stream sends, and when.
///
/// ```swift
/// let recorder = producer.debounce(.seconds(2), on: scheduler).record(on: scheduler)
/// scheduler.advance(by: .seconds(10))
/// #expect(recorder.values == ["a"])
/// try recorder.expect("--a--|")
/// ```
///
/// `print(recorder)` draws the recording so far: see ``marbles(frame:file:line:)``.
///
/// **Threads**: any thread can read it at any time. Events are recorded on the threads that send them.
///
/// **Lifetime**: a recorder returned by `record(on:)` stops recording when it is released.
public final class TestObserver<Value: Sendable, Failure: Error>: Disposable {
    /// What has been recorded. Separate from the recorder, so that the stream does not retain the recorder.
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
    private let disposable = SerialDisposable()

    /// The instant at which recording began, which is the first column of a diagram.
    public let beginning: TestScheduler.Instant

    /// Creates an empty recorder. Add its ``observer`` to a signal, or start a producer with it.
    ///
    /// - Parameter scheduler: Provides the times of the events.
    public init(on scheduler: TestScheduler) {
        self.scheduler = scheduler
        beginning = scheduler.now
    }

    deinit { disposable.dispose() }

    /// The observer to pass to `observe` or `start`. It does not retain the recorder.
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

    /// Disposes of `disposable` when the recorder is disposed of or released.
    func follow(_ disposable: (any Disposable)?) { self.disposable.inner = disposable }

    // MARK: Recorded events

    /// All recorded events, in order.
    public var events: [TimedEvent<Value, Failure>] { record.state.withLock { $0.events } }

    /// The recorded values, in order.
    public var values: [Value] { events.compactMap(\.event.value) }

    /// The terminal event, or `nil` if the stream has not ended.
    public var terminal: Event<Value, Failure>? { record.state.withLock { $0.terminal } }

    /// Whether the stream has ended.
    public var hasTerminated: Bool { terminal != nil }

    /// Whether the stream has completed.
    public var hasCompleted: Bool { terminal?.isCompleted ?? false }

    /// Removes the recorded events. The recorder still knows whether the stream has ended.
    public func removeAll() {
        // Released outside the lock.
        let removed = record.state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
        withExtendedLifetime(removed) {}
    }

    // MARK: Waiting

    /// Waits until the stream has ended, or returns immediately if it has.
    ///
    /// - Returns: The terminal event.
    /// - Throws: `CancellationError` if the task is cancelled before the stream has ended.
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
                    // A later cancellation finds the continuation.
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
        // The stream has ended. Otherwise the call above would have thrown.
        return terminal.unsafelyUnwrapped
    }

    // MARK: Disposal

    /// Whether it no longer records: it has been disposed of, or the stream has ended.
    public var isDisposed: Bool { disposable.isDisposed || hasTerminated }

    /// Stops recording, by disposing of what `observe` or `start` returned. Keeps the recorded events.
    public func dispose() { disposable.dispose() }
}

extension Signal {
    /// Observes the signal with a recorder.
    ///
    /// - Parameter scheduler: Provides the times of the events.
    /// - Returns: The recorder. Releasing it, or disposing of it, ends the observation.
    public func record(on scheduler: TestScheduler) -> TestObserver<Value, Failure> {
        let recorder = TestObserver<Value, Failure>(on: scheduler)
        recorder.follow(observe(recorder.observer))
        return recorder
    }
}

extension SignalProducer {
    /// Starts the producer with a recorder.
    ///
    /// - Parameter scheduler: Provides the times of the events.
    /// - Returns: The recorder. Releasing it, or disposing of it, interrupts the work.
    public func record(on scheduler: TestScheduler) -> TestObserver<Value, Failure> {
        let recorder = TestObserver<Value, Failure>(on: scheduler)
        recorder.follow(start(recorder.observer))
        return recorder
    }
}

extension PropertyProtocol where Value: Sendable {
    /// Records the current value and each change: see ``ColdProducers/SignalProducer/record(on:)``.
    ///
    /// - Parameter scheduler: Provides the times of the events.
    public func record(on scheduler: TestScheduler) -> TestObserver<Value, Never> {
        producer.record(on: scheduler)
    }
}
