extension SignalCore: GraphMember {
    @usableFromInline package final var graphCore: SignalCore? { self }

    @usableFromInline package final var graphEntry: GraphEntry? {
        if terminated.isRaised { return nil }
        let parents = name.parentCores
        var entry = GraphEntry(
            parents.isEmpty ? .signal : .operator, graphName(isOperator: !parents.isEmpty), parents: parents)
        entry.observers = observerCount
        if gate === self {
            entry.gate = self
            if let senders { entry.children = [senders] }
        }
        return entry
    }

    /// The name of the node.
    ///
    /// - Parameter isOperator: Whether the nodes upstream have the rest of the name.
    package final func graphName(isOperator: Bool) -> GraphName {
        if let givenName { return GraphName(givenName.text, givenName.location) }
        let stage = name.stage
        if isOperator, !stage.isEmpty, name.parent is SignalCore { return GraphName(stage) }
        return name.graphName
    }

    /// The name, and where it was given or the root was made, for a trap.
    package final var nameAndPlace: String {
        let name = graphName(isOperator: false)
        return name.text + (name.location.place.map { " (\($0.fileID):\($0.line))" } ?? "")
    }
}

extension StreamName {
    /// The cores that the stream is derived from.
    var parentCores: [SignalCore] {
        switch parent {
        case let upstream as SignalCore: [upstream]
        case let inputs as OperatorInputs: inputs.cores
        default: []
        }
    }

    /// The last operators of the name, and where the user has given it.
    package var graphName: GraphName {
        GraphName(StreamName.description(self, given: nil, limit: 16), root?.location ?? origin)
    }

    /// The name that the user gave to the producer from which this one is derived.
    private var root: Label? {
        var name = self
        while let node = name.parent as? NameNode { name = node.name }
        return name.parent as? Label
    }
}
