import HotSignals

extension PropertyProtocol {
    /// What the property is and the operators that made it: `[[username] -skipRepeats] -filter:`.
    ///
    /// Built on request: a name costs nothing per change.
    public var name: String { signal.name }

    /// The current value, as text. This is what `print(property)` prints.
    ///
    /// ```swift
    /// let username = MutableProperty("jane").named("username")
    /// print(username)       // prints jane
    /// print(username.name)  // prints username
    /// debugPrint(username)  // prints username = "jane"
    /// ```
    ///
    /// It reads ``value``, and therefore traps inside the closure of the property's own `modify` or `withValue`.
    public var description: String { "\(value)" }

    /// The name and the value. This is what a debugger shows and what `debugPrint(property)` prints.
    public var debugDescription: String { "\(name) = \(String(reflecting: value))" }

    /// Gives this property a name, in place of the one derived from its operators.
    ///
    /// ```swift
    /// let username = MutableProperty("").named("username")
    /// username.map(\.count).name  // [username] -map:
    /// ```
    ///
    /// Its signal and its producer have the same name, and so do other views of it. Give the name before you combine the
    /// property with others: a combination keeps the name that the property had when its own was first needed.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    /// - Returns: This property.
    @discardableResult
    public func named(_ name: String, file: StaticString = #fileID, line: UInt = #line) -> Self {
        signal.named(name, file: file, line: line)
        return self
    }
}

extension Property: CustomStringConvertible, CustomDebugStringConvertible {}

extension MutableProperty: CustomStringConvertible, CustomDebugStringConvertible {}

extension ValidatingProperty: CustomStringConvertible, CustomDebugStringConvertible {}
