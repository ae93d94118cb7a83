extension PropertyProtocol {
    /// A property whose value is this one's and the one before.
    ///
    ///     source                1------2------3--|
    ///     combinePrevious(0)    (0,1)--(1,2)--(2,3)--|
    ///
    /// - Parameter initial: What was before the present value.
    @inlinable
    public func combinePrevious(_ initial: Value) -> Property<(Value, Value)> {
        derive("combinePrevious:", initial: { (initial, $0) }) { value, former in (former.1, value) }
    }
}
