extension Signal {
    /// Sends `value` in place of each value.
    ///
    /// Like ``map(_:)-((Value)->NewValue)``, but with a constant. It is not an overload of `map`, because a
    /// `map(value:)` would accept trailing closures.
    ///
    /// ```marbles
    /// source                    --1--2--3--|
    /// source.mapReplace("x")    --x--x--x--|
    /// ```
    ///
    /// - Parameter value: The value to send.
    @_alwaysEmitIntoClient
    public func mapReplace<NewValue: Sendable>(_ value: NewValue) -> Signal<NewValue, Failure> {
        derive("mapReplace:") { MapSink(transform: { _ in value }, downstream: $0) }
    }
}
