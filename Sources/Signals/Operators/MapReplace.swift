extension Signal {
    /// Sends `value` in place of each value.
    ///
    /// Like ``map(_:)-((Value)->NewValue)``, but with a constant. It bears another name because a `map(value:)` would take in
    /// trailing closures.
    ///
    ///     source               --1--2--3--|
    ///     mapReplace("x")      --x--x--x--|
    ///
    /// - Parameter value: What is sent.
    @inlinable
    public func mapReplace<NewValue: Sendable>(_ value: NewValue) -> Signal<NewValue, Failure> {
        derive("mapReplace:") { MapSink(transform: { _ in value }, downstream: $0) }
    }
}
