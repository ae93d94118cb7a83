extension Signal {
    /// Drops what is nil and unwraps the rest.
    ///
    /// Like ``compactMap(_:)`` for values that are optional already.
    ///
    ///     source       --1--nil--3--|
    ///     skipNil()    --1-------3--|
    @inlinable
    public func skipNil<Wrapped: Sendable>() -> Signal<Wrapped, Failure> where Value == Wrapped? {
        derive("skipNil") { CompactMapSink(transform: { $0 }, downstream: $0) }
    }
}
