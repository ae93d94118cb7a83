extension Signal {
    /// Attaches to each value the instant at which it arrived.
    ///
    /// ```swift
    /// let (requests, input) = Signal<String, Never>.pipe()
    /// requests.timestamped(on: QueueScheduler()).observeNext { print($0.instant, $0.value) }
    /// ```
    ///
    /// Terminal events are forwarded. Buffers nothing.
    ///
    /// - Parameter scheduler: Provides the instants. Values are forwarded on their sender's thread.
    @_alwaysEmitIntoClient
    public func timestamped<S: DelayScheduler>(on scheduler: S) -> Signal<(value: Value, instant: S.Instant), Failure> {
        derive("timestamped(on:)") { MapSink(transform: { (value: $0, instant: scheduler.now) }, downstream: $0) }
    }
}
