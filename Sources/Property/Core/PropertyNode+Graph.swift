package import HotSignals

extension PropertyNode: GraphMember {
    @usableFromInline package final var graphEntry: GraphEntry? {
        let (core, hasEnded) = domain.withLock { (signalCore, links.hasEnded) }
        if hasEnded { return nil }
        var entry = GraphEntry(.property, core?.graphName(isOperator: !isRoot) ?? graphName, parents: inputs)
        if let core { entry.parts.append(core) }
        entry.observers = core?.observerCount ?? 0
        if isRoot { entry.changes = UInt64(version.load() / Self.versionStep) }
        return entry
    }

    /// `nil` if the signal has not been needed.
    @usableFromInline package final var graphCore: SignalCore? { domain.withLock { signalCore } }

    /// The name of a node whose signal has not been needed.
    private final var graphName: GraphName {
        switch name {
        case .root(let name): name.graphName
        case .alone(let text), .after(let text), .joining(let text): GraphName(StreamName(text).description)
        }
    }
}
