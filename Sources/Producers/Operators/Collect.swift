extension SignalProducer {
    /// Sends all values as one array when the source completes.
    ///
    /// Like ``/HotSignals/Signal/collect()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func collect() -> SignalProducer<[Value], Failure> {
        derive("collect") { CollectSink(flush: .atEnd, downstream: $0) }
    }

    /// Sends the values in arrays of `count`.
    ///
    /// Like ``/HotSignals/Signal/collect(count:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: Traps unless positive.
    @_alwaysEmitIntoClient
    public func collect(count: Int) -> SignalProducer<[Value], Failure> {
        require(count > 0, "collect(count: \(count)): the count must be positive")
        return derive("collect(count: #)", argument: count) {
            CollectCountSink(count: count, downstream: $0)
        }
    }

    /// Sends the values in arrays, each ending with the value for which `shouldEmit` returns `true`.
    ///
    /// Like ``/HotSignals/Signal/collect(_:)-192ty`` of signals, separately for each start.
    ///
    /// - Parameter shouldEmit: Receives the collected values, including the new one. Called once per value.
    @_alwaysEmitIntoClient
    public func collect(
        _ shouldEmit: @escaping @Sendable (_ values: [Value]) -> Bool
    ) -> SignalProducer<[Value], Failure> {
        derive("collect:") { CollectSink(flush: .after(shouldEmit), downstream: $0) }
    }

    /// Sends the values in arrays, each ending before the value for which `shouldEmit` returns `true`.
    ///
    /// Like ``/HotSignals/Signal/collect(_:)-1zsfl`` of signals, separately for each start.
    ///
    /// - Parameter shouldEmit: Receives the collected values and the new one, which is not among them yet. Called once
    ///   per value.
    @_alwaysEmitIntoClient
    public func collect(
        _ shouldEmit: @escaping @Sendable (_ values: [Value], _ next: Value) -> Bool
    ) -> SignalProducer<[Value], Failure> {
        derive("collect:") { CollectSink(flush: .before(shouldEmit), downstream: $0) }
    }
}
