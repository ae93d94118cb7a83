import ClusterTestSupport
import Foundation
import ReactiveCluster
import ReactiveClusterNATS

/// Increments a property in a process of its own: `Increments ADDRESS BUCKET KEY COUNT`.
///
/// Prints "ready", waits for a line, and prints the value that it reads at the end.
@main
enum Increments {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let count = Int(arguments[4]) else {
            print("usage: Increments ADDRESS BUCKET KEY COUNT")
            exit(2)
        }
        let transport = try await NATSTransport.connect(NATSOptions(servers: [arguments[1]]), timeout: patience)
        let bucket = try await transport.bucket(BucketConfiguration(name: try ResourceName(arguments[2])))
        let property = ReplicatedProperty(0, key: try BucketKey(arguments[3]), in: bucket, codec: .json)
        print("ready")
        fflush(nil)
        _ = readLine()
        for _ in 0..<count { try await property.modify { $0 += 1 } }
        print(try await property.refresh())
    }
}
