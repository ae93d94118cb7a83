import NIOConcurrencyHelpers
public import NIOCore
public import ReactiveSignals

extension EventLoopFuture where Value: Sendable {
    /// A producer of the result of this future.
    ///
    /// ```swift
    /// channel.closeFuture.producer.startWithCompleted { print("closed") }
    /// ```
    ///
    /// **The work runs already**: a start observes it and begins nothing. Any number of starts observe the same result.
    /// To begin work at each start, make the future in `deferred`:
    ///
    /// ```swift
    /// let connections = SignalProducer.deferred { bootstrap.connect(host: host, port: port).producer }
    /// ```
    ///
    /// **Termination**: sends the value and completes, or sends the error of the future. A `CancellationError`
    /// interrupts. If the event loop shuts down before it can deliver the result, interrupts.
    ///
    /// **Threads**: events are sent on the event loop, also if the future has been fulfilled before. The event loop
    /// does not wait: if another thread is delivering an event of the same start, that thread delivers this one.
    ///
    /// **Disposal** interrupts immediately, and releases the observer. The work goes on, because a future cannot be
    /// cancelled. Until it is fulfilled, the future retains a few words for each start.
    public var producer: SignalProducer<Value, any Error> {
        SignalProducer(contention: .enqueue) { [self] observer, lifetime in
            let recipient = Recipient(observer)
            // Weak, because the release of the last reference interrupts: an event loop that has shut down drops the
            // callback.
            lifetime.observeEnded { [weak recipient] in recipient?.release() }
            whenComplete { result in recipient.receive(result) }
        }
    }
}

/// The observer of one start, until it has received the result or has been disposed of.
private final class Recipient<Value: Sendable>: Sendable {
    private let observer: NIOLockedValueBox<Signal<Value, any Error>.Observer?>

    init(_ observer: Signal<Value, any Error>.Observer) { self.observer = NIOLockedValueBox(observer) }

    private func take() -> Signal<Value, any Error>.Observer? { observer.withLockedValue { $0.take() } }

    /// Releases the observer, which interrupts the start unless it has ended.
    func release() { _ = take() }

    func receive(_ result: Result<Value, any Error>) {
        guard let observer = take() else { return }
        switch result {
        case .success(let value):
            observer.sendNext(value)
            observer.sendCompleted()
        case .failure(is CancellationError): observer.sendInterrupted()
        case .failure(let error): observer.sendError(error)
        }
    }
}
