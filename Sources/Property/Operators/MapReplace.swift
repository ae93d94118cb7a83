extension PropertyProtocol {
    /// A property with a constant value, which it sends again whenever this property changes.
    ///
    /// - Parameter value: The constant value.
    @inlinable
    public func mapReplace<NewValue: Sendable>(_ value: NewValue) -> Property<NewValue> {
        derive("mapReplace:", initial: { _ in value }) { _, _ in value }
    }
}
