/// Prints a snapshot in the language of Graphviz.
struct GraphDot {
    let text: String

    init(_ snapshot: StreamGraph.Snapshot) {
        let suspicious = Set(snapshot.warnings.compactMap(\.node))
        var lines = ["digraph streams {", "  rankdir=LR", "  node [shape=box, fontname=\"sans-serif\"]"]
        for node in snapshot.nodes {
            var label = [("\(node.kind) " + node.name).printable(quotes: true)]
            if let file = node.fileID { label.append("\(file):\(node.line ?? 0)".printable(quotes: true)) }
            label.append(GraphText.details(of: node).joined(separator: ", "))
            let color = suspicious.contains(node.id) ? ", color=red, penwidth=2" : ""
            // `\n` in the language of Graphviz.
            lines.append("  n\(node.id) [label=\"\(label.joined(separator: "\\n"))\"\(color)]")
        }
        for node in snapshot.nodes {
            for parent in node.parents { lines.append("  n\(parent) -> n\(node.id)") }
        }
        for (number, wait) in snapshot.waits.enumerated() {
            guard let node = wait.node else { continue }
            let label = "\(wait.kind == .thread ? wait.thread.asThread : "sender") waits for \(wait.duration.inSeconds)"
            lines.append("  w\(number) [label=\"\(label)\", shape=ellipse]")
            lines.append("  w\(number) -> n\(node) [style=dashed]")
        }
        text = (lines + ["}"]).joined(separator: "\n")
    }
}
