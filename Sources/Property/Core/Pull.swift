import HotSignals

/// How a value is computed outside of a turn.
@frozen @usableFromInline
package struct Pull {
    /// Where the value goes, as a value of the node's type.
    @usableFromInline let result: UnsafeMutableRawPointer
    /// Whether the inputs have their published values, and not those that are visible already.
    @usableFromInline let isPublished: Bool
    /// Where the inputs have their values; nil for those of now.
    @usableFromInline let snapshot: Snapshot?

    @inlinable
    init(_ result: UnsafeMutableRawPointer, isPublished: Bool, snapshot: Snapshot? = nil) {
        (self.result, self.isPublished, self.snapshot) = (result, isPublished, snapshot)
    }
}

/// The values of one moment that a node follows from: those of its roots, and of what is kept.
///
/// For a reader whose computation takes so long that a root has always changed meanwhile.
@usableFromInline
final class Snapshot {
    private var values: [ObjectIdentifier: Any] = [:]

    @usableFromInline
    init(of node: PropertyNode) {
        // What is pulled follows from these. What is kept, and so linked, has the value that its last turn has left.
        var leaves: [PropertyNode] = []
        var (candidates, seen): ([PropertyNode], Set<ObjectIdentifier>) = (node.inputs, [])
        while let candidate = candidates.popLast() {
            guard seen.insert(ObjectIdentifier(candidate)).inserted else { continue }
            if candidate.isRoot || candidate.isKept { leaves.append(candidate) } else { candidates += candidate.inputs }
        }
        while true {
            let blocking = Domain.withLocks(leaves.map(\.domain)) {
                for leaf in leaves {
                    guard let value = leaf.visibleValue else { return leaf as PropertyNode? }
                    values[ObjectIdentifier(leaf)] = value
                }
                return nil
            }
            guard let blocking else { break }
            values = [:]
            blocking.awaitBody()
        }
    }

    @usableFromInline
    func value<Value: Sendable>(of node: ValueNode<Value>) -> Value {
        if let known = values[ObjectIdentifier(node)] as? Value { return known }
        let value = node.computed(isPublished: false, self)
        values[ObjectIdentifier(node)] = value
        return value
    }
}
