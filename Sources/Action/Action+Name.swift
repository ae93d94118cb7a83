import HotSignals

extension Action {
    /// The name given with ``named(_:file:line:)``, or `action`.
    public var name: String { label.withLock { $0 }.text }

    /// Gives the action a name, under which `StreamGraph` shows it.
    ///
    /// ```swift
    /// let save = Action<Int, Int, Never>(policy: .queue(waiting: 10)) { SignalProducer(value: $0) }.named("save")
    /// print(save.name)  // prints save
    /// ```
    ///
    /// The last name wins.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    /// - Returns: This action.
    @discardableResult
    public func named(_ name: String, file: StaticString = #fileID, line: UInt = #line) -> Action {
        let new = Label(name, CodeLocation(file, line))
        // The former name is released outside the lock.
        let former = label.withLock { label in
            let former = label
            label = new
            return former
        }
        withExtendedLifetime(former) {}
        return self
    }
}
