import NATSServers
import ReactiveCluster
import ReactiveClusterNATS
import ReactiveSignals
import Testing

@Suite("Three servers")
struct ThreeServersTests {
    private func configuration() throws -> StreamConfiguration {
        StreamConfiguration(name: try ResourceName("events"), subject: try Subject("events"), replicas: 3)
    }

    @Test("nothing that was acknowledged is lost when servers are killed one after another")
    func kills() async throws {
        let cluster = try await NATSCluster.start()
        let transport = try await connect(options(cluster.addresses))
        let reader = try await connect(options(cluster.addresses))
        let configuration = try configuration()
        let stream = try await repeating { try await transport.stream(configuration) }
        let cursor = try await repeating { try await reader.stream(configuration) }.read(after: 0)
        let count = 600
        let receipts = Collector<UInt64>()
        async let appending: Void = {
            for number in 1...count {
                let receipt = try await repeating {
                    try await stream.append(bytes(number), id: "\(number)", expecting: nil)
                }
                receipts.add(receipt.sequence)
            }
        }()
        for index in 0..<3 {
            try await receipts.wait { $0.count >= (index + 1) * 120 }
            cluster.servers[index].kill()
            try await receipts.wait { $0.count >= (index + 1) * 120 + 60 }
            try await cluster.servers[index].start()
        }
        let entries = try await read(count, from: cursor)
        try await appending
        #expect(entries.map(\.payload) == (1...count).map { bytes($0) }, "in order, each once")
        #expect(receipts.values == entries.map(\.sequence))
    }

    @Test("a writer on the small side gets an error, and the sides agree after the partition")
    func minority() async throws {
        let cluster = try await NATSCluster.start()
        let alone = try await connect(options([cluster.servers[0].address]))
        let configuration = try configuration()
        let stream = try await repeating { try await alone.stream(configuration) }
        _ = try await repeating { try await stream.append(bytes("first"), id: "first", expecting: 0) }
        cluster.servers[1].freeze()
        cluster.servers[2].freeze()
        let error = await #expect(throws: TransportError.self) {
            try await stream.append(bytes("second"), id: "second", expecting: 1)
        }
        #expect(error?.isOutcomeUnknown == true || error?.isTransient == true)
        cluster.servers[1].thaw()
        cluster.servers[2].thaw()
        let healed = ContinuousClock.now
        let receipt = try await repeating { try await stream.append(bytes("second"), id: "second", expecting: 1) }
        #expect(receipt.sequence == 2)
        #expect(try await read(2, from: stream.read(after: 0)).map(\.payload) == [bytes("first"), bytes("second")])
        print("converged \(ContinuousClock.now - healed) after the partition")
    }

    @Test("two writers change one value a thousand times each, and lose nothing")
    func compareAndSet() async throws {
        let cluster = try await NATSCluster.start()
        let key = try BucketKey("counter")
        let name = try ResourceName("state")
        let first = try await connect(options([cluster.servers[0].address]))
        _ = try await repeating { try await first.bucket(BucketConfiguration(name: name, replicas: 3)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<2 {
                group.addTask {
                    let transport = try await connect(options([cluster.servers[writer].address]))
                    let bucket = try await repeating {
                        try await transport.bucket(BucketConfiguration(name: name, replicas: 3))
                    }
                    for number in 0..<1000 {
                        var attempt = 0
                        while true {
                            let entry = try await repeating { try await bucket.get(key) }
                            let old = entry.flatMap { Int(String(decoding: $0.value, as: UTF8.self)) } ?? 0
                            attempt += 1
                            let id = "\(writer).\(number).\(attempt)"
                            do {
                                _ = try await repeating {
                                    try await bucket.update(
                                        bytes(old + 1), for: key, expecting: entry?.revision ?? 0, id: id)
                                }
                                break
                            } catch TransportError.conflict { continue }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let bucket = try await first.bucket(BucketConfiguration(name: name, replicas: 3))
        let last = try await bucket.get(key)
        #expect(
            last?.value == bytes(2000),
            "\(String(decoding: last?.value ?? [], as: UTF8.self)) at \(last?.revision ?? 0)")
    }

    @Test("one of two writers creates a key")
    func creation() async throws {
        let cluster = try await NATSCluster.start()
        let configuration = BucketConfiguration(name: try ResourceName("state"), replicas: 3)
        let first = try await connect(options([cluster.servers[0].address]))
        let second = try await connect(options([cluster.servers[1].address]))
        let buckets = [
            try await repeating { try await first.bucket(configuration) },
            try await repeating { try await second.bucket(configuration) },
        ]
        for round in 0..<100 {
            let key = try BucketKey("key\(round)")
            // In every other round, the key was there and was deleted.
            if !round.isMultiple(of: 2) {
                _ = try await buckets[0].put([1], for: key, id: nil)
                try await buckets[0].delete(key)
            }
            let created = await withTaskGroup(of: Bool.self) { group in
                for (writer, bucket) in buckets.enumerated() {
                    group.addTask {
                        let revision = try? await repeating {
                            try await bucket.update([2], for: key, expecting: 0, id: "\(round).\(writer)")
                        }
                        return revision != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(created == 1, "round \(round)")
        }
    }
}
