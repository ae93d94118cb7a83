import ClusterTestSupport
import NATSServers
import ReactiveCluster
import ReactiveClusterNATS
import ReactiveSignals
import Testing

@Suite("One server")
struct OneServerTests {
    @Test("is the version that Scripts/install pins", .enabled(if: NATSServer.isPinned))
    func version() throws {
        #expect(try NATSServer.installedVersion() == "nats-server: v\(NATSServer.pinnedVersion())")
    }

    @Test("delivers the messages of a subject in order")
    func messages() async throws {
        let server = try await NATSServer.start()
        let sender = try await connect(server)
        let receiver = try await connect(server)
        let received = Collector<String>()
        let subject = try Subject("prices.eur")
        let subscription = try receiver.subscribe(to: subject) {
            received.add($0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        } failed: { _ in
        }
        // The server has seen the subscription once it answers something that came later.
        _ = try? await receiver.request([], to: Subject("nobody"), timeout: patience)
        for number in 0..<1000 { try sender.publish(bytes(number), to: subject) }
        try await received.wait { $0.count == 1000 }
        #expect(received.values == (0..<1000).map { "\($0)" })
        subscription.dispose()
        #expect(subscription.isDisposed)
    }

    @Test("answers requests, and says when nobody serves")
    func requests() async throws {
        let server = try await NATSServer.start()
        let client = try await connect(server)
        let service = try await connect(server)
        let subject = try Subject("double")
        let serving = try service.serve(subject, queue: ResourceName("doublers")) { request in
            request.answer(request.payload + request.payload)
        } failed: { _ in
        }
        let answer = try await repeating { try await client.request(bytes("ab"), to: subject, timeout: patience) }
        #expect(answer == bytes("abab"))
        await #expect(throws: TransportError.noResponder("nobody")) {
            try await client.request([], to: Subject("nobody"), timeout: patience)
        }
        serving.dispose()
        try await eventually {
            do {
                // check-waits: it is repeated if it runs into this timeout.
                _ = try await client.request([], to: subject, timeout: .milliseconds(200))
                return false
            } catch let error as TransportError { return error == .noResponder("double") }
        }
    }

    @Test("appends to a stream, and reads it from any sequence")
    func stream() async throws {
        let server = try await NATSServer.start()
        let transport = try await connect(server)
        let configuration = StreamConfiguration(
            name: try ResourceName("events"), subject: try Subject("events"), maximumEntries: 1000)
        let stream = try await transport.stream(configuration)
        #expect(try await stream.bounds() == StreamBounds(first: 1, last: 0))
        for number in 1...600 {
            let receipt = try await stream.append(bytes(number), id: nil, expecting: UInt64(number - 1))
            #expect(receipt == AppendReceipt(sequence: UInt64(number)))
        }
        let first = try await stream.append(bytes("x"), id: "once", expecting: nil)
        let again = try await stream.append(bytes("x"), id: "once", expecting: 3)
        #expect(again == AppendReceipt(sequence: first.sequence, isDuplicate: true))
        await #expect(throws: TransportError.conflict(expected: 5, found: 601)) {
            try await stream.append([], id: nil, expecting: 5)
        }
        let cursor = stream.read(after: 100)
        let entries = try await read(500, from: cursor)
        #expect(entries.map(\.sequence) == Array(101...600))
        #expect(entries.map(\.payload) == (101...600).map { bytes($0) })
        #expect(try await read(1, from: cursor).map(\.sequence) == [601])
        cursor.close()
        await #expect(throws: TransportError.closed) { try await cursor.next(upTo: 1) }
        await #expect(throws: TransportError.sequenceBeyondEnd(requested: 700, last: 601)) {
            try await stream.read(after: 700).next(upTo: 1)
        }
        for number in 602...1700 { _ = try await stream.append(bytes(number), id: nil, expecting: nil) }
        await #expect(throws: TransportError.compacted(from: 701)) { try await stream.read(after: 5).next(upTo: 1) }
        #expect(try await stream.read(after: 700).next(upTo: 1).map(\.sequence) == [701])
    }

    @Test("keeps the values of a bucket, and reports a snapshot and the changes")
    func bucket() async throws {
        let server = try await NATSServer.start()
        let transport = try await connect(server)
        let bucket = try await transport.bucket(BucketConfiguration(name: try ResourceName("state")))
        let key = try BucketKey("a.b")
        let other = try BucketKey("c")
        #expect(try await bucket.get(key) == nil)
        let first = try await bucket.update(bytes("1"), for: key, expecting: 0, id: nil)
        await #expect(throws: TransportError.conflict(expected: 0, found: first)) {
            try await bucket.update(bytes("2"), for: key, expecting: 0, id: nil)
        }
        let second = try await bucket.update(bytes("2"), for: key, expecting: first, id: nil)
        #expect(try await bucket.get(key) == BucketEntry(key: key, value: bytes("2"), revision: second))
        let seen = Collector<BucketEvent>()
        let watch = try bucket.watch(nil) { seen.add($0) }
        try await seen.wait { $0.last == .synchronized }
        #expect(
            seen.values == [.value(BucketEntry(key: key, value: bytes("2"), revision: second)), .synchronized])
        try await bucket.delete(key)
        #expect(try await bucket.get(key) == nil)
        let third = try await bucket.put(bytes("x"), for: other, id: "a")
        #expect(try await bucket.put(bytes("x"), for: other, id: "a") == third)
        let fourth = try await bucket.update(bytes("3"), for: key, expecting: 0, id: nil)
        try await seen.wait { $0.count == 5 }
        #expect(
            Array(seen.values[2...]) == [
                .deleted(key, revision: second + 1),
                .value(BucketEntry(key: other, value: bytes("x"), revision: third)),
                .value(BucketEntry(key: key, value: bytes("3"), revision: fourth)),
            ])
        watch.dispose()
    }
}
