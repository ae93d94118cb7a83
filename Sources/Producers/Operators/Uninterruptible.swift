import HotSignals

extension SignalProducer {
    /// Runs the work of each start to its end, even if the start is disposed of.
    ///
    /// For work that must not be abandoned half-way, or that cannot be stopped. A disposal, also by a timeout, does not
    /// reach it:
    ///
    /// ```swift
    /// let save = Action<Order, Receipt, Slow>(policy: .concurrent(limit: 2, waiting: 100)) { order in
    ///     SignalProducer.async { () async throws(Slow) in await insert(order) }.uninterruptible()
    /// }
    /// let answer = save.apply(order)
    ///     .timeout(after: .seconds(1), raising: .producerError(Slow()), on: scheduler)
    /// ```
    ///
    /// The answer comes after a second at the latest. The insertion goes on, and keeps its place in the action.
    ///
    /// ```marbles
    /// source                                                   --1--2--3--|
    /// source.uninterruptible().take(first: 2)                  --1--2|
    /// source.uninterruptible().take(first: 2)
    ///     .waitingForWork()                                    --1--2-----|
    /// ```
    ///
    /// Like `uninterruptible` in ZIO. There, a timeout waits for such work. Here it answers at once, unless
    /// ``waitingForWork()`` follows.
    ///
    /// **Events** pass as they come. The terminal event waits for the work: see ``waitingForWork()``.
    ///
    /// **Disposal**: values are dropped from then on, and `interrupted` follows when the work has ended by itself. A
    /// start that is disposed of before its work has begun is interrupted immediately. If this producer never ends,
    /// neither does a start of it.
    ///
    /// An operator downstream that ends early, such as `timeout` or `take(first:)`, does not wait for the work, unless
    /// ``waitingForWork()`` follows it. It does not stop an endless synchronous source either, so a start of one never
    /// returns.
    @_alwaysEmitIntoClient
    public func uninterruptible() -> SignalProducer {
        let name = derivedName("uninterruptible()")
        return SignalProducer(name, contention: contention) { [contention] start, downstream in
            let work = WorkInProgress()
            let core = Core.result(named: name, contention: contention, on: work, into: downstream)
            work.counting {
                // Not a source of `start`, so that a disposal does not reach it. Counted before a disposal can
                // ask whether there is work.
                let source = Start(within: LibraryTask.captured, of: core)
                start.attach(core)
                if start.isOver { return source.cutOff() }
                beginSeparately(source, into: WorkSink(core, work))
            }
        }
    }
}
