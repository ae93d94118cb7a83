extension Signal: CustomStringConvertible {
    /// What the signal is and the operators that made it: `[[[username] -skipRepeats] -take: 3] -filter:`.
    ///
    /// Built when asked for; a name costs an event nothing.
    public var name: String { label?.text ?? core.name.description }

    /// The same as ``name``.
    public var description: String { name }

    /// This signal under another name.
    ///
    ///     let username = input.named("username")
    ///     username.skipRepeats().take(first: 3).name  // [[username] -skipRepeats] -take: 3
    public func named(_ name: String) -> Signal {
        Signal(core: core, label: Label(name, of: self, core: core))
    }

    /// The name's node, for the operators that have several inputs.
    @usableFromInline
    package var streamName: StreamName {
        label.map { StreamName("", parent: $0) } ?? core.name
    }
}
