public import HotSignals

extension PropertyProtocol {
    /// A property that takes on at most one new value of this property per interval, always the latest.
    ///
    /// ```marbles
    /// source                                      1--2-3-----4--|
    /// source.throttled(.seconds(4), on: clock)    1--2---3---4--|
    /// ```
    ///
    /// Begins with the current value. Changes on the scheduler, for the first time without delay. Like
    /// ``/HotSignals/Signal/throttle(_:on:latest:discardWhenCompleted:)``, but when this property ends, the
    /// last value is taken on when it is due, and then the result ends.
    ///
    /// The result is a root, like a ``MutableProperty``, because it changes at other times than this property: see
    /// <doc:Glitches>. It observes this property as long as it is referenced, and stores one value.
    ///
    /// - Parameters:
    ///   - interval: The minimum time between two changes. Traps if negative.
    ///   - scheduler: Where the property changes.
    public func throttled(_ interval: Duration, on scheduler: some DelayScheduler) -> Property<Value> {
        require(interval >= .zero, "throttled(\(interval)): the interval must not be negative")
        return following(
            "throttled: @", interval, ThrottleMachine(interval: interval, discardWhenCompleted: false), on: scheduler)
    }
}
