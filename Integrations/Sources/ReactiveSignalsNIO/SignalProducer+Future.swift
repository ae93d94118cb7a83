import NIOConcurrencyHelpers
public import NIOCore
public import ReactiveSignals

/// The error of a future whose producer has completed without a value.
public struct CompletedWithoutValue: Error, Hashable {
    /// Creates the error.
    public init() {}
}

extension SignalProducer {
    /// Starts the producer, and returns a future of its first value.
    ///
    /// ```swift
    /// let response = requests.perform(request).timeout(after: .seconds(5), raising: .late, on: scheduler)
    ///     .future(on: context.eventLoop)
    /// ```
    ///
    /// | the producer | the future |
    /// |---|---|
    /// | sends a value | succeeds; the start is disposed of, so no other value is made |
    /// | fails | fails with its error |
    /// | completes without a value | fails with ``CompletedWithoutValue`` |
    /// | is interrupted | fails with `CancellationError` |
    ///
    /// For other results, apply an operator first: `collect()` for an array of all values, `takeLast(1)` for the last
    /// one, `exactlyOne(orError:)` if there must not be a second one.
    ///
    /// **Threads**: the producer is started on the calling thread, once, before this method returns. Callbacks of the
    /// future run on the event loop.
    ///
    /// **Cancellation**: a future cannot be cancelled. ``cancellableFuture(on:)`` also returns a disposable.
    ///
    /// An event loop fulfills no promise after it has shut down. So end the work before you shut the event loop down,
    /// as with every future of SwiftNIO.
    ///
    /// - Parameter eventLoop: The event loop of the future.
    public func future(on eventLoop: any EventLoop) -> EventLoopFuture<Value> {
        cancellableFuture(on: eventLoop).future
    }

    /// Starts the producer, and returns a future of its first value, and a disposable that cancels the work.
    ///
    /// Like ``future(on:)``. The disposal interrupts the producer, so the future fails with `CancellationError`, unless
    /// it has been fulfilled.
    ///
    /// ```swift
    /// let (report, work) = reports.build().cancellableFuture(on: channel.eventLoop)
    /// channel.closeFuture.whenComplete { _ in work.dispose() }
    /// ```
    ///
    /// - Parameter eventLoop: The event loop of the future.
    public func cancellableFuture(
        on eventLoop: any EventLoop
    ) -> (future: EventLoopFuture<Value>, cancellation: any Disposable) {
        let promise = eventLoop.makePromise(of: Value.self)
        let pending = NIOLockedValueBox<EventLoopPromise<Value>?>(promise)
        // The completion that follows the value finds no promise.
        let fulfill: @Sendable (Result<Value, any Error>) -> Void = { result in
            pending.withLockedValue { $0.take() }?.completeWith(result)
        }
        let start = take(first: 1).start { event in
            switch event {
            case .next(let value): fulfill(.success(value))
            case .error(let error): fulfill(.failure(error))
            case .completed: fulfill(.failure(CompletedWithoutValue()))
            case .interrupted: fulfill(.failure(CancellationError()))
            }
        }
        return (promise.futureResult, start)
    }
}
