import HotSignals

/// Nodes that a propagation has yet to compute and whose domains it has yet to enter. Usually there are none, or one.
struct ForeignNodes {
    private(set) var lowest: Unmanaged<PropertyNode>?
    /// A retained reference to the others; `nil` if there are none.
    private var others: Unmanaged<Others>?

    @inline(__always)
    mutating func add(_ node: Unmanaged<PropertyNode>) {
        if let lowest { addToSeveral(Place(node: node), Place(node: lowest)) } else { lowest = node }
    }

    @inline(never)
    private mutating func addToSeveral(_ new: Place, _ former: Place) {
        // A node that follows from several roots of one change.
        if new == former { return }
        let others = others ?? .passRetained(Others())
        self.others = others
        let isLower = new < former
        if isLower { lowest = new.node }
        others._withUnsafeGuaranteedRef { $0.queue.insert((), at: isLower ? former : new) }
    }

    @inline(__always)
    mutating func removeLowest() { if others == nil { lowest = nil } else { removeLowestOfSeveral() } }

    @inline(never)
    private mutating func removeLowestOfSeveral() {
        lowest = others?._withUnsafeGuaranteedRef { $0.queue.popFirst()?.key.node }
        if lowest == nil {
            others?.release()
            others = nil
        }
    }

    private final class Others {
        @exclusivity(unchecked) var queue = PriorityQueue<Place, Void>()
    }

    /// The order of heights, and of domains for equal heights.
    private struct Place: Comparable {
        let node: Unmanaged<PropertyNode>

        static func == (one: Place, other: Place) -> Bool { one.node.toOpaque() == other.node.toOpaque() }

        static func < (one: Place, other: Place) -> Bool {
            one.node._withUnsafeGuaranteedRef { one in
                other.node._withUnsafeGuaranteedRef { other in
                    one.height == other.height ? one.domain < other.domain : one.height < other.height
                }
            }
        }
    }
}
