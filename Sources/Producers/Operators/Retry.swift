extension SignalProducer {
    /// Starts this producer again when it fails, up to `count` times.
    ///
    /// ```marbles
    /// source                   --1--X
    /// source.retry(upTo: 2)    --1----1----1--X
    /// ```
    ///
    /// There are up to `count + 1` attempts, and the error of the last one is forwarded. Values of failed attempts are
    /// not held back. Synchronous attempts do not deepen the stack.
    ///
    /// - Parameters:
    ///   - count: The maximum number of additional attempts. With 0, the result is this producer. Traps if negative.
    @_alwaysEmitIntoClient
    public func retry(upTo count: Int) -> SignalProducer {
        require(count >= 0, "retry(upTo: \(count)): the count must not be negative")
        return retrying("retry(upTo: #)", argument: count) { _, attempt in attempt <= count ? .again : nil }
    }

    /// Starts this producer again when it fails, up to `count` times, each time after an interval.
    ///
    /// The error of the last attempt is sent immediately.
    ///
    /// - Parameters:
    ///   - count: The maximum number of additional attempts. With 0, the result is this producer. Traps if negative.
    ///   - interval: The time between an error and the next attempt. Traps if negative.
    ///   - scheduler: Where additional attempts begin.
    @_alwaysEmitIntoClient
    public func retry(upTo count: Int, interval: Duration, on scheduler: some DelayScheduler) -> SignalProducer {
        require(count >= 0, "retry(upTo: \(count)): the count must not be negative")
        require(interval >= .zero, "retry(upTo: \(count), interval: \(interval)): the interval must not be negative")
        return retrying("retry(upTo: #)", argument: count) { _, attempt in
            attempt <= count ? .pause { scheduler.schedule(after: interval, $0) } : nil
        }
    }

    /// Starts this producer again when it fails, as determined by a policy.
    ///
    /// ```swift
    /// source.retry(.exponential(from: .seconds(1), upTo: 2), on: scheduler)
    /// ```
    ///
    /// ```marbles
    /// source                                                               --1--X
    /// source.retry(.exponential(from: .seconds(4), upTo: 2), on: clock)    --1--------1------------1--X
    /// ```
    ///
    /// The delays are 4 and 8 seconds.
    ///
    /// Values of failed attempts are not held back. The error of the last attempt is sent immediately. Completion and
    /// interruption are not retried. Disposal between two attempts cancels the timer. Each start counts its own
    /// attempts. By default, it counts all of them. With ``RetryPolicy/resetOnSuccess(after:)``, a success begins anew:
    ///
    /// ```marbles
    /// source                                                                                      --1--X
    /// source.retry(.constant(.seconds(1), upTo: 1), on: clock)                                    --1-----1--X
    /// source.retry(.constant(.seconds(1), upTo: 1).resetOnSuccess(), on: clock).take(first: 3)    --1-----1-----1|
    /// ```
    ///
    /// - Parameters:
    ///   - policy: How often, after what delays, for which errors, and until when.
    ///   - scheduler: Where additional attempts begin. It measures all times, so that tests can use virtual time.
    @_alwaysEmitIntoClient
    public func retry(_ policy: RetryPolicy<Failure>, on scheduler: some DelayScheduler) -> SignalProducer {
        SignalProducer(derivedName("retry"), of: self) { _, sink in
            let begin = scheduler.now
            let pacing = RetryPacing(policy) { begin.duration(to: scheduler.now) }
            retry(into: sink, pacing: pacing.canReset ? pacing : nil) { error, attempt in
                guard let delay = pacing.delay(after: error, attempt: attempt) else { return nil }
                return .pause { scheduler.schedule(after: delay, $0) }
            }
        }
    }

    @_alwaysEmitIntoClient
    func retrying(
        _ name: StaticString, argument: Int,
        _ decide: @escaping @Sendable (_ error: Failure, _ attempt: Int) -> RetryStep?
    ) -> SignalProducer {
        SignalProducer(derivedName(name, argument), of: self) { _, sink in
            retry(into: sink, decide)
        }
    }

    /// - Parameters:
    ///   - pacing: Is told of attempts and values.
    ///   - decide: Receives an error and the number of the attempt that failed, starting at 1. Returns what follows, or
    ///     `nil` to send the error.
    @_alwaysEmitIntoClient
    func retry(
        into sink: ProducerSink<Value, Failure>, pacing: RetryPacing<Failure>? = nil,
        _ decide: @escaping @Sendable (_ error: Failure, _ attempt: Int) -> RetryStep?
    ) {
        let attempts = SinkState(0)
        let goOn: @Sendable (Termination<Failure>) -> RetryStep = { termination in
            guard case .error(let error) = termination else { return .end(termination) }
            attempts.value &+= 1
            return decide(error, attempts.value) ?? .end(termination)
        }
        SerialStart.run(into: sink) { serial in
            guard let pacing else { return serial.begin(self, next: { serial.sink.next($0) }, then: goOn) }
            pacing.beginAttempt()
            serial.begin(
                self,
                next: { value in
                    pacing.noteValue()
                    serial.sink.next(value)
                }, then: goOn)
        }
    }

    @usableFromInline typealias RetryStep = SerialStart<Value, Failure>.Step
}

extension SerialStart.Step {
    /// Waits for a scheduler, and then starts the producer again.
    @_alwaysEmitIntoClient
    static func pause(_ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> (any Disposable)?) -> Self {
        .wait(schedule, then: { .again })
    }
}
