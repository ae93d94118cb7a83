import HotSignals

extension SignalProducer {
    /// Ends when the work of this producer has ended, not when it is abandoned.
    ///
    /// A disposal, a timeout and other operators that end early cancel the task of an async function, and do not wait
    /// for it. A function that ignores its cancellation runs on. With this operator behind them, the start ends when it
    /// has returned. So an action that runs two units at a time never has three functions at work, `flatMap` with
    /// `.concurrent(limit:)` begins no stream too many, and the attempts of a `retry` do not overlap:
    ///
    /// ```swift
    /// let price = SignalProducer.async { () async throws(Slow) in await ask() }
    ///     .timeout(after: .seconds(1), raising: Slow(), on: scheduler)
    ///     .waitingForWork()
    ///     .retry(upTo: 2)
    /// ```
    ///
    /// Cats Effect and ZIO wait like this whenever they cancel.
    ///
    /// **What it waits for**: the tasks and starts that a start of this producer begins, also those of inner streams. It
    /// does not wait for a closure that runs on a queue, or for code that calls an observer later: apply
    /// ``uninterruptible()`` to such a producer. Nor does it wait for shared work, as of `share`.
    ///
    /// **Events**: values pass at once. The terminal event follows when the work has ended.
    ///
    /// **Disposal** stops the work, if it can be stopped. Values are dropped from then on, and `interrupted` follows
    /// when the work has ended. An operator downstream that ends early, such as `take(first:)`, does not wait: put it
    /// upstream of this one.
    ///
    /// **Threads**: the terminal event is sent on the thread on which the last of the work ends.
    @_alwaysEmitIntoClient
    public func waitingForWork() -> SignalProducer {
        let name = derivedName("waitingForWork()")
        return SignalProducer(name, contention: contention, isSuspendable: isSuspendable) {
            [contention] subscription, downstream in
            let work = WorkInProgress()
            let core = Core<Value, Failure>(rootNamed: name, contention: contention, scheduler: work)
            core.adopt(WantedSink(downstream: downstream))
            work.counting {
                beginUpstream(
                    of: subscription, into: WorkSink(core, work, senders: subscription.senders), headedBy: core)
            }
        }
    }
}
