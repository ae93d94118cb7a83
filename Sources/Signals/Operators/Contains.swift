extension Signal {
    /// Sends whether at least one value passes a test.
    ///
    /// The counterpart of ``allSatisfy(_:)``.
    ///
    /// ```marbles
    /// source                             --1--3--4--5--|
    /// source.contains { $0 % 2 == 0 }    --------t|
    /// ```
    ///
    /// Sends `true`, completes and releases the source at the first value that passes the test. Sends `false` when the
    /// source completes before that.
    ///
    /// - Parameter isIncluded: Called once per value until it returns `true`, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func contains(where isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal<Bool, Failure> {
        derive("contains(where:)") { SearchSink(isFound: isIncluded, found: true, downstream: $0) }
    }
}
