extension PropertyProtocol {
    /// A property of the previous and the current value of this property.
    ///
    /// ```marbles
    /// source                       1------2------3------|
    /// source.combinePrevious(0)    (0,1)--(1,2)--(2,3)--|
    /// ```
    ///
    /// Has a memory: it is computed at each change, as long as it is referenced.
    ///
    /// - Parameter initial: The predecessor of the current value.
    @_alwaysEmitIntoClient
    public func combinePrevious(_ initial: Value) -> Property<(Value, Value)> {
        keep("combinePrevious:", initial: { (initial, $0) }) { value, former in (former.1, value) }
    }
}
