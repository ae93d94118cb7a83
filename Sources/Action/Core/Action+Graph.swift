package import HotSignals

extension Action: GraphMember {
    @usableFromInline package var graphEntry: GraphEntry? {
        let label = label.withLock { $0 }
        var entry = GraphEntry(.action, GraphName(label.text, label.location))
        let (properties, running, waiting) = admission.graphState
        entry.parts =
            [values.core, errors.core, completed.core, disabledErrors.core, events.core, executions.core] + properties
        entry.executions = (running, waiting)
        return entry
    }

    @usableFromInline package var graphCore: SignalCore? { values.core }
}
