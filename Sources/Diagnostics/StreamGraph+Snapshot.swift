extension StreamGraph {
    /// What was alive at one time: see ``StreamGraph/snapshot(after:)``.
    ///
    /// Contains no values of streams, and refers to no streams.
    public struct Snapshot: Codable, Sendable, Equatable {
        /// What was alive, the oldest first.
        public let nodes: [Node]
        /// What waited for a stream, the longest wait first.
        public let waits: [Wait]
        /// What looked wrong.
        public let warnings: [Warning]

        package init(nodes: [Node], waits: [Wait], warnings: [Warning]) {
            self.nodes = nodes
            self.waits = waits
            self.warnings = warnings
        }
    }
}

extension StreamGraph.Snapshot: CustomStringConvertible {
    /// The warnings, and the nodes as a tree: operators, starts and queues below what they are derived from or belong
    /// to.
    ///
    /// A node with several parents is below the first one. Control characters in names are escaped.
    public var description: String { GraphText(self).text }

    /// The nodes as a graph in the language of Graphviz.
    ///
    /// Nodes of which there is a warning are red. Control characters in names are escaped.
    public var dot: String { GraphDot(self).text }
}
