import ClusterTestSupport
import Foundation
import NATSServers
import ReactiveCluster
import ReactiveClusterNATS
import ReactiveSignals
import Testing

@Suite("Servers and networks that fail")
struct FaultTests {
    @Test("a cursor, a watch and a subscription survive the kill of a server")
    func killedServer() async throws {
        let server = try await NATSServer.start()
        let transport = try await connect(server)
        let states = Collector<ConnectionState>()
        transport.connection.producer.startWithNext { states.add($0) }
        let stream = try await transport.stream(
            StreamConfiguration(name: try ResourceName("events"), subject: try Subject("events")))
        let bucket = try await transport.bucket(BucketConfiguration(name: try ResourceName("state")))
        let key = try BucketKey("key")
        let revision = try await bucket.put(bytes("before"), for: key, id: nil)
        let cursor = stream.read(after: 0)
        let seen = Collector<BucketEvent>()
        let heard = Collector<String>()
        let watch = try bucket.watch(nil) { seen.add($0) }
        let subject = try Subject("hello")
        let subscription = try transport.subscribe(to: subject) {
            heard.add($0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        } failed: { _ in
        }
        for number in 1...5 { _ = try await stream.append(bytes(number), id: nil, expecting: nil) }
        #expect(try await read(3, from: cursor).map(\.sequence) == [1, 2, 3])
        try await seen.wait { $0.contains(.synchronized) }

        server.kill()
        try await states.wait { !($0.last?.isConnected ?? true) }
        #expect(throws: TransportError.disconnected) { try transport.publish([], to: subject) }
        await #expect(throws: TransportError.disconnected) { try await stream.append([], id: nil, expecting: nil) }
        try await server.start()
        try await states.wait { $0.last == .connected(2) }

        let receipt = try await repeating { try await stream.append(bytes(6), id: nil, expecting: 5) }
        #expect(receipt.sequence == 6)
        #expect(try await read(3, from: cursor).map(\.sequence) == [4, 5, 6])
        try await seen.wait { $0.filter { $0 == .synchronized }.count == 2 }
        let entry = BucketEvent.value(BucketEntry(key: key, value: bytes("before"), revision: revision))
        #expect(seen.values.first == entry)
        #expect(seen.values.contains(.interrupted(isSnapshot: true)))
        #expect(seen.values.filter { $0 == entry }.count == 1, "the unchanged revision is not reported again")
        try await eventually {
            try transport.publish(bytes("again"), to: subject)
            return !heard.values.isEmpty
        }
        watch.dispose()
        subscription.dispose()
    }

    @Test("a server that restarts empty is noticed, not hidden")
    func emptyServer() async throws {
        let server = try await NATSServer.start()
        let proxy = try Proxy(to: server)
        let transport = try await connect(options([proxy.address]))
        let configuration = StreamConfiguration(name: try ResourceName("events"), subject: try Subject("events"))
        let stream = try await transport.stream(configuration)
        let bucketConfiguration = BucketConfiguration(name: try ResourceName("state"))
        let bucket = try await transport.bucket(bucketConfiguration)
        let key = try BucketKey("key")
        for _ in 1...3 { _ = try await bucket.put(bytes("before"), for: key, id: nil) }
        for number in 1...5 { _ = try await stream.append(bytes(number), id: nil, expecting: nil) }
        let cursor = stream.read(after: 0)
        #expect(try await read(5, from: cursor).count == 5)
        let seen = Collector<BucketEvent>()
        let watch = try bucket.watch(nil) { seen.add($0) }
        try await seen.wait { $0.contains(.synchronized) }

        proxy.set(.refuses)
        server.kill()
        try server.removeStorage()
        try await server.start()
        // Another process makes the stream again, with more entries than there were.
        let other = try await connect(server)
        let remade = try await repeating { try await other.stream(configuration) }
        let rebucket = try await repeating { try await other.bucket(bucketConfiguration) }
        for number in 1...9 {
            _ = try await repeating { try await remade.append(bytes(number), id: nil, expecting: nil) }
        }
        proxy.set(.works)
        let error = await #expect(throws: TransportError.self, "entries of another stream") {
            try await cursor.next(upTo: 10)
        }
        if case .sequenceBeyondEnd(requested: 5, _) = error {} else { Issue.record("\(String(describing: error))") }
        let revision = try await rebucket.put(bytes("after"), for: key, id: nil)
        #expect(revision == 1)
        let entry = BucketEvent.value(BucketEntry(key: key, value: bytes("after"), revision: 1))
        try await seen.wait { $0.contains(entry) }
        watch.dispose()
        proxy.close()
    }

