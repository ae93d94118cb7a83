import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

@Suite("Presence", .patient)
struct PresenceTests {
    private let (ann, bob): (BucketKey, BucketKey)

    init() throws { (ann, bob) = (try BucketKey("ann"), try BucketKey("bob")) }

    @Test("shows who joins, changes and leaves, and no heartbeats")
    func join() async throws {
        try await onSimulatedNetwork { simulation in
            let here = Presence<String>(
                in: try await simulation.bucket(await simulation.connect("here")), codec: .utf8,
                on: simulation.scheduler)
            let there = Presence<String>(
                in: try await simulation.bucket(await simulation.connect("there")), codec: .utf8,
                on: simulation.scheduler)
            let changes = Log<PresenceChange<String>>()
            there.changes.observeNext { changes.add($0) }
            await simulation.advance(1000)
            let membership = here.join("Ann", as: ann, lease: .seconds(4))
            await simulation.advance(20_000)
            #expect(membership.isConfirmed.value)
            #expect(there.members.value == [ann: "Ann"])
            membership.update("Ann, away")
            await simulation.advance(100)
            #expect(here.members.value == [ann: "Ann, away"])
            membership.dispose()
            await simulation.advance(100)
            #expect(there.members.value == [:])
            #expect(
                changes.all == [.joined(ann, "Ann"), .updated(ann, "Ann, away"), .left(ann, "Ann, away")])
        }
    }

    @Test("drops who dies after the lease and within a second more, and keeps who lives")
    func death() async throws {
        try await onSimulatedNetwork { simulation in
            let there = Presence<String>(
                in: try await simulation.bucket(await simulation.connect("there")), codec: .utf8,
                on: simulation.scheduler)
            let dying = Presence<String>(
                in: try await simulation.bucket(await simulation.connect("dying")), codec: .utf8,
                on: simulation.scheduler)
            let (first, second) = (
                there.join("Ann", as: ann, lease: .seconds(4)), dying.join("Bob", as: bob, lease: .seconds(4))
            )
            await simulation.advance(10_000)
            #expect(there.members.value == [ann: "Ann", bob: "Bob"])
            simulation.network.cut(["dying"])
            // The last heartbeat was up to a second ago.
            await simulation.advance(2900)
            #expect(there.members.value == [ann: "Ann", bob: "Bob"])
            await simulation.advance(2100)
            #expect(there.members.value == [ann: "Ann"])
            #expect(!second.isConfirmed.value)
            // The one that is cut off drops nobody.
            #expect(!dying.isSynchronized.value)
            #expect(dying.members.value == [ann: "Ann", bob: "Bob"])
            simulation.network.heal()
            await simulation.advance(3000)
            #expect(there.members.value == [ann: "Ann", bob: "Bob"])
            withExtendedLifetime((first, second)) {}
        }
    }

    @Test("asks the servers before it drops a member whose heartbeats do not arrive here")
    func confirm() async throws {
        try await onSimulatedNetwork { simulation in
            let there = Presence<String>(
                in: try await simulation.bucket(await simulation.connect("there")), codec: .utf8,
                on: simulation.scheduler)
            let bucket = try await simulation.bucket(await simulation.connect("here"))
            let here = Presence<String>(in: bucket, codec: .utf8, on: simulation.scheduler)
            let membership = here.join("Ann", as: ann, lease: .seconds(2))
            await simulation.advance(3000)
            let log = Log<PresenceChange<String>>()
            there.changes.observeNext { log.add($0) }
            // Almost everything is lost for a while. What arrives is enough.
            simulation.network.faults.loss = 0.3
            await simulation.advance(60_000)
            simulation.network.faults.loss = 0
            await simulation.advance(5000)
            #expect(there.members.value == [ann: "Ann"])
            #expect(log.all == [])
            withExtendedLifetime(membership) {}
        }
    }

    @Test("reports a member that it cannot read")
    func unreadable() async throws {
        try await onSimulatedNetwork { simulation in
            let bucket = try await simulation.bucket(await simulation.connect("here"))
            let presence = Presence<String>(in: bucket, codec: .utf8, on: simulation.scheduler)
            let problems = Log<TransportError>()
            presence.problems.observeNext { problems.add($0) }
            let key = ann
            _ = try await simulation.result { () async throws(TransportError) in
                try await bucket.put([1, 2], for: key, id: nil)
            }
            await simulation.advance(1000)
            #expect(presence.members.value == [:])
            #expect(
                problems.all == [
                    .unreadable(UnreadableMessage(place: "STATE/ann", origin: nil, sequence: 1, reason: .foreign))
                ])
        }
    }
}
