extension PropertyProtocol {
    /// A property that takes on only the values of this property that pass a test, and otherwise keeps its value.
    ///
    /// ```marbles
    /// source                                       1--2--3--4--|
    /// source.filter(initial: 0) { $0 % 2 == 0 }    0--2-----4--|
    /// ```
    ///
    /// - Parameters:
    ///   - initial: The initial value if the current value of this property fails the test.
    ///   - isIncluded: Called for the current value when the property is made, and once per change as long as the
    ///     property is referenced.
    @_alwaysEmitIntoClient
    public func filter(initial: Value, _ isIncluded: @escaping @Sendable (Value) -> Bool) -> Property<Value> {
        keep("filter:", initial: { isIncluded($0) ? $0 : initial }) { value, _ in isIncluded(value) ? value : nil }
    }
}
