import ColdProducers
import HotSignals

// A named method, not `callAsFunction`. If a type is callable, Swift 6.2 and 6.3 crash on an error in the trailing
// closure of an initializer, which they also try to pass to the call (swiftlang/swift#86461).
extension Action {
    /// Runs a unit of work, and returns its result when it has completed.
    ///
    /// ```swift
    /// guard let session = try await logIn.execute(credentials) else { return }
    /// ```
    ///
    /// Like a start of ``apply(_:)``, but for a caller that needs one value. If the unit has to wait, as with
    /// ``ActionPolicy/queue(waiting:)``, this method returns later.
    ///
    /// - Returns: The last value of the unit, which is the only one of an async function, or `nil` if the unit sends no
    ///   value or is interrupted. Cancelling the calling task interrupts the unit. A task that is already cancelled
    ///   starts none.
    /// - Throws: ``ActionError/disabled`` if the action is disabled, or ``ActionError/producerError(_:)`` if the work
    ///   fails.
    @discardableResult
    public func execute(
        _ input: Input, isolation: isolated (any Actor)? = #isolation
    ) async throws(ActionError<Failure>) -> Output? {
        let call = ActionCall<Output, Failure>()
        let result = await withTaskCancellationHandler {
            // Mentioned because the closure would not be isolated otherwise.
            _ = isolation
            return await withCheckedContinuation { continuation in call.start(self, input, continuation) }
        } onCancel: {
            call.interrupter.dispose()
        }
        return try result.get()
    }
}

extension Action where Input == Void {
    /// Runs a unit of work, and returns its result when it has completed: see ``execute(_:isolation:)``.
    @discardableResult
    public func execute(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(ActionError<Failure>) -> Output? {
        try await execute((), isolation: isolation)
    }
}

/// A unit that a task waits for.
private final class ActionCall<Value: Sendable, Failure: Error>: Sendable {
    /// Interrupts the unit, even before the unit exists.
    let interrupter = SerialDisposable()
    private let result = Locked<Result<Value?, ActionError<Failure>>>(.success(nil))

    /// Starts the unit, unless it has been interrupted. Resumes the continuation only when the action is free again, so
    /// that a call made after this one finds it free.
    func start<Input>(
        _ action: Action<Input, Value, Failure>, _ input: Input,
        _ continuation: CheckedContinuation<Result<Value?, ActionError<Failure>>, Never>
    ) {
        // This start is not counted, because the unit counts its own.
        let start = Start()
        let end = ProducerSink<Value, ActionError<Failure>>(start) { event in
            switch event.pointee {
            case .next(let value): if !start.isOver { self.keep(.success(value)) }
            case .error(let error): self.end(start, .failure(error))
            case .completed: self.end(start, start.isCancelled ? .success(nil) : nil)
            case .interrupted: self.end(start, .success(nil))
            }
        }
        let whenOver = { @Sendable in continuation.resume(returning: self.result.withLock { $0 }) }
        interrupter.inner = start
        if action.isTapped.isOn {
            action.startTapped(input, end, whenOver: whenOver)
        } else {
            Execution(action, input, end, whenOver: whenOver).start()
        }
    }

    /// - Parameter result: `nil` for the last value.
    private func end(_ start: Start, _ result: Result<Value?, ActionError<Failure>>?) {
        guard start.raiseEnd() else { return }
        if let result { keep(result) }
        start.runCleanups()
    }

    private func keep(_ new: Result<Value?, ActionError<Failure>>) {
        let former = result.withLock { result in
            defer { result = new }
            return result
        }
        // Released outside the lock.
        withExtendedLifetime(former) {}
    }
}
