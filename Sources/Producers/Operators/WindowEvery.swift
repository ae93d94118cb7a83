extension Signal {
    /// Splits the values into windows of one interval, each of which is a producer.
    ///
    /// Like `collect(every:)`, but sends the values of a window as they arrive.
    ///
    /// A window is sent before its first value, or at the end of an interval without values: then the window is empty.
    /// It buffers at most `bufferLimit` values until it is first started. Later starts receive only new values. The
    /// intervals begin with this call and do not drift.
    ///
    /// Windows and their values are sent on the source's thread. Only the end of an interval is sent on the scheduler.
    /// When the source ends, the open window ends in the same way, and then the result.
    ///
    /// An open window outlives the result: after `take(first: 2)`, the second window still receives the values of its
    /// interval and completes. When the result is no longer observed, the source and the timer are released as soon as
    /// the window ends, or its producer has been released and nothing observes it.
    ///
    /// - Parameters:
    ///   - interval: Traps unless positive.
    ///   - scheduler: Where windows complete, and empty windows are sent.
    ///   - bufferLimit: The maximum number of values that a window buffers. Traps unless positive.
    ///   - overflow: What happens when one more value arrives in a window that has not been started. In case of
    ///     `.fail`, the window fails, and then the result.
    ///   - error: Sent in case of `.fail`, which traps without it.
    @_alwaysEmitIntoClient
    public func window(
        every interval: Duration, on scheduler: some DelayScheduler, bufferLimit: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil
    ) -> Signal<SignalProducer<Value, Failure>, Failure> {
        requireWindows(interval, bufferLimit, overflow, hasError: error != nil)
        return windowTicks(every: interval, on: scheduler).startWithSignal { ticks, interrupter in
            machine("window(every: @)", argument: interval.nanoseconds, ticks, stopping: interrupter) {
                WindowUntilMachine(
                    core: $0, bufferLimit: bufferLimit, overflow: overflow, error: error, isTimed: true)
            }
        }
    }
}

extension SignalProducer {
    /// Splits the values into windows of one interval, each of which is a producer.
    ///
    /// Like ``HotSignals/Signal/window(every:on:bufferLimit:whenFull:raising:)`` of signals, separately for
    /// each start. The intervals begin with the start.
    ///
    /// - Parameters:
    ///   - interval: Traps unless positive.
    ///   - scheduler: Where windows complete, and empty windows are sent.
    ///   - bufferLimit: The maximum number of values that a window buffers. Traps unless positive.
    ///   - overflow: What happens when one more value arrives in a window that has not been started. In case of
    ///     `.fail`, the window fails, and then the result.
    ///   - error: Sent in case of `.fail`, which traps without it.
    @_alwaysEmitIntoClient
    public func window(
        every interval: Duration, on scheduler: some DelayScheduler, bufferLimit: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil
    ) -> SignalProducer<SignalProducer, Failure> {
        requireWindows(interval, bufferLimit, overflow, hasError: error != nil)
        return machine(
            "window(every: @)", argument: interval.nanoseconds, windowTicks(every: interval, on: scheduler)
        ) { core in
            WindowUntilMachine(
                core: core, bufferLimit: bufferLimit, overflow: overflow, error: error, isTimed: true)
        }
    }
}

@usableFromInline
func requireWindows(_ interval: Duration, _ bufferLimit: Int, _ overflow: Overflow, hasError: Bool) {
    require(interval > .zero, "window(every: \(interval)): the interval must be positive")
    overflow.require(for: "window", (label: "bufferLimit", value: bufferLimit), hasError: hasError)
}

/// Ticks that are exact, unlike those of most timers: the windows must have the length that they claim.
@_alwaysEmitIntoClient
func windowTicks<Clock: DelayScheduler>(
    every interval: Duration, on scheduler: Clock
) -> SignalProducer<Clock.Instant, Never> {
    .timer(interval: interval, on: scheduler, leeway: .zero)
}
