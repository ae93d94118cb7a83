extension PropertyProtocol {
    /// A property with a constant value, which it sends again whenever this property changes.
    ///
    /// - Parameter value: The constant value.
    @_alwaysEmitIntoClient
    public func mapReplace<NewValue: Sendable>(_ value: NewValue) -> Property<NewValue> {
        pull("mapReplace:") { _ in value }
    }
}
