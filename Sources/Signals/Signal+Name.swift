extension Signal: CustomStringConvertible {
    /// What the signal is and the operators that made it: `[[[username] -skipRepeats] -take: 3] -filter:`.
    ///
    /// Built on request: a name costs nothing per event.
    public var name: String { StreamName.description(of: core) }

    /// The same as ``name``.
    public var description: String { name }

    /// Gives this signal a name, in place of the one derived from its operators.
    ///
    /// ```swift
    /// let username = input.named("username")
    /// username.skipRepeats().take(first: 3).name  // [[username] -skipRepeats] -take: 3
    /// ```
    ///
    /// The name belongs to the signal: everyone sees the name that was set last.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    /// - Returns: This signal.
    @discardableResult
    public func named(_ name: String, file: StaticString = #fileID, line: UInt = #line) -> Signal {
        core.setName(name, CodeLocation(file, line))
        return self
    }
}
