package import HotSignals

extension Action: GraphMember {
    @usableFromInline
    package func appear(in walk: inout GraphWalk, as record: GraphRecord) {
        for core in [
            values.core, errors.core, completed.core, disabledErrors.core, events.core, executions.core,
        ] as [SignalCore] {
            walk.absorb(core, into: self)
        }
        let state = admission.appear(in: &walk, within: self)
        let label = label.withLock { $0 }
        walk.add(self, record, .action, GraphName(label.text, label.location)) { $0.executions = state }
    }

    @usableFromInline package var graphCore: SignalCore? { values.core }
}
