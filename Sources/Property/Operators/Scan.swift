extension PropertyProtocol {
    /// A property that accumulates the values of this property, the current one first.
    ///
    /// ```marbles
    /// source               1--2--3--|
    /// source.scan(0, +)    1--3--6--|
    /// ```
    ///
    /// Has a memory: it is computed at each change, as long as it is referenced.
    ///
    /// - Parameters:
    ///   - initial: The result before the current value.
    ///   - nextResult: Returns the next result from the previous one and a value. Called for the current value when the
    ///     property is made, and once per change as long as the property is referenced. It must not set a property: see
    ///     <doc:Glitches>.
    @_alwaysEmitIntoClient
    public func scan<Result: Sendable>(
        _ initial: Result, _ nextResult: @escaping @Sendable (Result, Value) -> Result
    ) -> Property<Result> {
        keep("scan:", initial: { nextResult(initial, $0) }) { value, former in nextResult(former, value) }
    }
}
