extension PropertyProtocol {
    /// A property that does not tell of a change to what it has already.
    ///
    /// - Parameter isRepeat: Whether a value, the second one, repeats the one that it has.
    @inlinable
    public func skipRepeats(_ isRepeat: @escaping @Sendable (Value, Value) -> Bool) -> Property<Value> {
        derive("skipRepeats:", initial: { $0 }) { value, former in isRepeat(former, value) ? nil : value }
    }
}

extension PropertyProtocol where Value: Equatable {
    /// A property that does not tell of a change to an equal value.
    ///
    ///     source         1--1--2--2--|
    ///     skipRepeats    1-----2-----|
    @inlinable
    public func skipRepeats() -> Property<Value> {
        derive("skipRepeats", initial: { $0 }) { value, former in former == value ? nil : value }
    }
}
