import HotSignals
import ReactiveDiagnostics
import ReactiveSignals
import TestSupport
import Testing

@Suite("The forms of a snapshot of StreamGraph")
struct StreamGraphTextTests {
    private typealias Node = StreamGraph.Node

    private func node(
        _ id: UInt64, _ kind: Node.Kind, _ name: String, parents: [UInt64] = [], _ body: (inout Node) -> Void = { _ in }
    ) -> Node {
        var node = Node(id: id, kind: kind, name: name, age: .milliseconds(1_250))
        node.parents = parents
        body(&node)
        return node
    }

    private func snapshot(_ nodes: [Node], _ warnings: [StreamGraph.Warning] = []) -> StreamGraph.Snapshot {
        StreamGraph.Snapshot(nodes: nodes, waits: [], warnings: warnings)
    }

    @Test("the text is a tree, with what is known about each node")
    func tree() {
        let nodes = [
            node(1, .signal, "orders") {
                ($0.fileID, $0.line, $0.observers) = ("App/Orders.swift", 12, 2)
                $0.gate = StreamGraph.GateState(owner: 0x7f10, duration: .seconds(2), waiting: 1)
            },
            node(2, .operator, "map:", parents: [1]) { $0.observers = 1 },
            node(3, .signal, "prices"),
            node(4, .operator, "+zip:", parents: [2, 3]),
            node(5, .buffer, "queue", parents: [4]) { $0.buffer = StreamGraph.BufferState(depth: 7, limit: nil) },
            node(6, .buffer, "queue", parents: [4]) { $0.buffer = StreamGraph.BufferState(depth: 8, limit: 9) },
            node(7, .action, "save") { $0.executions = StreamGraph.ExecutionState(running: 1, waiting: 4) },
            node(8, .property, "count", parents: [99]) { $0.changes = 3 },
        ]
        let warning = StreamGraph.Warning(kind: .deliversLong, node: 1, description: "takes long")
        expect(
            snapshot(nodes, [warning]).description,
            is: """
                warning: takes long
                signal orders #1 (App/Orders.swift:12), 1.2 s, 2 observers, thread 0x7f10 delivers for 2.0 s, \
                1 thread waiting
                  operator map: #2, 1.2 s, 1 observer
                    operator +zip: #4, 1.2 s, also from #3
                      buffer queue #5, 1.2 s, depth: 7 of any number
                      buffer queue #6, 1.2 s, depth: 8 of 9
                signal prices #3, 1.2 s
                action save #7, 1.2 s, running: 1, waiting: 4
                property count #8, 1.2 s, changes: 3
                """)
    }

    @Test("control characters are escaped in both forms, and quotation marks in that for Graphviz")
    func escaping() {
        let evil = "a\u{1b}[2J\nb\"c\\d\u{202e}e\u{0}é"
        let snapshot = snapshot([node(1, .signal, evil)])
        expect(
            snapshot.description, is: #"signal a\u{1b}[2J\u{a}b"c\d\u{202e}e\u{0}é #1, 1.2 s"#)
        #expect(
            snapshot.dot.contains(#"n1 [label="signal a\\u{1b}[2J\\u{a}b\"c\\d\\u{202e}e\\u{0}é\n1.2 s"]"#),
            "\(snapshot.dot)")
    }

    @Test("the form for Graphviz has nodes, edges, waits, and marks what looks wrong")
    func dot() {
        let wait = StreamGraph.Wait(
            kind: .thread, node: 1, thread: 0x7f20, duration: .seconds(3), owner: 0x7f10)
        let warning = StreamGraph.Warning(kind: .waitsLong, node: 1, description: "waits")
        let nodes = [node(1, .signal, "orders"), node(2, .operator, "map:", parents: [1])]
        expect(
            StreamGraph.Snapshot(nodes: nodes, waits: [wait], warnings: [warning]).dot,
            is: #"""
                digraph streams {
                  rankdir=LR
                  node [shape=box, fontname="sans-serif"]
                  n1 [label="signal orders\n1.2 s", color=red, penwidth=2]
                  n2 [label="operator map:\n1.2 s"]
                  n1 -> n2
                  w0 [label="thread 0x7f20 waits for 3.0 s", shape=ellipse]
                  w0 -> n1 [style=dashed]
                }
                """#)
    }

    @Test("a chain of 10,000 nodes and nodes that claim to be their own parents are printed")
    func extremes() {
        let chain = (1...10_000).map { node(UInt64($0), .operator, "map:", parents: $0 == 1 ? [] : [UInt64($0 - 1)]) }
        let lines = snapshot(chain).description.split(separator: "\n")
        expect(lines.count, is: 10_000)
        #expect(lines.allSatisfy { $0.count < 100 })
        expect(snapshot([node(1, .signal, "a", parents: [1])]).description, is: "signal a #1, 1.2 s")
        // Each the parent of the other: printed all the same.
        let cycle = snapshot([node(1, .signal, "a", parents: [2]), node(2, .signal, "b", parents: [1])])
        expect(cycle.description.split(separator: "\n").count, is: 2)
    }
}
