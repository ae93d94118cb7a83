import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization
import Testing

/// A simulated network without faults.
private final class SimulatedEnvironment: TransportContractEnvironment {
    let scheduler: TestScheduler
    let network: SimulatedNetwork
    private let names = Atomic(0)

    init(_ scheduler: TestScheduler) {
        self.scheduler = scheduler
        network = SimulatedNetwork(seed: 1, on: scheduler)
    }

    func uniqueName() -> String { "name\(names.add(1, ordering: .relaxed).newValue)" }

    func connect(_ name: String) async throws -> any Transport {
        let transport = network.transport(named: "\(name)-\(uniqueName())")
        while !transport.connection.value.isConnected { await scheduler.advance(by: .milliseconds(50)) }
        return transport
    }

    func eventually(_ condition: @Sendable () async throws -> Bool) async throws -> Bool {
        for _ in 0..<200 {
            if try await condition() { return true }
            await scheduler.advance(by: .milliseconds(50))
        }
        return try await condition()
    }

    func pause() async { try? await Task.sleep(for: .milliseconds(300), clock: scheduler) }

    func interrupt(_ transport: any Transport) async throws {
        let client = try #require(transport as? SimulatedTransport)
        network.cut([client.name])
        while client.connection.value.isConnected {
            try await Task.sleep(for: .milliseconds(50), clock: scheduler)
        }
        network.heal()
    }
}

@Suite("The simulated transport")
struct ContractTests {
    @Test("follows the contract of transports", .timeLimit(.minutes(1)), arguments: TransportContract.checks)
    func contract(_ check: TransportContract.Check) async throws {
        let scheduler = TestScheduler()
        try await scheduler.run(patience: .seconds(5)) {
            let isOver = Mutex(false)
            // Time passes until the check returns.
            let clock = SignalProducer<Void, Never>.async { () async in
                while !isOver.withLock({ $0 }) { await scheduler.advance(by: .milliseconds(10)) }
            }.start()
            defer {
                isOver.withLock { $0 = true }
                clock.dispose()
            }
            try await check.run(in: SimulatedEnvironment(scheduler))
        }
    }
}