    @Test("a partition is noticed, and heals")
    func partition() async throws {
        let server = try await NATSServer.start()
        let proxy = try Proxy(to: server)
        let near = try await connect(server)
        let far = try await connect(options([proxy.address], pingInterval: .seconds(2)))
        let configuration = StreamConfiguration(name: try ResourceName("events"), subject: try Subject("events"))
        let stream = try await near.stream(configuration)
        let farStream = try await repeating { try await far.stream(configuration) }
        let cursor = farStream.read(after: 0)
        for number in 1...3 { _ = try await stream.append(bytes(number), id: nil, expecting: nil) }
        #expect(try await read(3, from: cursor).count == 3)
        proxy.set(.partitioned)
        let refused = await #expect(throws: TransportError.self) {
            try await farStream.append(bytes("lost"), id: "far", expecting: nil)
        }
        #expect(refused?.isOutcomeUnknown == true)
        try await eventually { !far.connection.value.isConnected }
        for number in 4...6 { _ = try await stream.append(bytes(number), id: nil, expecting: nil) }
        let healed = ContinuousClock.now
        proxy.set(.works)
        #expect(try await read(3, from: cursor).map(\.payload) == (4...6).map { bytes($0) })
        #expect(ContinuousClock.now - healed < patience)
        // The append of unknown outcome is repeated with its id, and happens once.
        let receipt = try await repeating { try await farStream.append(bytes("lost"), id: "far", expecting: nil) }
        #expect(try await read(1, from: cursor).map(\.sequence) == [receipt.sequence])
        proxy.close()
    }

    @Test("connections that are cut again and again lose and repeat nothing")
    func cuts() async throws {
        let server = try await NATSServer.start()
        let proxy = try Proxy(to: server)
        let near = try await connect(server)
        let far = try await connect(options([proxy.address]))
        let configuration = StreamConfiguration(name: try ResourceName("events"), subject: try Subject("events"))
        let stream = try await near.stream(configuration)
        let cursor = try await far.stream(configuration).read(after: 0)
        let count = 3000
        async let appending: Void = {
            for number in 1...count {
                _ = try await stream.append(bytes(number), id: nil, expecting: nil)
                if number.isMultiple(of: 100) { proxy.cut() }
            }
        }()
        let entries = try await read(count, from: cursor)
        try await appending
        #expect(entries.map(\.sequence) == Array(1...UInt64(count)))
        #expect(entries.map(\.payload) == (1...count).map { bytes($0) })
        proxy.close()
    }

    @Test("a closed transport ends what uses it, once")
    func closed() async throws {
        let server = try await NATSServer.start()
        let transport = try await connect(server)
        let stream = try await transport.stream(
            StreamConfiguration(name: try ResourceName("events"), subject: try Subject("events")))
        let bucket = try await transport.bucket(BucketConfiguration(name: try ResourceName("state")))
        let cursor = stream.read(after: 0)
        let errors = Collector<TransportError>()
        _ = try transport.subscribe(to: Subject("a")) { _ in
        } failed: {
            errors.add($0)
        }
        _ = try bucket.watch(nil) { if case .failed(let error) = $0 { errors.add(error) } }
        let next = Task { try await cursor.next(upTo: 1) }
        let asked = Task { try await transport.request([], to: Subject("silent"), timeout: patience) }
        _ = try transport.serve(Subject("silent"), queue: ResourceName("q")) { _ in
        } failed: {
            errors.add($0)
        }
        transport.close()
        transport.close()
        await #expect(throws: TransportError.closed) { try await next.value }
        await #expect(throws: TransportError.self) { try await asked.value }
        try await errors.wait { $0.count == 3 }
        #expect(errors.values == [.closed, .closed, .closed])
        #expect(throws: TransportError.closed) { try transport.publish([], to: Subject("a")) }
        await #expect(throws: TransportError.closed) { try await stream.append([], id: nil, expecting: nil) }
        try await eventually { transport.connection.value == .closed(nil) }
    }

    @Test("a drain lets handlers finish what has arrived, and sends what was published")
    func drain() async throws {
        let server = try await NATSServer.start()
        let transport = try await connect(server)
        let other = try await connect(server)
        let received = Collector<Int>()
        let subject = try Subject("many")
        let subscription = try other.subscribe(to: subject) {
            received.add($0.byteCount)
        } failed: { _ in
        }
        _ = try? await other.request([], to: Subject("nobody"), timeout: patience)
        for _ in 0..<5000 { try transport.publish([1, 2, 3], to: subject) }
        await transport.drain(timeout: patience)
        #expect(transport.connection.value == .closed(nil))
        try await received.wait { $0.count == 5000 }
        subscription.dispose()
    }

    @Test("a wall clock that is set back drops no member, and holds up no reconnect", .patient)
    func clockSetBack() async throws {
        let server = try await NATSServer.start()
        let transport = try await connect(server)
        let viewers = try await transport.bucket(
            BucketConfiguration(name: try ResourceName("viewers"), storage: .memory, maximumAge: .seconds(30)))
        let presence = Presence<String>(in: viewers, codec: .json)
        let changes = Collector<PresenceChange<String>>()
        presence.changes.observeNext { changes.add($0) }
        let process = try HelperProcess("SetBack", [server.address])
        func wait(for expected: String) async throws {
            while let line = await process.nextLine() { if line == expected { return } }
            throw Timeout(seen: "no line \(expected)")
        }
        try await wait(for: "connected")
        try await changes.wait { $0.count == 1 }
        try process.send("back\n")
        try await wait(for: "set back by 3600 s")
        let ticks = try await transport.bucket(BucketConfiguration(name: try ResourceName("state")))
        let before = try await ticks.get(BucketKey("ticks"))?.revision ?? 0
        // Two leases of the member.
        try await eventually { try await ticks.get(BucketKey("ticks"))?.revision ?? 0 > before + 80 }
        #expect(changes.values.count == 1)

        // And while it waits for its next attempt to connect.
        server.kill()
        try await wait(for: "disconnected")
        try process.send("back\n")
        try await wait(for: "set back by 3600 s")
        let restarted = ContinuousClock.now
        try await server.start()
        try await wait(for: "connected")
        #expect(ContinuousClock.now - restarted < patience)
    }

    @Test("a task that is cancelled stops waiting")
    func cancellation() async throws {
        let server = try await NATSServer.start()
        let transport = try await connect(server)
        let stream = try await transport.stream(
            StreamConfiguration(name: try ResourceName("events"), subject: try Subject("events")))
        let cursor = stream.read(after: 0)
        let task = Task { try await cursor.next(upTo: 1) }
        task.cancel()
        await #expect(throws: TransportError.cancelled) { try await task.value }
        _ = try await stream.append(bytes(1), id: nil, expecting: nil)
        #expect(try await cursor.next(upTo: 1).map(\.sequence) == [1])
    }
}
