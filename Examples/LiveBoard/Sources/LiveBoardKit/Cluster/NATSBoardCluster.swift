import Logging
import ReactiveSignals

#if Cluster
import Foundation
import ReactiveCluster
import ReactiveClusterNATS

/// Joins the boards that share a log in servers of NATS. Waits for a connection.
func joinCluster(_ servers: [String], replicas: Int, logger: Logger) async throws -> any BoardCluster {
    try await NATSBoardCluster(servers, replicas: replicas, logger: logger)
}

/// A log of events in JetStream, and who looks at the boards in a bucket.
final class NATSBoardCluster: BoardCluster {
    private struct Viewers: Codable, Sendable {
        var count: Int
    }

    let watchers: Property<Int>
    private let transport: NATSTransport
    private let journal: Journal<BoardEvent>
    private let presence: Presence<Viewers>
    private let membership: Membership<Viewers>

    /// For how long an append is repeated whose outcome is unknown.
    private static let patience = Duration.seconds(10)

    init(_ servers: [String], replicas: Int, logger: Logger) async throws {
        transport = try NATSTransport(NATSOptions(servers: servers))
        transport.connection.producer.startWithNext { state in
            switch state {
            case .connecting, .connected, .closed(nil): logger.info("The connection to the cluster is \(state).")
            case .disconnected(let error), .closed(let error?):
                logger.warning("There is no connection to the cluster.", metadata: ["error": "\(error)"])
            }
        }
        let origin = Origin.random()
        journal = try await Journal(
            StreamConfiguration(
                name: try ResourceName("liveboard"), subject: try Subject("liveboard.events"), replicas: replicas),
            over: transport, codec: .json, as: origin,
            retry: .exponential(
                from: .milliseconds(50), cap: .seconds(1), jitter: 0.5, deadline: Self.patience,
                shouldRetry: { error, _ in error.isTransient }))
        let bucket = try await transport.bucket(
            BucketConfiguration(
                name: try ResourceName("liveboard-viewers"), replicas: replicas, storage: .memory,
                maximumAge: .seconds(60)))
        presence = Presence(in: bucket, codec: .json, as: origin)
        membership = presence.join(Viewers(count: 0), as: try BucketKey("\(origin)"))
        watchers = presence.members.map { $0.values.reduce(0) { $0 + $1.count } }.skipRepeats()
    }

    func lastSequence() async throws(ClusterProblem) -> Int {
        do throws(TransportError) { return Int(try await journal.bounds().last) } catch {
            throw .unacknowledged("\(error)")
        }
    }

    func confirmedSequence(probing event: BoardEvent) async throws(ClusterProblem) -> Int {
        // The leader of a stream answers a read alone, even if it leads no longer. An append has to be agreed on, and
        // this one cannot succeed.
        do throws(TransportError) {
            return Int(try await journal.append(event, expecting: UInt64(Int64.max)))
        } catch .conflict(_, let found?) {
            return Int(found)
        } catch {
            throw .unacknowledged("\(error)")
        }
    }

    func append(_ event: BoardEvent) async throws(ClusterProblem) {
        do throws(TransportError) {
            try await journal.append(event, expecting: UInt64(event.sequence - 1))
        } catch {
            if case .conflict = error { throw .outdated }
            throw .unacknowledged("\(error)")
        }
    }

    func event(_ sequence: Int) async throws -> BoardEvent? {
        let entry: JournalEntry<BoardEvent>?
        do throws(TransportError) { entry = try await journal.producer(after: UInt64(sequence - 1)).first() } catch {
            throw ClusterProblem.unusable("\(error)")
        }
        return try entry.map { try value($0) }
    }

    func follow(after sequence: Int, _ take: (BoardEvent) async throws -> Void) async throws {
        do {
            let entries = journal.producer(after: UInt64(sequence)).values(buffering: .suspending(64))
            for try await entry in entries { try await take(try value(entry)) }
        } catch let error as TransportError {
            throw ClusterProblem.unusable("\(error)")
        }
    }

    private func value(_ entry: JournalEntry<BoardEvent>) throws -> BoardEvent {
        do throws(UnreadableMessage) { return try entry.value() } catch { throw ClusterProblem.unusable("\(error)") }
    }

    func show(watchers: Int) { membership.update(Viewers(count: watchers)) }

    func close() async {
        membership.dispose()
        await transport.drain(timeout: .seconds(2))
    }
}
#else
/// Says how to build LiveBoard so that it can join a cluster.
func joinCluster(_ servers: [String], replicas: Int, logger: Logger) async throws -> any BoardCluster {
    throw ClusterProblem.unusable("this build has no client for it; build with swift build --traits Cluster")
}
#endif
