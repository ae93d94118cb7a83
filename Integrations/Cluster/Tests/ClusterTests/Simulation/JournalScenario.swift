import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization

extension Scenario {
    /// Every acknowledged append is there once, and every reader sees the same entries in the same order.
    static let journal = Scenario(description: "journal") { simulation in
        let configuration = StreamConfiguration(name: try ResourceName("EVENTS"), subject: try Subject("events"))
        let names = ["a", "b", "c"]
        var journals: [Journal<String>] = []
        for name in names {
            let transport = await simulation.connect(name)
            journals.append(
                try await simulated(simulation) { () async throws(TransportError) in
                    try await Journal(
                        configuration, over: transport, codec: .utf8, retry: .simulated(simulation),
                        reconnect: .simulatedReconnect(simulation), on: simulation.scheduler)
                })
        }
        let all = journals
        let outcomes = Log<(text: String, result: Result<UInt64, TransportError>)>()
        let readers = Mutex<[(start: UInt64, log: Log<JournalEntry<String>>, errors: Log<TransportError>)]>([])
        let last = Mutex<UInt64>(0)
        @Sendable func read() {
            let (log, errors) = (Log<JournalEntry<String>>(), Log<TransportError>())
            let start = UInt64(simulation.random(0...Int(last.withLock { $0 })))
            readers.withLock { $0.append((start, log, errors)) }
            all[simulation.random(0...2)].producer(after: start).startWithResult { result in
                switch result {
                case .success(let entry): log.add(entry)
                case .failure(let error): errors.add(error)
                }
            }
        }
        read()
        await simulation.run(names, actions: 40, settling: .seconds(30)) { index in
            if simulation.happens(0.15) { return read() }
            let journal = all[simulation.random(0...2)]
            let expected = simulation.happens(0.4) ? last.withLock { $0 } : nil
            simulation.start {
                do throws(TransportError) {
                    let sequence = try await journal.append("entry \(index)", expecting: expected)
                    last.withLock { $0 = max($0, sequence) }
                    outcomes.add(("entry \(index)", .success(sequence)))
                } catch {
                    outcomes.add(("entry \(index)", .failure(error)))
                }
            }
        }
        // What is stored, as a reader without faults sees it.
        let bounds = try await simulated(simulation) { () async throws(TransportError) in try await all[0].bounds() }
        let final = Log<JournalEntry<String>>()
        all[0].producer(after: 0).startWithResult { if case .success(let entry) = $0 { final.add(entry) } }
        await simulation.scheduler.advance(by: .seconds(3))
        let stored = final.all
        try simulation.check(stored.map(\.sequence) == (0..<bounds.last).map { $0 + 1 }, "\(stored)")
        for (text, result) in outcomes.all {
            let places = stored.filter { $0.content == .success(text) }.map(\.sequence)
            switch result {
            case .success(let sequence): try simulation.check(places == [sequence], "\(text) is at \(places)")
            case .failure(let error) where error.isOutcomeUnknown:
                try simulation.check(places.count <= 1, "\(text) is at \(places), \(error)")
            case .failure(let error): try simulation.check(places.isEmpty, "\(text) is at \(places), \(error)")
            }
        }
        for (start, log, errors) in readers.withLock({ $0 }) {
            try simulation.check(errors.all.isEmpty, "a reader has failed: \(errors.all)")
            try simulation.check(
                log.all == Array(stored.dropFirst(Int(start))),
                "a reader after \(start) of \(stored.count) has seen \(log.all.map(\.sequence))")
        }
    }
}

extension RetryPolicy where Failure == TransportError {
    /// The default policy for writes, with the random numbers of a simulation.
    static func simulated(_ simulation: Simulation) -> RetryPolicy {
        .exponential(
            from: .milliseconds(50), cap: .seconds(2), jitter: 0.5, deadline: .seconds(20),
            using: SeededGenerator(seed: simulation.seed), shouldRetry: { error, _ in error.isTransient })
    }

    /// The default policy for reading, with the random numbers of a simulation.
    static func simulatedReconnect(_ simulation: Simulation) -> RetryPolicy {
        .exponential(
            from: .milliseconds(50), cap: .seconds(2), jitter: 0.5, using: SeededGenerator(seed: simulation.seed),
            shouldRetry: { error, _ in error.isTransient })
    }
}

/// Runs an operation of the calling task while time passes.
func simulated<Value: Sendable>(
    _ simulation: Simulation, _ operation: @escaping @Sendable () async throws(TransportError) -> Value
) async throws -> Value {
    let result = Mutex<Result<Value, TransportError>?>(nil)
    SignalProducer<Value, TransportError>.async(operation).startWithResult { new in result.withLock { $0 = new } }
    for _ in 0..<1000 {
        if let result = result.withLock({ $0 }) { return try result.get() }
        await simulation.scheduler.advance(by: .milliseconds(20))
    }
    throw Violation(description: "an operation does not return")
}
