package import ReactiveServer
import ReactiveSignals

/// An API of someone else that permits a number of calls per second.
package struct PartnerAPI<Call: Sendable, Answer: Sendable, Failure: Error>: Sendable {
    private let limiter: RateLimiter
    private let retry: RetryPolicy<Failure>
    private let scheduler: any DelayScheduler
    private let send: @Sendable (Call) async throws(Failure) -> Answer

    /// - Parameter limiter: Shared by all parts of the process that call the API.
    package init(
        _ limiter: RateLimiter, retry: RetryPolicy<Failure>, on scheduler: any DelayScheduler,
        send: @escaping @Sendable (Call) async throws(Failure) -> Answer
    ) {
        self.limiter = limiter
        self.retry = retry
        self.scheduler = scheduler
        self.send = send
    }

    package func answer(to call: Call) -> SignalProducer<Answer, Failure> {
        SignalProducer.async { () async throws(Failure) in try await send(call) }
            // Above `retry`, so that each attempt waits for a permit of its own.
            .start(limitedBy: limiter)
            .retry(retry, on: scheduler)
    }
}
