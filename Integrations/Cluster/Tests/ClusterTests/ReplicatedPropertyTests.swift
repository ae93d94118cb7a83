import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization
import Testing

@Suite("A replicated property", .patient)
struct ReplicatedPropertyTests {
    private func property(
        _ simulation: Simulation, _ bucket: any TransportBucket, _ initial: Int = 0
    ) throws -> ReplicatedProperty<Int> {
        ReplicatedProperty(initial, key: try BucketKey("count"), in: bucket, codec: .json, on: simulation.scheduler)
    }

    @Test("has the values that other processes write, and what is derived from it is consistent")
    func derive() async throws {
        try await onSimulatedNetwork { simulation in
            let here = try await simulation.bucket(await simulation.connect("here"))
            let there = try await simulation.bucket(await simulation.connect("there"))
            let (first, second) = (try property(simulation, here, 7), try property(simulation, there, 7))
            #expect(first.value == 7)
            #expect(!first.isSynchronized.value)
            await simulation.advance(1000)
            #expect(first.isSynchronized.value)
            #expect(first.revision.value == 0)
            let log = Log<String>()
            first.map { $0 * 10 }.combineLatest(with: first.map { $0 + 1 }).producer
                .startWithNext { log.add("\($0.0) \($0.1)") }
            _ = try await simulation.result { () async throws(ModifyError<Never>) in try await second.modify { $0 = 1 }
            }
            #expect(second.value == 1)
            await simulation.advance(100)
            #expect(first.value == 1)
            #expect(first.revision.value == second.revision.value)
            _ = try await simulation.result { () async throws(TransportError) in try await first.set(5) }
            #expect(first.value == 5)
            await simulation.advance(100)
            #expect(second.value == 5)
            _ = try await simulation.result { () async throws(TransportError) in try await first.delete() }
            await simulation.advance(100)
            #expect([first.value, second.value] == [7, 7])
            #expect(log.all == ["70 8", "10 2", "50 6", "70 8"])
        }
    }

    @Test("loses no change of writers in two processes")
    func contention() async throws {
        try await onSimulatedNetwork { simulation in
            let done = Log<Int>()
            var properties: [ReplicatedProperty<Int>] = []
            for name in ["a", "b"] {
                let bucket = try await simulation.bucket(await simulation.connect(name))
                let property = try property(simulation, bucket)
                properties.append(property)
                simulation.start {
                    do {
                        for _ in 0..<500 { try await property.modify { $0 += 1 } }
                        done.add(500)
                    } catch { Issue.record("\(error)") }
                }
            }
            for _ in 0..<1000 where done.all.count < 2 { await simulation.advance(100) }
            #expect(done.all == [500, 500])
            await simulation.advance(100)
            #expect(properties.map(\.value) == [1000, 1000])
        }
    }

    @Test("throws what the body throws, and writes nothing")
    func body() async throws {
        try await onSimulatedNetwork { simulation in
            struct Refused: Error, Equatable {}
            let property = try property(simulation, try await simulation.bucket(await simulation.connect("here")))
            let result = try await simulation.result { () async throws(ModifyError<Refused>) in
                try await property.modify { value throws(Refused) in
                    value = 5
                    throw Refused()
                }
            }
            #expect(throws: ModifyError<Refused>.body(Refused())) { try result.get() }
            await simulation.advance(1000)
            #expect(property.value == 0)
        }
    }

    @Test("says how old its value is, and that it is cut off, and a writer that is cut off gets an error")
    func cutOff() async throws {
        try await onSimulatedNetwork { simulation in
            let bucket = try await simulation.bucket(await simulation.connect("here"))
            let property = try property(simulation, bucket)
            await simulation.advance(1000)
            #expect(property.isSynchronized.value)
            await simulation.advance(5000)
            #expect(property.age >= .seconds(5))
            _ = try await simulation.result { () async throws(TransportError) in try await property.refresh() }
            #expect(property.age < .seconds(1))
            simulation.network.cut(["here"])
            await simulation.advance(1000)
            #expect(!property.isSynchronized.value)
            let result = try await simulation.result { () async throws(ModifyError<Never>) in
                try await property.modify { $0 += 1 }
            }
            #expect(throws: ModifyError<Never>.transport(.disconnected)) { try result.get() }
            #expect(property.value == 0)
            simulation.network.heal()
            await simulation.advance(5000)
            #expect(property.isSynchronized.value)
        }
    }

