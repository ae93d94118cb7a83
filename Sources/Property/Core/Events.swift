import HotSignals

/// The events of a turn, on their way to the observers.
struct Events {
    /// Nodes whose gates the turn has entered, linked through `nextToDeliver`, in the order in which they are to be delivered.
    private var first: Unmanaged<PropertyNode>?
    private var last: Unmanaged<PropertyNode>?
    /// Nodes whose events are in the inboxes of their gates. Rare.
    private var added: [PropertyNode]?

    /// Lock. Lines up what a node has to say.
    ///
    /// - Parameter isFirst: Whether it goes before all that is lined up already.
    @inline(__always)
    mutating func publish(_ node: PropertyNode, _ thread: UInt, isFirst: Bool = false) {
        switch node.publish(node, thread) {
        case .entered where isFirst:
            node.nextToDeliver = first
            let reference = Unmanaged.passUnretained(node)
            first = reference
            if last == nil { last = reference }
        case .entered:
            // The link is the owner's.
            node.nextToDeliver = nil
            let reference = Unmanaged.passUnretained(node)
            if let last { last._withUnsafeGuaranteedRef { $0.nextToDeliver = reference } } else { first = reference }
            last = reference
        case .added: added = (added ?? []) + [node]
        case .silent: break
        }
    }

    /// Delivers them. What was added to an inbox is delivered by the gate's owner; who may wait waits for that.
    @inline(__always)
    consuming func send(_ thread: UInt) {
        while let node = first {
            // Delivering ends with leaving the gate.
            first = node._withUnsafeGuaranteedRef { $0.nextToDeliver }
            node._withUnsafeGuaranteedRef { $0.deliver($0, thread) }
        }
        if let added { for node in added { node.signalCore.gate.waitForTurn(thread) } }
    }
}
