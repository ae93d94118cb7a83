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
    /// **What it waits for**: the tasks of the start and of the producers that it starts, such as inner streams, and
    /// what their lifetimes were given with `observeEnded`. It does not wait for tasks that code creates with `Task`,
    /// for work that goes on after its own end, such as a callback that comes later (apply ``uninterruptible()`` to its
    /// producer), or for shared work, as of `share`. What a closure of the work starts while the work begins is also
    /// counted: it must not wait for this start.
    ///
    /// **Events**: values pass at once. The terminal event follows when the work has ended.
    ///
    /// **Disposal** stops the work, if it can be stopped. Values are dropped from then on, and `interrupted` follows
    /// when the work has ended.
    ///
    /// **Order**: put it behind everything that may abandon work, with only `retry` and the like behind it. Operators
    /// behind it that end early, such as `take(first:)`, do not wait, and at a disposal nor do those with inner streams
    /// or several inputs.
    ///
    /// **Threads**: the terminal event is sent on the thread on which the last of the work ends. If that is a disposal
    /// of something else, a thread of the library sends it.
    @_alwaysEmitIntoClient
    public func waitingForWork() -> SignalProducer {
        let name = derivedName("waitingForWork()")
        return SignalProducer(name, of: self) {
            [contention] start, downstream in
            let work = WorkInProgress()
            let core = Core.result(
                named: name, contention: contention, on: work, suspendedBy: start.senders, into: downstream)
            work.counting { beginUpstream(of: start, into: WorkSink(core, work), headedBy: core) }
        }
    }
}
