import HotSignals

/// The events of a turn, on their way to the observers. References are counted by hand, as there is nothing to count usually.
///
/// The nodes are not held. One whose gate has been entered, and that is let go of by an observer or by another thread, goes only when the
/// gate has been left: see `letGo()`.
struct Events {
    /// What is rare.
    final class Rest {
        /// Nodes whose events are in the inboxes of their gates.
        var added: [PropertyNode] = []
        /// What was unlinked.
        var garbage: [Unmanaged<PropertyNode>] = []
        /// Whether there was more to do than usual, so that stale nodes may have been left.
        var isSpecial = false
    }

    /// Nodes whose gates the turn has entered, linked through `nextToDeliver`, in the order in which they are to be delivered.
    private var first: Unmanaged<PropertyNode>?
    private var last: Unmanaged<PropertyNode>?
    /// Nil if there is nothing of that. With a reference.
    private(set) var rest: Unmanaged<Rest>?

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
        case .added: noteRest { $0.added.append(node) }
        case .silent: break
        }
    }

    @inline(never)
    mutating func noteRest(_ note: (Rest) -> Void) {
        let rest = self.rest ?? .passRetained(Rest())
        self.rest = rest
        note(rest.takeUnretainedValue())
    }

    /// Delivers those whose gates were entered.
    @inline(__always)
    func send(_ thread: UInt) {
        var next = first
        while let node = next {
            // Delivering ends with leaving the gate.
            next = node._withUnsafeGuaranteedRef { $0.nextToDeliver }
            node._withUnsafeGuaranteedRef { $0.deliver($0, thread) }
        }
    }
}
