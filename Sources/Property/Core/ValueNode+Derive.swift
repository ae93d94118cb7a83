public import HotSignals

extension ValueNode {
    /// Makes a node that is derived from others. Nothing waits, and no turn is needed.
    ///
    /// - Parameters:
    ///   - snapshot: Lock. Takes what the value is computed from.
    ///   - initial: Computes the first value. Called once more for each change of an input that comes meanwhile.
    ///   - recompute: See ``compute(_:)``.
    ///   - ending: When it ends.
    @inlinable
    package static func derived<Snapshot>(
        _ name: StreamName, from inputs: [PropertyNode], snapshot: () -> Snapshot, initial: (Snapshot) -> Value,
        recompute: @escaping @Sendable (ValueNode) -> Value?, ending: Ending = .withAll
    ) -> (ValueNode, Signal<Value, Never>) {
        derived(
            name, from: inputs, snapshot: snapshot, initial: initial,
            compute: { unsafeDowncast($0, to: ValueNode<Value>.self).compute(recompute) }, ending: ending)
    }

    /// The same for a closure that calls ``compute(_:)`` itself, which is one call less.
    @inlinable
    static func derived<Snapshot>(
        _ name: StreamName, from inputs: [PropertyNode], snapshot: () -> Snapshot, initial: (Snapshot) -> Value,
        compute: @escaping @Sendable (PropertyNode) -> Bool, ending: Ending = .withAll,
        publish: @escaping @Sendable (PropertyNode, UInt) -> Publication = {
            unsafeDowncast($0, to: ValueNode<Value>.self).publish($1)
        }
    ) -> (ValueNode, Signal<Value, Never>) {
        for input in inputs { input.refuseAccess() }
        // What has ended does not change any more, so it needs no graph.
        if !inputs.allSatisfy({ input in input.origin.withLock { _ in input.hasEnded } }) {
            for input in inputs.dropFirst() { Graph.join(inputs[0].origin, input.origin) }
        }
        func look() -> (Snapshot, UInt) { withReadable(inputs) { (snapshot(), inputs.versions) } }
        var (seen, versions) = look()
        let contention: Contention =
            inputs.contains { $0.signalCore.gateContention == .enqueue } ? .enqueue : .wait
        let core = Core<Value, Never>(rootNamed: name, contention: contention)
        let node = ValueNode(
            initial(seen), core, inputs: inputs, ending: ending, compute: compute, publish: publish)
        let signal = Signal(core: core)
        while !node.link(seen: versions) {
            (seen, versions) = look()
            node.value = initial(seen)
        }
        if node.hasEnded { core.sendEnd(.completed) } else { node.followSignal() }
        return (node, signal)
    }
}

extension [PropertyNode] {
    /// Lock. Changes whenever the value of one of them does.
    @inlinable
    var versions: UInt { reduce(0) { $0 &+ $1.version } }
}
