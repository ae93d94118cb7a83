import Glibc
import PeerSupport
import Rows

/// Runs one workload a number of times, for callgrind to count its instructions.
@main
enum Workloads {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments == ["--list"] {
            for row in Row.table {
                for peer in Peer.allCases where row.workloads[peer] != nil {
                    print("\(peer.rawValue)-\(row.name)")
                }
            }
        } else if arguments == ["--rows"] {
            for row in Row.table { print(row.description) }
        } else if arguments == ["--operators"] {
            for row in Row.operators { print(row.name, row.base ?? "", separator: "\t") }
        } else if arguments.count == 2, let count = arguments.last.flatMap({ Int($0) }), count >= 0,
            let run = Row.prepare(arguments.first!)
        {
            becomeMultithreaded()
            run(count)
        } else {
            print("usage: Workloads NAME COUNT | --list | --rows | --operators")
            exit(2)
        }
    }
}
