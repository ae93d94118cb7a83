extension Signal {
    /// Drops `nil` values, and unwraps the others.
    ///
    /// Like ``compactMap(_:)``, but for values that are already optional.
    ///
    /// ```marbles
    /// source              --1--<nil>--3--|
    /// source.skipNil()    --1---------3--|
    /// ```
    @_alwaysEmitIntoClient
    public func skipNil<Wrapped: Sendable>() -> Signal<Wrapped, Failure> where Value == Wrapped? {
        derive("skipNil") { CompactMapSink(transform: { $0 }, downstream: $0) }
    }
}
