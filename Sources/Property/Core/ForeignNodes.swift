/// Nodes that a turn has yet to compute and whose domains it has yet to enter. Usually there are none, or one.
struct ForeignNodes {
    private final class Several {
        /// The lowest node is last.
        var nodes: [Unmanaged<PropertyNode>] = []
        var isSorted = true
    }

    private var only: Unmanaged<PropertyNode>?
    private var several: Unmanaged<Several>?

    @inline(__always)
    mutating func add(_ node: Unmanaged<PropertyNode>) {
        if only == nil, several == nil { only = node } else { addToSeveral(node) }
    }

    @inline(never)
    private mutating func addToSeveral(_ node: Unmanaged<PropertyNode>) {
        let several = self.several ?? .passRetained(Several())
        self.several = several
        several._withUnsafeGuaranteedRef { several in
            if let only { several.nodes.append(only) }
            several.nodes.append(node)
            several.isSorted = false
        }
        only = nil
    }

    @inline(__always)
    var lowest: Unmanaged<PropertyNode>? { several == nil ? only : lowestOfSeveral }

    @inline(never)
    private var lowestOfSeveral: Unmanaged<PropertyNode>? {
        several?._withUnsafeGuaranteedRef { several in
            if !several.isSorted {
                several.nodes.sort { first, second in
                    second._withUnsafeGuaranteedRef { second in
                        first._withUnsafeGuaranteedRef { second.comesBefore($0) }
                    }
                }
                several.isSorted = true
            }
            return several.nodes.last
        }
    }

    @inline(__always)
    mutating func removeLowest() { if several == nil { only = nil } else { removeLowestOfSeveral() } }

    @inline(never)
    private mutating func removeLowestOfSeveral() {
        let isEmpty = several?._withUnsafeGuaranteedRef { several in
            several.nodes.removeLast()
            return several.nodes.isEmpty
        }
        if isEmpty == true {
            several?.release()
            several = nil
        }
    }
}

extension PropertyNode {
    /// The order of heights, and of domains for equal heights.
    func comesBefore(_ other: PropertyNode) -> Bool {
        height == other.height ? domain < other.domain : height < other.height
    }
}
