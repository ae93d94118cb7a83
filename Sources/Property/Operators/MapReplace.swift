extension PropertyProtocol {
    /// A property that has always the same value, and tells of it whenever this one changes.
    ///
    /// - Parameter value: Its value.
    @inlinable
    public func mapReplace<NewValue: Sendable>(_ value: NewValue) -> Property<NewValue> {
        derive("mapReplace:", initial: { _ in value }) { _, _ in value }
    }
}
