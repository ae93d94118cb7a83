import ColdProducers
import HotSignals

extension Action {
    /// Runs a unit of work, and returns its result when it has completed.
    ///
    ///     guard let session = try await logIn(credentials) else { return }
    ///
    /// Like a start of ``apply(_:)``, for whom one value is enough. A unit that waits for its turn, as ``ActionPolicy/queue(limit:)`` says,
    /// is waited for.
    ///
    /// - Returns: The last value of the unit, which is the only one of an asynchronous function; nil if there is none, because it
    ///   has sent nothing, or has been interrupted. Cancelling the task that waits interrupts the unit; one that is cancelled
    ///   already begins none.
    /// - Throws: ``ActionError/disabled`` if the action is disabled, or ``ActionError/producerError(_:)`` if the work fails.
    @discardableResult
    public func callAsFunction(
        _ input: Input, isolation: isolated (any Actor)? = #isolation
    ) async throws(ActionError<Failure>) -> Output? {
        let call = ActionCall<Output, ActionError<Failure>>()
        let result = await withTaskCancellationHandler {
            // Mentioned, as the closure would not be isolated otherwise.
            _ = isolation
            return await withCheckedContinuation { continuation in call.start(apply(input), continuation) }
        } onCancel: {
            call.interrupter.dispose()
        }
        return try result.get()
    }
}

extension Action where Input == Void {
    /// Runs a unit of work, and returns its result when it has completed: see ``callAsFunction(_:isolation:)``.
    @discardableResult
    public func callAsFunction(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(ActionError<Failure>) -> Output? {
        try await self((), isolation: isolation)
    }
}

/// A start that a task waits for.
private final class ActionCall<Value: Sendable, Failure: Error>: Sendable {
    /// Interrupts the start, also before there is one.
    let interrupter = SerialDisposable()
    private let latest = Locked<Value?>(nil)

    /// Starts, unless it has been interrupted, and resumes the continuation at the end: exactly once, as there is one end.
    func start(
        _ producer: SignalProducer<Value, Failure>, _ continuation: CheckedContinuation<Result<Value?, Failure>, Never>
    ) {
        producer.startWithSignal { signal, interrupter in
            signal.observe { event in
                switch event {
                case .next(let value): self.keep(value)
                case .error(let error): continuation.resume(returning: .failure(error))
                case .completed: continuation.resume(returning: .success(self.keep(nil)))
                case .interrupted: continuation.resume(returning: .success(nil))
                }
            }
            self.interrupter.inner = interrupter
        }
    }

    /// Returns the value before, so that it is released outside the lock.
    @discardableResult
    private func keep(_ value: Value?) -> Value? {
        latest.withLock { latest in
            defer { latest = value }
            return latest
        }
    }
}
