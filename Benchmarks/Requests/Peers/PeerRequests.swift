// The rows of Requests.swift that a peer has, too. Scripts/check-requests --peers counts them.

import Dispatch

typealias PeerRow = (name: String, body: @Sendable (Int) -> Void)
typealias AsyncPeerRow = (name: String, body: @Sendable (Int) async -> Void)

/// Work of which the compiler knows nothing.
@inline(never) func work(_ number: Int) -> Int { number &+ 1 }

@inline(never) func use(_ value: some Any) {}

@main
struct PeerRequests {
    /// Prints the peers' rows, or runs one of them a number of times.
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]) else {
            for row in openCombineRows { print("OpenCombine: \(row.name)") }
            for row in asyncRows { print("async sequences: \(row.name)") }
            return
        }
        if let row = openCombineRows.first(where: { "OpenCombine: \($0.name)" == arguments[1] }) {
            for number in 0..<count { row.body(number) }
        } else if let row = asyncRows.first(where: { "async sequences: \($0.name)" == arguments[1] }) {
            // (The main thread of an async program leaves it in a way that callgrind does not survive.)
            let ended = DispatchSemaphore(value: 0)
            Task.detached {
                for number in 0..<count { await row.body(number) }
                ended.signal()
            }
            ended.wait()
        } else {
            fatalError("no row \(arguments[1])")
        }
    }
}
