extension Signal {
    /// Sends a value after the source has been quiet for `quiet`, but holds values back for at most `longest`.
    ///
    /// Like ``debounce(_:on:discardWhenCompleted:)``, which sends nothing while values keep coming. This operator then
    /// sends the last value each time the first one that it has held back has waited for `longest`: a page that shows
    /// what a busy source says stays up to date.
    ///
    /// ```marbles
    /// source                                                             --1-2-3-4-5-6-------7-|
    /// source.settle(for: .seconds(3), atMost: .seconds(5), on: clock)    -------3-----6--------|
    /// ```
    ///
    /// The 7 is discarded, because the source completes before it is due.
    ///
    /// An error or an interruption is scheduled immediately and discards the pending value. Disposal also discards it.
    /// Buffers one value.
    ///
    /// - Parameters:
    ///   - quiet: How long the source must be quiet after a value. Traps if negative.
    ///   - longest: How long a value waits at most. Traps if less than `quiet`.
    ///   - scheduler: Where observers are called.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the pending value. If
    ///     `false`, the value is sent when it is due, followed by the completion.
    @_alwaysEmitIntoClient
    public func settle(
        for quiet: Duration, atMost longest: Duration, on scheduler: some DelayScheduler,
        discardWhenCompleted: Bool = true
    ) -> Signal {
        deriveTimed(
            "settle: @", argument: quiet.nanoseconds, on: scheduler,
            running: DebounceMachine(settlingFor: quiet, atMost: longest, discardWhenCompleted: discardWhenCompleted))
    }
}

extension DebounceMachine {
    /// The machine of `settle`, with its parameters checked.
    @inlinable
    package init(settlingFor quiet: Duration, atMost longest: Duration, discardWhenCompleted: Bool) {
        require(quiet >= .zero, "settle(for: \(quiet)): the quiet time must not be negative")
        require(
            longest >= quiet, "settle(for: \(quiet), atMost: \(longest)): the longest time must not be shorter")
        self.init(interval: quiet, atMost: longest, discardWhenCompleted: discardWhenCompleted)
    }
}
