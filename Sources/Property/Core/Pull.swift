import HotSignals

/// How a value is computed outside of a propagation.
@frozen @usableFromInline
package struct Pull {
    /// Where to store the value, as a value of the node's type.
    @usableFromInline let result: UnsafeMutableRawPointer
    /// The values of the inputs; `nil` for the current ones.
    @usableFromInline let snapshot: Snapshot?

    @_alwaysEmitIntoClient
    init(_ result: UnsafeMutableRawPointer, snapshot: Snapshot? = nil) {
        (self.result, self.snapshot) = (result, snapshot)
    }
}

/// The values that a node is derived from, taken at one moment: those of its roots and of its kept inputs.
///
/// Used by a reader whose computation takes so long that a root changes during each attempt.
@usableFromInline
final class Snapshot: @unchecked Sendable {
    // Sendable: one thread uses it.
    private var values: [ObjectIdentifier: any Sendable] = [:]

    @usableFromInline
    init(of node: PropertyNode) {
        // Pulled nodes are derived from these. A kept node is linked, so it has the value that the last propagation
        // published.
        var leaves: [PropertyNode] = []
        var (candidates, seen): ([PropertyNode], Set<ObjectIdentifier>) = (node.inputs, [])
        while let candidate = candidates.popLast() {
            guard seen.insert(ObjectIdentifier(candidate)).inserted else { continue }
            if candidate.isRoot || candidate.isKept { leaves.append(candidate) } else { candidates += candidate.inputs }
        }
        while true {
            var blocking: PropertyNode?
            let isDone = Domain.withLocks(leaves.map(\.domain)) { held -> Bool in
                for leaf in leaves {
                    guard let value = leaf.visibleValue(held) else {
                        blocking = leaf
                        return false
                    }
                    values[ObjectIdentifier(leaf)] = value
                }
                return true
            }
            if isDone { break }
            PureSection.release(values)
            values = [:]
            blocking?.awaitBody()
        }
    }

    @usableFromInline
    func value<Value: Sendable>(of node: ValueNode<Value>) -> Value {
        // Looked up first: a cast of a value that is missing to an optional type succeeds.
        if let known = values[ObjectIdentifier(node)] { return known as! Value }
        let value = node.computed(self)
        values[ObjectIdentifier(node)] = value
        return value
    }
}
