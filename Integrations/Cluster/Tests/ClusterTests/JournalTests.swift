import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization
import Testing

@Suite("A journal", .patient)
struct JournalTests {
    @Test("replays from where a start asks, and then follows")
    func replay() async throws {
        try await onSimulatedNetwork { simulation in
            let journal = try await simulation.journal(await simulation.connect("here"))
            for text in ["a", "b", "c"] {
                _ = try await simulation.result { () async throws(TransportError) in try await journal.append(text) }
            }
            let logs = ([0, 1, 3] as [UInt64]).map { start in
                let log = Log<String>()
                journal.producer(after: start).startWithResult { result in
                    if case .success(let entry) = result, let value = try? entry.value() {
                        log.add("\(entry.sequence) \(value)")
                    }
                }
                return log
            }
            await simulation.advance(100)
            let result = try await simulation.result { () async throws(TransportError) in try await journal.append("d")
            }
            #expect(result == .success(4))
            await simulation.advance(100)
            #expect(logs[0].all == ["1 a", "2 b", "3 c", "4 d"])
            #expect(logs[1].all == ["2 b", "3 c", "4 d"])
            #expect(logs[2].all == ["4 d"])
        }
    }

    @Test("refuses an append that expects another entry, and does not append twice with one id")
    func optimistic() async throws {
        try await onSimulatedNetwork { simulation in
            let journal = try await simulation.journal(await simulation.connect("here"))
            func append(_ id: String?, _ expected: UInt64?) async throws -> Result<UInt64, TransportError> {
                try await simulation.result { () async throws(TransportError) in
                    try await journal.append("x", id: id, expecting: expected)
                }
            }
            #expect(try await append("a", 0) == .success(1))
            #expect(try await append("b", 0) == .failure(.conflict(expected: 0, found: 1)))
            #expect(try await append("a", 0) == .success(1))
            #expect(try await append(nil, 1) == .success(2))
        }
    }

    @Test("fails if entries have been removed, or the servers have lost them")
    func removed() async throws {
        try await onSimulatedNetwork { simulation in
            let transport = await simulation.connect("here")
            let journal = try await simulation.journal(transport) { $0.maximumEntries = 3 }
            for index in 0..<10 {
                _ = try await simulation.result { () async throws(TransportError) in
                    try await journal.append("\(index)")
                }
            }
            let errors = Log<TransportError>()
            journal.producer(after: 2).startWithError { errors.add($0) }
            await simulation.advance(100)
            #expect(errors.all == [.compacted(from: 8)])
            journal.producer(after: 20).startWithError { errors.add($0) }
            await simulation.advance(100)
            #expect(errors.all.last == .sequenceBeyondEnd(requested: 20, last: 10))
            // A reader that is cut off while its entries are removed learns of it too.
            let late = Log<TransportError>()
            journal.producer(after: 10).startWithError { late.add($0) }
            await simulation.advance(100)
            simulation.network.cut(["here"])
            await simulation.advance(3000)
            let other = try await simulation.journal(await simulation.connect("there")) { $0.maximumEntries = 3 }
            for index in 0..<5 {
                _ = try await simulation.result { () async throws(TransportError) in
                    try await other.append("\(index)")
                }
            }
            simulation.network.heal()
            await simulation.advance(5000)
            #expect(late.all == [.compacted(from: 13)])
        }
    }

    @Test("fails at once on what no retry can heal, and says what to do")
    func refused() async throws {
        try await onSimulatedNetwork { simulation in
            let configuration = StreamConfiguration(name: try ResourceName("EVENTS"), subject: try Subject("events"))
            for error in [
                .noStorage, .badCredentials, .notPermitted("events"), .storageFull("EVENTS"),
                .configurationMismatch(name: "EVENTS", difference: "replicas: 3"),
            ] as [TransportError] {
                let transport = LoopbackTransport(refusing: error)
                let result = try await simulation.result { () async throws(TransportError) in
                    _ = try await Journal<String>(
                        configuration, over: transport, codec: .utf8, on: simulation.scheduler)
                }
                guard case .failure(error) = result else {
                    Issue.record("\(result)")
                    continue
                }
                #expect(transport.attempts.load(ordering: .relaxed) == 1)
                #expect(error.description.count > 20)
            }
            let transport = LoopbackTransport(refusing: .noServer("connection refused"))
            let result = try await simulation.result { () async throws(TransportError) in
                _ = try await Journal<String>(
                    configuration, over: transport, codec: .utf8,
                    retry: .constant(.milliseconds(10), upTo: 4), on: simulation.scheduler)
            }
            guard case .failure(.noServer) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(transport.attempts.load(ordering: .relaxed) == 5)
        }
    }

    @Test("marks an entry that cannot be read, and goes on")
    func unreadable() async throws {
        try await onSimulatedNetwork { simulation in
            let transport = await simulation.connect("here")
            let journal = try await simulation.journal(transport)
            let configuration = journal.configuration
            let raw = try await simulated(simulation) { () async throws(TransportError) in
                try await transport.stream(configuration)
            }
            for payload in [[1, 2, 3], [0x52, 9] + [UInt8](repeating: 0, count: 26)] as [[UInt8]] {
                _ = try await simulation.result { () async throws(TransportError) in
                    try await raw.append(payload, id: nil, expecting: nil)
                }
            }
            _ = try await simulation.result { () async throws(TransportError) in try await journal.append("good") }
            let log = Log<Result<String, UnreadableMessage>>()
            journal.producer(after: 0).startWithResult { if case .success(let entry) = $0 { log.add(entry.content) } }
            await simulation.advance(100)
            #expect(
                log.all == [
                    .failure(UnreadableMessage(place: "EVENTS", origin: nil, sequence: 1, reason: .foreign)),
                    .failure(
                        UnreadableMessage(
                            place: "EVENTS", origin: Origin(id: 0), sequence: 2, reason: .newerVersion(9))),
                    .success("good"),
                ])
        }
    }

    @Test("does not read ahead of a consumer that is suspended")
    func backpressure() async throws {
        try await onSimulatedNetwork { simulation in
            let transport = await simulation.connect("here")
            let journal = try await simulation.journal(transport)
            for index in 0..<2000 {
                _ = try await journal.appendSoon("\(index)", simulation)
            }
            let (count, seen, isOpen) = (Log<UInt64>(), Log<UInt64>(), MutableProperty(false))
            let producer = journal.producer(after: 0).on(next: { count.add($0.sequence) })
            simulation.start {
                do {
                    for try await entry in producer.values(buffering: .suspending(10)) {
                        seen.add(entry.sequence)
                        if entry.sequence == 5 { _ = await isOpen.producer.filter { $0 }.first() }
                    }
                } catch { Issue.record("\(error)") }
            }
            await simulation.advance(60_000)
            #expect(seen.all == [1, 2, 3, 4, 5])
            #expect(count.all.count < 30)
            isOpen.value = true
            await simulation.advance(1000)
            #expect(seen.all == Array(1...2000))
        }
    }
}

extension Journal where Value == String {
    func appendSoon(_ text: String, _ simulation: Simulation) async throws -> UInt64 {
        try await simulation.result { () async throws(TransportError) in try await self.append(text) }.get()
    }
}
