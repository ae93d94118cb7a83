extension SignalProducer {
    /// Fails unless the source terminates in time.
    ///
    /// Like ``/HotSignals/Signal/timeout(after:raising:on:)->Signal<Value,Failure>`` of signals. The time runs from the
    /// start, also while a consumer downstream suspends the source.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the error is scheduled immediately. Traps if negative.
    ///   - error: Sent when the time is up.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout(
        after interval: Duration, raising error: Failure, on scheduler: some DelayScheduler
    ) -> SignalProducer {
        require(interval >= .zero, "timeout(after: \(interval)): the interval must not be negative")
        return limited("timeout(after: @)", to: interval, endingWith: .error(error), on: scheduler)
    }

    /// Fails if the source is silent for an interval.
    ///
    /// Like `timeout(between:raising:on:)` of signals, separately for each start. The time for which a consumer or an
    /// operator downstream suspends the source does not count: the interval begins again when the source goes on.
    ///
    /// - Parameters:
    ///   - interval: The longest silence. With zero, the error is scheduled immediately. Traps if negative.
    ///   - error: Sent when the interval has passed.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout(
        between interval: Duration, raising error: Failure, on scheduler: some DelayScheduler
    ) -> SignalProducer {
        require(interval >= .zero, "timeout(between: \(interval)): the interval must not be negative")
        return watch(
            "timeout(between: @)", WatchMachine(interval: interval, termination: .error(error)), on: scheduler,
            alert: { AlertSink($0) })
    }

    /// Continues with another producer unless the source terminates in time.
    ///
    /// The time runs from the start until the source terminates. When it is up, the source is cancelled and then the
    /// fallback is started, on the scheduler, or, while an observer is handling a value, afterwards by the thread of
    /// the value. If that thread is still inside the call that starts the source, as in a start handler that blocks, the
    /// fallback is started when the call returns. The fallback itself has no time limit. An error of the source is
    /// forwarded. A consumer that suspends the source also suspends the fallback, if that is made of async code.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the fallback is scheduled immediately. Traps if negative.
    ///   - fallback: Started when the time is up.
    ///   - scheduler: Measures the time, and starts the fallback.
    @_alwaysEmitIntoClient
    public func timeout(
        after interval: Duration, switchingTo fallback: SignalProducer, on scheduler: some DelayScheduler
    ) -> SignalProducer {
        mapError(Expiry.failed).timeout(after: interval, raising: .expired, on: scheduler)
            .flatMapError { $0.continuation(fallback) }
    }

    /// Continues with another producer if the source is silent for an interval.
    ///
    /// Like ``timeout(after:switchingTo:on:)``, but each value restarts the interval, when the observer has
    /// handled it, and the time for which a consumer suspends the source does not count. Values that the source has
    /// sent stay sent.
    ///
    /// - Parameters:
    ///   - interval: The longest silence. With zero, the fallback is scheduled immediately. Traps if negative.
    ///   - fallback: Started when the interval has passed.
    ///   - scheduler: Measures the time, and starts the fallback.
    @_alwaysEmitIntoClient
    public func timeout(
        between interval: Duration, switchingTo fallback: SignalProducer, on scheduler: some DelayScheduler
    ) -> SignalProducer {
        mapError(Expiry.failed).timeout(between: interval, raising: .expired, on: scheduler)
            .flatMapError { $0.continuation(fallback) }
    }
}

/// Why a source with a time limit has ended.
@frozen @usableFromInline
enum Expiry<Failure: Error>: Error {
    case expired
    case failed(Failure)

    @_alwaysEmitIntoClient
    func continuation<Value>(_ fallback: SignalProducer<Value, Failure>) -> SignalProducer<Value, Failure> {
        switch self {
        case .expired: fallback
        case .failed(let error): SignalProducer(error: error)
        }
    }
}

extension SignalProducer where Failure == Never {
    /// Fails unless the source, which cannot fail itself, terminates in time.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the error is scheduled immediately. Traps if negative.
    ///   - error: Sent when the time is up.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout<NewFailure: Error>(
        after interval: Duration, raising error: NewFailure, on scheduler: some DelayScheduler
    ) -> SignalProducer<Value, NewFailure> {
        promoteError(NewFailure.self).timeout(after: interval, raising: error, on: scheduler)
    }

    /// Fails if the producer, which cannot fail itself, is silent for an interval.
    ///
    /// - Parameters:
    ///   - interval: The longest silence. With zero, the error is scheduled immediately. Traps if negative.
    ///   - error: Sent when the interval has passed.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout<NewFailure: Error>(
        between interval: Duration, raising error: NewFailure, on scheduler: some DelayScheduler
    ) -> SignalProducer<Value, NewFailure> {
        promoteError(NewFailure.self).timeout(between: interval, raising: error, on: scheduler)
    }
}
