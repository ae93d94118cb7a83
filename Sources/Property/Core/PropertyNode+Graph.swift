package import HotSignals

extension PropertyNode: GraphMember {
    @usableFromInline
    package final func appear(in walk: inout GraphWalk, as record: GraphRecord) {
        let (core, hasEnded) = domain.withLock { (signalCore, links.hasEnded) }
        if hasEnded { return }
        if let core { walk.absorb(core, into: self) }
        let headsDomain = input.map { $0.domain !== domain } ?? true
        if headsDomain { walk.absorb(domain.gate, into: self) }
        let state = headsDomain ? walk.state(of: domain.gate) : nil
        walk.add(self, record, .property, core?.graphName(isOperator: !isRoot) ?? graphName, parents: inputs) { node in
            node.gate = state
            node.observers = core?.observerCount ?? 0
            if isRoot { node.changes = UInt64(version.load() / Self.versionStep) }
        }
    }

    /// `nil` if the signal has not been needed.
    @usableFromInline package final var graphCore: SignalCore? { domain.withLock { signalCore } }

    /// The name of a node whose signal has not been needed.
    private final var graphName: GraphName {
        switch name {
        case .alone(let text), .after(let text), .joining(let text): GraphName(StreamName(text).description)
        }
    }
}
