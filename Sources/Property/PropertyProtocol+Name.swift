import HotSignals

extension PropertyProtocol {
    /// What the property is and the operators that made it: `[[username] -skipRepeats] -filter:`.
    ///
    /// Built when asked for; a name costs a change nothing.
    public var name: String { signal.name }

    /// The same as ``name``.
    public var description: String { name }

    /// Gives this property a name, in place of what it would be called.
    ///
    ///     let username = MutableProperty("").named("username")
    ///     username.map(\.count).name  // [username] -map:
    ///
    /// Its signal and its producer bear the same name, and so do other views of it.
    ///
    /// - Returns: This property.
    @discardableResult
    public func named(_ name: String) -> Self {
        signal.named(name)
        return self
    }
}

extension Property: CustomStringConvertible {}

extension MutableProperty: CustomStringConvertible {}

extension ValidatingProperty: CustomStringConvertible {}
