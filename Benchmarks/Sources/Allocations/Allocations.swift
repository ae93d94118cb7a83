import CAllocations
import Glibc
import PeerSupport
import Rows

/// Runs one workload a number of times and prints, for one time: blocks taken from the heap, blocks still alive, their
/// bytes as the heap accounts for them, and the bytes asked for.
@main
enum Allocations {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let count = arguments.last.flatMap({ Int($0) }), count > 0,
            let run = Row.prepare(arguments.first!)
        else {
            print("usage: Allocations NAME COUNT")
            exit(2)
        }
        becomeMultithreaded()
        // Once before, for what is only allocated the first time: metadata, caches, room in collections.
        run(count)
        let before = allocations_now()
        run(count)
        let after = allocations_now()
        let blocks = after.blocks - before.blocks
        let figures = [
            blocks, blocks - (after.frees - before.frees), after.heap_bytes - before.heap_bytes,
            after.requested - before.requested,
        ]
        print(figures.map { "\(Double($0) / Double(count))" }.joined(separator: " "))
    }
}
