extension Signal: CustomStringConvertible {
    /// What the signal is and the operators that made it: `[[[username] -skipRepeats] -take: 3] -filter:`.
    ///
    /// Built when asked for; a name costs an event nothing.
    public var name: String { StreamName.description(of: core) }

    /// The same as ``name``.
    public var description: String { name }

    /// Gives this signal a name, in place of what it would be called.
    ///
    ///     let username = input.named("username")
    ///     username.skipRepeats().take(first: 3).name  // [[username] -skipRepeats] -take: 3
    ///
    /// The name belongs to the signal, not to the one who gave it: whoever asks sees the name given last.
    ///
    /// - Returns: This signal.
    @discardableResult
    public func named(_ name: String) -> Signal {
        core.setName(name)
        return self
    }
}
