import ClusterTestSupport
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

    init(_ scheduler: TestScheduler, _ faults: SimulatedFaults = SimulatedFaults()) {
        self.scheduler = scheduler
        network = SimulatedNetwork(seed: 1, on: scheduler, faults: faults)
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

    // Time passes here too, for a check that nothing else drives.
    func pause() async { await scheduler.advance(by: .milliseconds(300)) }

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
    @Test("follows the contract of transports", .patient, arguments: TransportContract.checks)
    func contract(_ check: TransportContract.Check) async throws {
        let scheduler = TestScheduler()
        try await scheduler.run(patience: patience) {
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

    @Test("is found to break the contract if it loses or reorders", arguments: ["loss", "order"])
    func violation(_ fault: String) async throws {
        var faults = SimulatedFaults()
        if fault == "loss" {
            faults.loss = 0.5
        } else {
            (faults.reorders, faults.delay) = (true, .milliseconds(1) ... .milliseconds(50))
        }
        let check = try #require(TransportContract.checks.first)
        let scheduler = TestScheduler()
        let final = faults
        await #expect(throws: ContractViolation.self) {
            try await scheduler.run(patience: patience) {
                try await check.run(in: SimulatedEnvironment(scheduler, final))
            }
        }
    }
}
