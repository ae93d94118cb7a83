// The rows of the table that a peer has, too. Scripts/check-requests --peers counts them.

typealias PeerRow = (name: String, body: @Sendable (Int) -> Void)
typealias AsyncPeerRow = (name: String, body: @Sendable (Int) async -> Void)

/// Work of which the compiler knows nothing.
@inline(never) func work(_ number: Int) -> Int { number &+ 1 }

@inline(never) func use(_ value: some Any) {}

@main
struct PeerRequests {
    static func main() {
        count([
            ("OpenCombine", openCombineRows.map(repeated(_:))),
            ("async sequences", asyncRows.map(repeated(_:))),
        ])
    }

    private static func repeated(_ row: PeerRow) -> RepeatedRow {
        ("OpenCombine: \(row.name)", { count in for number in 0..<count { row.body(number) } })
    }

    /// One task runs all repetitions.
    private static func repeated(_ row: AsyncPeerRow) -> RepeatedRow {
        (
            "async sequences: \(row.name)",
            { count in
                let tasks = SerialTasks.shared
                Task { for number in 0..<count { await row.body(number) } }
                tasks.runAll()
            }
        )
    }
}
