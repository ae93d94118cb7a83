import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization
import Testing

private struct Trouble: Error, Equatable {}

@Suite("A repaired signal", .patient)
struct RepairedSignalTests {
    private func signal(
        _ simulation: Simulation, _ transport: any Transport,
        repair: @escaping @Sendable (ClosedRange<UInt64>) async throws(Trouble) -> [Sequenced<String>]
    ) throws -> RepairedSignal<String, Trouble> {
        RepairedSignal(
            try Subject("orders"), over: transport, codec: .utf8,
            retry: .constant(.milliseconds(100), upTo: 2), on: simulation.scheduler, repair: repair)
    }

    @Test("repairs a gap, holds what comes after, and drops what it has")
    func repair() async throws {
        try await onSimulatedNetwork { simulation in
            let transport = await simulation.connect("here")
            let ranges = Log<ClosedRange<UInt64>>()
            let signal = try signal(simulation, transport) { range async throws(Trouble) in
                ranges.add(range)
                await simulation.sleep(500)
                return range.map { Sequenced($0, "repaired \($0)") }
            }
            let log = Log<String>()
            signal.producer(after: 1).startWithResult { if case .success(let value) = $0 { log.add(value.value) } }
            for sequence in [1, 2, 5, 6, 2, 9] as [UInt64] {
                try signal.publish("live \(sequence)", at: sequence)
                await simulation.advance(10)
            }
            #expect(log.all == ["live 2"])
            try signal.publish("live 3", at: 3)
            await simulation.advance(2000)
            #expect(
                log.all == [
                    "live 2", "live 3", "repaired 4", "live 5", "live 6", "repaired 7", "repaired 8", "live 9",
                ])
            #expect(ranges.all == [3...4, 7...8])
        }
    }

    @Test("fails with the range if a repair keeps failing, or returns too little")
    func failure() async throws {
        try await onSimulatedNetwork { simulation in
            let transport = await simulation.connect("here")
            let attempts = Log<Int>()
            let failing = try signal(simulation, transport) { range async throws(Trouble) in
                attempts.add(0)
                throw Trouble()
            }
            let lacking = try signal(simulation, transport) { range async throws(Trouble) in
                range.dropLast().map { Sequenced($0, "\($0)") }
            }
            let (first, second) = (Log<RepairError<Trouble>>(), Log<RepairError<Trouble>>())
            failing.producer(after: 0).startWithError { first.add($0) }
            lacking.producer(after: 0).startWithError { second.add($0) }
            try failing.publish("3", at: 3)
            await simulation.advance(20_000)
            #expect(first.all == [.failed(1...2, Trouble())])
            #expect(attempts.all.count == 3)
            #expect(second.all == [.incomplete(2...2)])
        }
    }

    @Test("holds a bounded number of values, and asks for what did not fit")
    func bounded() async throws {
        try await onSimulatedNetwork { simulation in
            let transport = await simulation.connect("here")
            let largest = Mutex(0)
            let isOpen = Mutex(false)
            let signal = try signal(simulation, transport) { range async throws(Trouble) in
                largest.withLock { $0 = max($0, range.count) }
                while !isOpen.withLock({ $0 }) { await simulation.sleep(100) }
                return range.map { Sequenced($0, "\($0)") }
            }
            let count = Mutex<UInt64>(0)
            signal.producer(after: 0).startWithResult { result in
                guard case .success(let value) = result else { return }
                count.withLock { count in
                    if value.sequence == count + 1 { count += 1 }
                }
            }
            for sequence in 2...5000 as ClosedRange<UInt64> {
                try signal.publish("\(sequence)", at: sequence)
                if sequence % 100 == 0 { await simulation.advance(10) }
            }
            isOpen.withLock { $0 = true }
            await simulation.advance(10_000)
            #expect(count.withLock { $0 } == 5000)
            #expect(largest.withLock { $0 } == 1024)
        }
    }
}
