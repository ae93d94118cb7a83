import ClusterTestSupport
import Foundation
import ReactiveCluster
import ReactiveClusterNATS
import ReactiveSignals
import WallClock

/// Sets its wall clock back by an hour at the line "back", and says what became of its connection: `SetBack ADDRESS`.
///
/// Is a member of a presence with a lease of four seconds. Prints a line for each change of its connection, and changes a
/// property every 100 milliseconds.
@main
enum SetBack {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: SetBack ADDRESS")
            exit(2)
        }
        var options = NATSOptions(servers: [CommandLine.arguments[1]])
        options.pingInterval = .seconds(2)
        options.reconnectDelay = .init(minimum: .milliseconds(500), maximum: .milliseconds(500))
        let transport = try await NATSTransport.connect(options, timeout: patience)
        transport.connection.producer.startWithNext { say($0.isConnected ? "connected" : "disconnected") }
        let viewers = try await transport.bucket(
            BucketConfiguration(name: try ResourceName("viewers"), storage: .memory, maximumAge: .seconds(30)))
        let presence = Presence<String>(in: viewers, codec: .json)
        let membership = presence.join("member", as: try BucketKey("member"), lease: .seconds(4))
        Thread.detachNewThread {
            while let line = readLine() {
                let before = Date()
                if line == "back" { wall_clock_set_back(3600) }
                say("set back by \(Int(before.timeIntervalSince(Date()).rounded())) s")
            }
            exit(0)
        }
        let bucket = try await transport.bucket(BucketConfiguration(name: try ResourceName("state")))
        let property = ReplicatedProperty(0, key: try BucketKey("ticks"), in: bucket, codec: .json)
        while true {
            do { try await property.modify { $0 += 1 } } catch { say("\(error)") }
            try await Task.sleep(for: .milliseconds(100))
        }
        withExtendedLifetime(membership) {}
    }
    private static func say(_ text: String) {
        print(text)
        fflush(nil)
    }
}
