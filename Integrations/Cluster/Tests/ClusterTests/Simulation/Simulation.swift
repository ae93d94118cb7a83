import ClusterTestSupport
import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization

/// What a replica has seen that it must not see.
struct Violation: Error, CustomStringConvertible {
    let description: String
}

/// One run of a scenario.
final class Simulation: Sendable {
    let seed: UInt64
    let scheduler = TestScheduler()
    let network: SimulatedNetwork
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) {
        self.seed = seed
        generator = Mutex(SeededGenerator(seed: seed ^ 0xC1A5_7E12))
        network = SimulatedNetwork(seed: seed, on: scheduler)
    }

    var now: Duration { scheduler.now.offset }

    func random(_ range: ClosedRange<Int>) -> Int { generator.withLock { Int.random(in: range, using: &$0) } }

    func happens(_ probability: Double) -> Bool { generator.withLock { $0.happens(probability) } }

    func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        if !condition { throw Violation(description: "\(message()), at \(now)") }
    }

    /// Connects a client. There are no faults yet.
    func connect(_ name: String) async -> SimulatedTransport {
        let transport = network.transport(named: name)
        while !transport.connection.value.isConnected { await scheduler.advance(by: .milliseconds(50)) }
        return transport
    }

    /// Runs an operation in a task of its own.
    func start(_ operation: @escaping @Sendable () async -> Void) {
        SignalProducer<Void, Never>.async { () async in await operation() }.start()
    }

    func sleep(_ milliseconds: Int) async { await sleep(.milliseconds(milliseconds)) }

    func sleep(_ duration: Duration) async { try? await Task.sleep(for: duration, clock: scheduler) }

    /// Runs actions at random instants of a period with faults, and then lets the network heal.
    ///
    /// - Parameters:
    ///   - clients: Those that may be cut off.
    ///   - seconds: How long the period is.
    ///   - actions: How many.
    ///   - settling: How long after the end of the faults everything must have settled.
    func run(
        _ clients: [String], seconds: Int = 10, actions: Int, settling: Duration = .seconds(5),
        _ action: @escaping @Sendable (Int) -> Void
    ) async {
        var faults = SimulatedFaults.all
        faults.loss = Double(random(0...10)) / 100
        faults.duplication = Double(random(0...10)) / 100
        faults.reorders = happens(0.8)
        network.faults = faults
        for index in 0..<actions {
            scheduler.schedule(after: .milliseconds(random(0...seconds * 1000))) { action(index) }
        }
        // Partitions, and restarts of the servers.
        for _ in 0..<random(0...3) {
            let victims = Set(clients.filter { _ in happens(0.4) })
            scheduler.schedule(after: .milliseconds(random(0...seconds * 1000))) { [network] in network.cut(victims) }
            scheduler.schedule(after: .milliseconds(random(0...seconds * 1000))) { [network] in network.heal() }
        }
        for _ in 0..<random(0...2) {
            let pause = Duration.milliseconds(random(10...2000))
            scheduler.schedule(after: .milliseconds(random(0...seconds * 1000))) { [network] in
                network.restartServers(after: pause)
            }
        }
        // A restart may begin at the end.
        await scheduler.advance(by: .seconds(seconds + 2))
        network.faults = SimulatedFaults()
        network.heal()
        await scheduler.advance(by: settling)
    }
}

/// A type under simulation.
struct Scenario: Sendable, CustomStringConvertible {
    let description: String
    let body: @Sendable (Simulation) async throws -> Void

    /// Runs the scenario once.
    func run(seed: UInt64) async throws {
        let simulation = Simulation(seed: seed)
        // Outside `run`, the scheduler would not run tasks.
        try await simulation.scheduler.run(patience: patience) { try await body(simulation) }
    }
}

/// A list that handlers add to.
final class Log<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}
