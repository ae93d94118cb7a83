package import ReactiveSignals
import ServiceLifecycle

/// Performs jobs from a queue, a few at a time, until it is told to stop.
package struct Worker<Job: Sendable, Failure: Error>: Sendable {
    /// The result of a job, after all of its attempts.
    package struct Outcome: Sendable {
        package let job: Job
        /// The error of the last attempt, or `nil` if the job succeeded.
        package let failure: Failure?
    }

    /// Waits for a job. Returns `nil` only if the task has been cancelled.
    private let take: @Sendable () async -> Job?
    private let perform: @Sendable (Job) async throws(Failure) -> Void
    private let concurrency: Int
    private let retry: RetryPolicy<Failure>
    private let scheduler: any DelayScheduler
    private let report: @Sendable (Outcome) -> Void

    package init(
        concurrency: Int, retry: RetryPolicy<Failure>, on scheduler: any DelayScheduler,
        take: @escaping @Sendable () async -> Job?,
        perform: @escaping @Sendable (Job) async throws(Failure) -> Void,
        report: @escaping @Sendable (Outcome) -> Void
    ) {
        self.concurrency = concurrency
        self.retry = retry
        self.scheduler = scheduler
        self.take = take
        self.perform = perform
        self.report = report
    }

    /// Takes jobs as long as `intake` lasts, and completes when every job that has begun has ended.
    package func outcomes(during intake: Lifetime) -> SignalProducer<Outcome, Never> {
        let lane = SignalProducer.async { await take() }
            // Above `flatMap`: the end of the intake cancels the wait for a job, but
            // not a job.
            .take(during: intake)
            .skipNil()
            .flatMap(.concat) { job in outcome(of: job) }
            .repeat(while: { !intake.hasEnded })
        return .merge((0..<concurrency).map { _ in lane })
    }

    /// Performs one job, with retries.
    private func outcome(of job: Job) -> SignalProducer<Outcome, Never> {
        SignalProducer.async { () async throws(Failure) in try await perform(job) }
            .retry(retry, on: scheduler)
            .map { Outcome(job: job, failure: nil) }
            // A failed job is a value, so that it does not end the stream of the
            // others.
            .flatMapError { error in
                SignalProducer(value: Outcome(job: job, failure: error))
            }
    }
}

extension Worker: Service {
    /// Runs until the service group shuts down gracefully. Cancellation, in contrast, interrupts the jobs.
    package func run() async {
        let (intake, end) = Lifetime.make()
        await withGracefulShutdownHandler {
            await outcomes(during: intake).on(next: report).run()
        } onGracefulShutdown: {
            end.dispose()
        }
    }
}