    @Test("keeps its value if another version writes one that it cannot read, and does not overwrite it")
    func unreadable() async throws {
        try await onSimulatedNetwork { simulation in
            let bucket = try await simulation.bucket(await simulation.connect("here"))
            let property = try property(simulation, bucket)
            _ = try await simulation.result { () async throws(TransportError) in try await property.set(3) }
            let problems = Log<TransportError>()
            property.problems.observeNext { problems.add($0) }
            let newer = [0x52, 2] + [UInt8](repeating: 0, count: 40)
            let key = try BucketKey("count")
            let revision = try await simulation.result { () async throws(TransportError) in
                try await bucket.put(newer, for: key, id: nil)
            }.get()
            await simulation.advance(100)
            #expect(property.value == 3)
            #expect(!property.isSynchronized.value)
            let expected = TransportError.unreadable(
                UnreadableMessage(
                    place: "STATE/count", origin: Origin(id: 0), sequence: revision, reason: .newerVersion(2)))
            #expect(problems.all == [expected])
            let result = try await simulation.result { () async throws(ModifyError<Never>) in
                try await property.modify { $0 += 1 }
            }
            #expect(throws: ModifyError<Never>.transport(expected)) { try result.get() }
            // A reconnect brings no news of the key.
            simulation.network.restartServers(after: .seconds(1))
            await simulation.advance(5000)
            #expect(!property.isSynchronized.value)
            _ = try await simulation.result { () async throws(TransportError) in try await property.set(4) }
            await simulation.advance(100)
            #expect(property.value == 4)
            #expect(property.isSynchronized.value)
        }
    }

    @Test("follows servers that have lost its bucket")
    func lost() async throws {
        try await onSimulatedNetwork { simulation in
            let transport = await simulation.connect("here")
            let property = try property(simulation, try await simulation.bucket(transport))
            for value in 1...5 {
                _ = try await simulation.result { () async throws(TransportError) in try await property.set(value) }
            }
            #expect(property.value == 5)
            simulation.network.restartServers(after: .seconds(1), losingState: true)
            await simulation.advance(3000)
            let other = try await simulation.bucket(await simulation.connect("there"))
            await simulation.advance(5000)
            #expect(property.value == 0)
            let writer = try self.property(simulation, other)
            _ = try await simulation.result { () async throws(TransportError) in try await writer.set(9) }
            await simulation.advance(1000)
            #expect(property.value == 9)
            _ = try await simulation.result { () async throws(ModifyError<Never>) in
                try await property.modify { $0 += 1 }
            }
            #expect(property.value == 10)
        }
    }

    @Test("writes what is bound to it, one value after the other, and skips those that are replaced")
    func binding() async throws {
        try await onSimulatedNetwork { simulation in
            let property = try property(simulation, try await simulation.bucket(await simulation.connect("here")))
            let (source, copy) = (MutableProperty(1), MutableProperty(0))
            property <~ source
            copy <~ property
            for value in 2...20 { source.value = value }
            await simulation.advance(1000)
            #expect(property.value == 20)
            #expect(copy.value == 20)
            #expect(property.revision.value < 5)
        }
    }

    @Test("ends when it is released")
    func release() async throws {
        try await onSimulatedNetwork { simulation in
            let bucket = try await simulation.bucket(await simulation.connect("here"))
            let log = Log<String>()
            func make() throws -> ReplicatedProperty<Int> {
                let property = try self.property(simulation, bucket)
                property.producer.start { event in log.add("\(event)") }
                property.problems.observeCompleted { log.add("problems ended") }
                return property
            }
            var property: ReplicatedProperty<Int>? = try make()
            weak let reference = property
            await simulation.advance(1000)
            withExtendedLifetime(property) {}
            property = nil
            await simulation.advance(1000)
            #expect(reference == nil)
            #expect(Set(log.all) == ["NEXT 0", "COMPLETED", "problems ended"])
        }
    }
}
