extension Signal {
    /// Sends whether some value passes a test.
    ///
    /// The counterpart of ``allSatisfy(_:)``.
    ///
    ///     source                      --1--3--4--5--|
    ///     contains { $0 % 2 == 0 }    --------true|
    ///
    /// Sends true and completes, letting go of the source, with the first value that passes; sends false when the source
    /// completes before that.
    ///
    /// - Parameter isIncluded: Called once a value until it returns true, whatever the number of observers.
    @inlinable
    public func contains(where isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal<Bool, Failure> {
        derive("contains(where:)") { SearchSink(isFound: isIncluded, found: true, downstream: $0) }
    }
}
