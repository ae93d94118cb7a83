extension Signal {
    /// The values from the creation of an iterator on, as an async sequence.
    ///
    /// Like `observe(_:)`, but for a task that takes values at its own pace.
    ///
    /// ```marbles
    /// source                                  --1--2--3--------------|
    /// source.values(buffering: .newest(1))    --1---------3----------|
    /// ```
    ///
    /// Here the loop takes 10 seconds for each value. The 3 replaces the 2, which it has not taken.
    ///
    /// An error is thrown after the values that are kept, with the signal's error type. A completion or an interruption
    /// ends the sequence. Cancelling the task also ends it, and disposes of the observation. A signal that has already
    /// ended yields an empty sequence. For threads, cancellation, and several iterators see ``AsyncValues``.
    ///
    /// ```swift
    /// let (signal, input) = Signal<Int, Never>.pipe()
    /// var values = signal.values(buffering: .unbounded).makeAsyncIterator()
    /// input.sendNext(1)
    /// await values.next()  // 1
    /// ```
    ///
    /// - Parameters:
    ///   - policy: What to keep while the consumer is behind. Traps if it leaves no room for a value.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - SeeAlso: ``events(buffering:file:line:)``, ``first(file:line:)``, ``collectAll(file:line:)``
    @_alwaysEmitIntoClient
    public func values(
        buffering policy: BufferingPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncValues<Value, Failure> {
        policy.check(in: "values", canSuspend: core.senders != nil)
        return AsyncValues(policy, suspending: core.senders, at: CodeLocation(file, line)) {
            self.observe(through: EventBufferSink($0), at: CodeLocation(file, line))
        }
    }
}
