extension SignalProducer {
    /// Starts this producer again when it has failed, up to `count` times.
    ///
    ///     source           --1--X
    ///     retry(upTo: 2)   --1----1----1--X
    ///
    /// So there are `count + 1` attempts in all, and the error of the last is passed on. The values of failed attempts have been
    /// sent. Iterative: any number of synchronous attempts takes the stack of one.
    ///
    /// - Parameter count: With 0 it is this producer. Traps if negative.
    @inlinable
    public func retry(upTo count: Int) -> SignalProducer {
        require(count >= 0, "retry(upTo: \(count)): the count must not be negative")
        return retrying("retry(upTo: #)", argument: count) { _, attempt in attempt <= count ? .again : .giveUp }
    }

    /// Starts this producer again when it has failed, up to `count` times, each time after an interval.
    ///
    /// The error of the last attempt is passed on at once.
    ///
    /// - Parameters:
    ///   - count: With 0 it is this producer. Traps if negative.
    ///   - interval: From an error to the next attempt. Traps if negative.
    ///   - scheduler: Where the further attempts begin.
    @inlinable
    public func retry(upTo count: Int, interval: Duration, on scheduler: some DelayScheduler) -> SignalProducer {
        require(count >= 0, "retry(upTo: \(count)): the count must not be negative")
        require(interval >= .zero, "retry(upTo: \(count), interval: \(interval)): the interval must not be negative")
        return retrying("retry(upTo: #)", argument: count) { _, attempt in
            guard attempt <= count else { return .giveUp }
            return .after { scheduler.schedule(after: interval, $0) }
        }
    }

    /// - Parameter decide: Gets an error, and the number of the attempt that it ended, from 1.
    @inlinable
    func retrying(
        _ name: StaticString, argument: Int = 0,
        _ decide: @escaping @Sendable (_ error: Failure, _ attempt: Int) -> RetryDecision
    ) -> SignalProducer {
        SignalProducer(derivedName(name, argument)) { _, sink in
            Succession.run(into: sink, attempt(1, decide))
        }
    }

    @inlinable
    func attempt(
        _ number: Int, _ decide: @escaping @Sendable (Failure, Int) -> RetryDecision
    ) -> Succession<Value, Failure>.Step {
        step { termination in
            guard case .error(let error) = termination else { return .end(termination) }
            switch decide(error, number) {
            case .giveUp: return .end(termination)
            case .again: return attempt(number &+ 1, decide)
            case .after(let schedule): return .wait(schedule, then: { attempt(number &+ 1, decide) })
            }
        }
    }
}

/// What follows from a failed attempt.
@frozen @usableFromInline
enum RetryDecision {
    case giveUp
    case again
    case after(@Sendable (@escaping @Sendable () -> Void) -> (any Disposable)?)
}
