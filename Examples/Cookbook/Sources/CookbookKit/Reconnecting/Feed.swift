package import ReactiveSignals

/// The messages of a server that this one is connected to, for as long as the process runs.
package struct Feed<Message: Sendable>: Sendable {
    package enum Failure: Error {
        /// The connection is lost, or cannot be made.
        case lost
        /// Nothing has come for too long.
        case silent
    }

    /// Makes a connection. Its end, by a completion or an error, is a lost one.
    private let connect: @Sendable () -> SignalProducer<Message, Failure>

    package init(connect: @escaping @Sendable () -> SignalProducer<Message, Failure>) { self.connect = connect }

    /// Connects at each start, and again whenever the connection is lost. Fails after ten attempts without a message.
    package func messages(on scheduler: some DelayScheduler) -> SignalProducer<Message, Failure> {
        let policy = RetryPolicy<Failure>.exponential(
            from: .seconds(1), cap: .seconds(60), upTo: 10
        ).resetOnSuccess()
        return SignalProducer.deferred(connect)
            // A connection that the other side closes is lost, too.
            .concat(error: .lost)
            // The other side sends a heartbeat every 10 seconds.
            .timeout(between: .seconds(30), raising: .silent, on: scheduler)
            .retry(policy, on: scheduler)
    }
}
