import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization

private struct DatabaseError: Error {}

extension Scenario {
    /// Every observer receives every value once, in order.
    static let repairedSignal = Scenario(description: "repairedSignal") { simulation in
        let subject = try Subject("orders")
        // The system of record: the value of each place is its number.
        let record = Mutex<UInt64>(0)
        // Few enough that no observer gives up.
        let shortfalls = Mutex(0)
        @Sendable func repair(_ range: ClosedRange<UInt64>) async throws(DatabaseError) -> [Sequenced<String>] {
            await simulation.sleep(simulation.random(1...100))
            if simulation.happens(0.2) { throw DatabaseError() }
            let values = range.map { Sequenced($0, "\($0)") }
            if simulation.happens(0.05),
                shortfalls.withLock({ count in
                    count += 1
                    return count < 4
                })
            {
                return values.dropLast()
            }
            return values.shuffled(by: simulation)
        }
        func make(
            _ transport: any Transport, _ latest: (@Sendable () async throws(DatabaseError) -> UInt64)?
        ) -> RepairedSignal<String, DatabaseError> {
            RepairedSignal(
                subject, over: transport, codec: .utf8,
                retry: .exponential(from: .milliseconds(50), cap: .seconds(1), upTo: 40), on: simulation.scheduler,
                latest: latest, repair: repair)
        }
        @Sendable func latest() async throws(DatabaseError) -> UInt64 {
            if simulation.happens(0.2) { throw DatabaseError() }
            return record.withLock { $0 }
        }
        var writers: [RepairedSignal<String, DatabaseError>] = []
        for name in ["a", "b"] { writers.append(make(await simulation.connect(name), nil)) }
        let observers = Mutex<[(start: UInt64, log: Log<Sequenced<String>>, errors: Log<String>)]>([])
        var signals: [RepairedSignal<String, DatabaseError>] = []
        for name in ["c", "d"] { signals.append(make(await simulation.connect(name), name == "c" ? nil : latest)) }
        let (all, sources) = (writers, signals)
        @Sendable func observe() {
            let (log, errors) = (Log<Sequenced<String>>(), Log<String>())
            let head = record.withLock { $0 }
            let start = UInt64(simulation.random(0...Int(head)))
            observers.withLock { $0.append((start, log, errors)) }
            sources[simulation.random(0...1)].producer(after: start).startWithResult { result in
                switch result {
                case .success(let value): log.add(value)
                case .failure(let error): errors.add("\(error)")
                }
            }
        }
        observe()
        await simulation.run(["a", "b", "c", "d"], actions: 60, settling: .seconds(15)) { _ in
            if simulation.happens(0.1) { return observe() }
            let number = record.withLock { head in
                head += 1
                return head
            }
            // Some are never published, and some by both.
            for writer in all where simulation.happens(0.6) { try? writer.publish("\(number)", at: number) }
        }
        let head = record.withLock { head in
            head += 1
            return head
        }
        try all[0].publish("\(head)", at: head)
        await simulation.scheduler.advance(by: .seconds(10))
        for (start, log, errors) in observers.withLock({ $0 }) {
            try simulation.check(errors.all.isEmpty, "an observer has failed: \(errors.all)")
            let expected = start < head ? (start + 1...head).map { Sequenced($0, "\($0)") } : []
            try simulation.check(
                log.all == expected, "an observer after \(start) of \(head) has seen \(log.all.map(\.sequence))")
        }
    }
}

extension Array {
    func shuffled(by simulation: Simulation) -> [Element] {
        var result = self
        for index in indices.dropFirst() { result.swapAt(index, simulation.random(0...index)) }
        return result
    }
}
