import HotSignals

extension PropertyProtocol {
    /// What the property is and the operators that made it: `[[username] -skipRepeats] -filter:`.
    ///
    /// Built when asked for; a name costs a change nothing.
    public var name: String { signal.name }

    /// The value at this moment, as text: what `print(property)` prints.
    ///
    ///     let username = MutableProperty("jane").named("username")
    ///     print(username)       // prints jane
    ///     print(username.name)  // prints username
    ///     debugPrint(username)  // prints username = "jane"
    ///
    /// It reads ``value``, and so traps inside the closure of the property's own `modify` or `withValue`.
    public var description: String { "\(value)" }

    /// The name and the value: what a debugger shows and `debugPrint(property)` prints.
    public var debugDescription: String { "\(name) = \(String(reflecting: value))" }

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

extension Property: CustomStringConvertible, CustomDebugStringConvertible {}

extension MutableProperty: CustomStringConvertible, CustomDebugStringConvertible {}

extension ValidatingProperty: CustomStringConvertible, CustomDebugStringConvertible {}
