extension Signal {
    /// Sends the last values as an array with each value, from the first one on.
    ///
    /// Like ``slidingWindow(_:)``, but does not wait for the first array to be complete: the first arrays are shorter.
    ///
    /// ```marbles
    /// source                           --1----2--------3-------|
    /// source.slidingWindow(upTo: 2)    --[1]--[1,2]----[2,3]---|
    /// ```
    ///
    /// Forwards terminal events. Buffers one array: the last one sent. Each value costs one allocation, for the next
    /// array, and copies at most `count` values.
    ///
    /// - Parameters:
    ///   - count: The largest number of values in an array. Traps unless positive.
    /// - SeeAlso: ``slidingWindow(for:on:)``, which limits the age of the values.
    @_alwaysEmitIntoClient
    public func slidingWindow(upTo count: Int) -> Signal<[Value], Failure> {
        require(count > 0, "slidingWindow(upTo: \(count)): the count must be positive")
        return derive("slidingWindow(upTo: #)", argument: count) {
            SlidingWindowSink(count: count, sendsShorter: true, downstream: $0)
        }
    }
}
