extension SignalProducer {
    /// Runs the work once, at the first start, and sends its events to every start.
    ///
    /// ```swift
    /// let request = load.replayLazily(upTo: 1)
    /// request.start { print($0) }  // loads
    /// request.start { print($0) }  // gets the same
    /// ```
    ///
    /// A later start first receives the latest values, then live ones and the terminal event. The work is cancelled
    /// when every start has ended or been disposed of *and* the returned producer has been released. It is never run
    /// again.
    ///
    /// - Parameters:
    ///   - capacity: How many of the latest values to store. Traps if negative.
    @_alwaysEmitIntoClient
    public func replayLazily(upTo capacity: Int) -> SignalProducer {
        require(capacity >= 0, "replayLazily(upTo: \(capacity)): the capacity must not be negative")
        let name = derivedName("replayLazily(upTo: #)", capacity)
        let source = ReplaySource(self, name, capacity: capacity)
        return SignalProducer(name, contention: contention) { _, sink in
            source.join(sink)
            if !sink.start.isOver { source.begin() }
        }
    }

    /// Runs the work once, immediately, and sends its events to every start.
    ///
    /// Like ``replayLazily(upTo:)``, but the work begins with this call.
    ///
    /// - Parameters:
    ///   - capacity: How many of the latest values to store. All of them by default. Traps if negative.
    @_alwaysEmitIntoClient
    public func replayEagerly(upTo capacity: Int = .max) -> SignalProducer {
        require(capacity >= 0, "replayEagerly(upTo: \(capacity)): the capacity must not be negative")
        let name = derivedName("replayEagerly(upTo: #)", capacity)
        let source = ReplaySource(self, name, capacity: capacity)
        source.begin()
        return SignalProducer(name, contention: contention) { _, sink in source.join(sink) }
    }
}
