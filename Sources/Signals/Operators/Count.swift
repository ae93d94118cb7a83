extension Signal {
    /// Sends the number of values when the source completes.
    ///
    /// ```marbles
    /// source            --1--2--3--|
    /// source.count()    -----------3|
    /// ```
    ///
    /// Sends 0 if there were none. An error or an interruption is forwarded, and no number is sent. Buffers nothing. To
    /// count only some values, use ``filter(_:)`` first.
    @_alwaysEmitIntoClient
    public func count() -> Signal<Int, Failure> {
        derive("count") { ReduceSink<Value, _>(initial: 0, update: { count, _ in count += 1 }, downstream: $0) }
    }
}
