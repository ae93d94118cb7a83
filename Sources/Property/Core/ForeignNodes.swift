/// Nodes that a propagation has yet to compute and whose domains it has yet to enter. Usually there are none, or one.
struct ForeignNodes {
    private(set) var lowest: Unmanaged<PropertyNode>?
    /// A retained reference to the others; `nil` if there are none.
    private var others: Unmanaged<Others>?

    @inline(__always)
    mutating func add(_ node: Unmanaged<PropertyNode>) {
        if lowest == nil { lowest = node } else { addToSeveral(node) }
    }

    @inline(never)
    private mutating func addToSeveral(_ node: Unmanaged<PropertyNode>) {
        // A node that follows from several roots of one change.
        if lowest?.toOpaque() == node.toOpaque() { return }
        let others = others ?? .passRetained(Others())
        self.others = others
        // There is one.
        lowest = others._withUnsafeGuaranteedRef { $0.exchange(node, lowest!) }
    }

    @inline(__always)
    mutating func removeLowest() { if others == nil { lowest = nil } else { removeLowestOfSeveral() } }

    @inline(never)
    private mutating func removeLowestOfSeveral() {
        lowest = others?._withUnsafeGuaranteedRef { $0.removeLowest() }
        if lowest == nil {
            others?.release()
            others = nil
        }
    }

    /// A heap: each node is below the two at twice its place.
    private final class Others {
        @exclusivity(unchecked) private var nodes: [Unmanaged<PropertyNode>] = []

        /// Keeps the higher one of two nodes, and returns the lower one.
        func exchange(_ new: Unmanaged<PropertyNode>, _ lowest: Unmanaged<PropertyNode>) -> Unmanaged<PropertyNode> {
            let isLower = Self.isBelow(new, lowest)
            add(isLower ? lowest : new)
            return isLower ? new : lowest
        }

        private func add(_ node: Unmanaged<PropertyNode>) {
            nodes.append(node)
            var place = nodes.count - 1
            while place > 0, Self.isBelow(node, nodes[(place - 1) / 2]) {
                nodes[place] = nodes[(place - 1) / 2]
                place = (place - 1) / 2
            }
            nodes[place] = node
        }

        func removeLowest() -> Unmanaged<PropertyNode>? {
            guard let lowest = nodes.first else { return nil }
            let last = nodes.removeLast()
            if nodes.isEmpty { return lowest }
            var place = 0
            while 2 * place + 1 < nodes.count {
                var child = 2 * place + 1
                if child + 1 < nodes.count, Self.isBelow(nodes[child + 1], nodes[child]) { child += 1 }
                if !Self.isBelow(nodes[child], last) { break }
                nodes[place] = nodes[child]
                place = child
            }
            nodes[place] = last
            return lowest
        }

        private static func isBelow(_ one: Unmanaged<PropertyNode>, _ other: Unmanaged<PropertyNode>) -> Bool {
            one._withUnsafeGuaranteedRef { one in other._withUnsafeGuaranteedRef { one.comesBefore($0) } }
        }
    }
}

extension PropertyNode {
    /// The order of heights, and of domains for equal heights.
    @inline(__always)
    func comesBefore(_ other: PropertyNode) -> Bool {
        height == other.height ? domain < other.domain : height < other.height
    }
}
