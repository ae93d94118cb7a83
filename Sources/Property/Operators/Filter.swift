extension PropertyProtocol {
    /// A property that takes on those values of this one that fulfil a condition, and keeps the last of them meanwhile.
    ///
    ///     source                              1--2--3--4--|
    ///     filter(initial: 0) { $0 % 2 == 0 }  0--2-----4--|
    ///
    /// - Parameters:
    ///   - initial: Its value if the present one does not.
    ///   - isIncluded: Called once for the present value, and once a change.
    @inlinable
    public func filter(initial: Value, _ isIncluded: @escaping @Sendable (Value) -> Bool) -> Property<Value> {
        derive("filter:", initial: { isIncluded($0) ? $0 : initial }) { value, _ in isIncluded(value) ? value : nil }
    }
}
