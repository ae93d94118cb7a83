import ClusterTestSupport
import NATSServers
import ReactiveCluster
import ReactiveClusterNATS
import ReactiveSignals
import Testing

@Suite("The types on real servers")
struct TypesTests {
    @Test("two processes modify one property ten thousand times each, and none is lost", .patient)
    func modify() async throws {
        let server = try await NATSServer.start()
        let count = 10_000
        let processes = try (0..<2).map { _ in
            try HelperProcess("Increments", [server.address, "state", "counter", "\(count)"])
        }
        for process in processes { #expect(await process.nextLine() == "ready") }
        for process in processes { try process.send("go\n") }
        var finals: [Int] = []
        for process in processes {
            finals.append(try #require(await process.nextLine().flatMap { Int($0) }))
            #expect(await process.ended() == 0)
        }
        #expect(finals.max() == 2 * count)
    }

    @Test("a member that is killed is gone soon after its lease, and a live one stays")
    func presence() async throws {
        let server = try await NATSServer.start()
        let proxy = try Proxy(to: server)
        let watching = try await connect(server)
        let living = try await connect(server)
        let dying = try await connect(options([proxy.address]))
        let configuration = BucketConfiguration(
            name: try ResourceName("viewers"), storage: .memory, maximumAge: .seconds(30))
        let lease = Duration.seconds(5)
        let presence = Presence<String>(in: try await watching.bucket(configuration), codec: .json)
        let others = Presence<String>(in: try await living.bucket(configuration), codec: .json)
        let theirs = Presence<String>(in: try await dying.bucket(configuration), codec: .json)
        let changes = Collector<PresenceChange<String>>()
        presence.changes.observeNext { changes.add($0) }
        let alive = others.join("living", as: try BucketKey("living"), lease: lease)
        let dead = theirs.join("dying", as: try BucketKey("dying"), lease: lease)
        try await changes.wait { $0.count == 2 }
        // To the others, a process that is killed and one that nobody reaches are the same.
        proxy.set(.partitioned)
        let killed = ContinuousClock.now
        try await changes.wait { $0.count == 3 }
        #expect(changes.values.last == .left(try BucketKey("dying"), "dying"))
        #expect(ContinuousClock.now - killed < lease + patience)
        // check-waits: in which the living one would be dropped if its lease were not renewed.
        try await Task.sleep(for: lease * 2)
        #expect(presence.members.value == [try BucketKey("living"): "living"])
        #expect(changes.values.count == 3)
        alive.dispose()
        try await changes.wait { $0.last == .left(try! BucketKey("living"), "living") }
        dead.dispose()
        proxy.close()
    }

    @Test("an entry of a newer version is a typed error with its sequence, and the journal goes on")
    func newerVersion() async throws {
        let server = try await NATSServer.start()
        let transport = try await connect(server)
        let configuration = StreamConfiguration(name: try ResourceName("events"), subject: try Subject("events"))
        let journal = try await Journal<String>(configuration, over: transport, codec: .json)
        try await journal.append("first")
        let raw = try await transport.stream(configuration)
        var newer = [UInt8](repeating: 0, count: 40)
        newer[0] = UInt8(ascii: "R")
        newer[1] = 9
        _ = try await raw.append(newer, id: nil, expecting: nil)
        _ = try await raw.append(bytes("not ours"), id: nil, expecting: nil)
        try await journal.append("last")
        let entries = Collector<JournalEntry<String>>()
        let reading = journal.producer(after: 0).startWithResult {
            if case .success(let entry) = $0 { entries.add(entry) }
        }
        try await entries.wait { $0.count == 4 }
        #expect(entries.values.map(\.sequence) == [1, 2, 3, 4])
        #expect(try entries.values[0].value() == "first")
        #expect(throws: UnreadableMessage.self) { try entries.values[1].value() }
        #expect(throws: UnreadableMessage.self) { try entries.values[2].value() }
        #expect(try entries.values[3].value() == "last")
        reading.dispose()
    }

    @Test("a remote signal tells of the values that a cut connection has lost")
    func gap() async throws {
        let server = try await NATSServer.start()
        let proxy = try Proxy(to: server)
        let sending = try await connect(server)
        let receiving = try await connect(options([proxy.address]))
        var limits = RemoteSignal<Int>.Limits()
        limits.beaconInterval = .milliseconds(100)
        let origin = Origin("sender")
        let out = RemoteSignal<Int>(try Subject("numbers"), over: sending, codec: .json, as: origin, limits: limits)
        let back = RemoteSignal<Int>(try Subject("numbers"), over: receiving, codec: .json, limits: limits)
        let seen = Collector<Delivery<Int>>()
        let observation = back.deliveries().startWithResult {
            if case .success(let delivery) = $0 { seen.add(delivery) }
        }
        var number = 0
        try await eventually {
            number += 1
            try out.publish(number)
            return !seen.values.isEmpty
        }
        try await seen.wait { $0.last?.value == number }
        let before = seen.values.count
        proxy.set(.refuses)
        try await eventually { !receiving.connection.value.isConnected }
        for _ in 0..<10 { try out.publish(-1) }
        proxy.set(.works)
        try await eventually { receiving.connection.value.isConnected }
        try await eventually {
            number += 1
            try out.publish(number)
            return seen.values.count > before + 1
        }
        let after = seen.values[before...]
        #expect(!after.contains { $0.value == -1 })
        let isGap = after.contains { if case .gap = $0 { true } else { false } }
        #expect(isGap, "\(after)")
        observation.dispose()
        proxy.close()
    }
}
