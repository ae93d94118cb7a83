package import Hummingbird
import ReactiveServer
package import ReactiveSignals

/// A service that this one depends on, with limits that keep it from pulling this one down.
package final class Backend<Query: Sendable, Answer: Sendable, Failure: Error, Scheduler: DelayScheduler>: Sendable {
    /// Why there is no answer.
    package enum Refusal: Error {
        /// Too many calls are waiting.
        case busy
        /// The service does not work. It is tried again after this time.
        case down(retryAfter: Duration)
        case failed(Failure)
    }

    package struct Limits: Sendable {
        /// How many calls run at the same time.
        package var running = 10
        /// How many calls wait.
        package var waiting = 50
        /// How long a call can run. So a call waits for at most `timeout * waiting / running`, rounded up.
        package var timeout = Duration.seconds(1)
        /// How many failures in a row open the breaker.
        package var failures = 5
        /// How long the breaker stays open.
        package var pause = Duration.seconds(10)

        package init() {}
    }

    private let scheduler: Scheduler
    private let breaker: CircuitBreaker<Failure, Scheduler.Instant>
    private let calls: Action<Query, Answer, CircuitBreakerError<Failure, Scheduler.Instant>>

    /// - Parameter timedOut: The error of a call that runs too long.
    package init(
        _ limits: Limits, on scheduler: Scheduler, timedOut: Failure,
        call: @escaping @Sendable (Query) async throws(Failure) -> Answer
    ) {
        let breaker = CircuitBreaker<Failure, Scheduler.Instant>(
            failures: limits.failures, reset: .constant(limits.pause), on: scheduler)
        calls = Action(
            policy: .concurrent(limit: limits.running, waiting: limits.waiting)
        ) { query in
            SignalProducer.async { () async throws(Failure) in try await call(query) }
                .timeout(after: limits.timeout, raising: timedOut, on: scheduler)
                .circuitBreaker(breaker)
        }
        self.scheduler = scheduler
        self.breaker = breaker
    }

    /// Each start makes a call, or waits to do so. Disposing of it cancels the call, or takes it out of the queue.
    package func answer(to query: Query) -> SignalProducer<Answer, Refusal> {
        calls.apply(query).mapError { [scheduler] error in
            switch error {
            case .disabled: .busy
            case .producerError(.open(let instant)): .down(retryAfter: scheduler.now.duration(to: instant))
            case .producerError(.failed(let failure)): .failed(failure)
            }
        }
    }

    package var health: HealthCheck {
        HealthCheck("backend", breaker.state.map { $0 == .closed ? .passing : .failing("\($0)") })
    }
}

extension Backend.Refusal {
    package var response: Response {
        switch self {
        case .busy: .refusing(.serviceUnavailable, retryAfter: .seconds(1))
        case .down(let delay): .refusing(.serviceUnavailable, retryAfter: delay)
        case .failed: Response(status: .badGateway)
        }
    }
}
