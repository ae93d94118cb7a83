extension PropertyProtocol {
    /// A property that does not report a change to a value that repeats its current one.
    ///
    /// - Parameter isRepeat: Whether the second argument, a new value, repeats the first one, the current value.
    @inlinable
    public func skipRepeats(_ isRepeat: @escaping @Sendable (Value, Value) -> Bool) -> Property<Value> {
        derive("skipRepeats:", initial: { $0 }) { value, former in isRepeat(former, value) ? nil : value }
    }
}

extension PropertyProtocol where Value: Equatable {
    /// A property that does not report a change to an equal value.
    ///
    /// ```marbles
    /// source                  1--1--2--2--|
    /// source.skipRepeats()    1-----2-----|
    /// ```
    @inlinable
    public func skipRepeats() -> Property<Value> {
        derive("skipRepeats", initial: { $0 }) { value, former in former == value ? nil : value }
    }
}
