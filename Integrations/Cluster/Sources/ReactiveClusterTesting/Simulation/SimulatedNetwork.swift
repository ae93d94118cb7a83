import ReactiveSignals
public import ReactiveSignalsTesting
import Synchronization

/// Servers, and the network between them and their clients, on virtual time.
///
/// ```swift
/// let scheduler = TestScheduler()
/// let network = SimulatedNetwork(seed: 42, on: scheduler, faults: .all)
/// let (here, there) = (network.transport(named: "here"), network.transport(named: "there"))
/// try await scheduler.run {
///     let journal = try await Journal<String>(configuration, over: here, codec: .utf8, on: scheduler)
///     network.cut(["here"])
///     await scheduler.advance(by: .seconds(60))
///     network.heal()
/// }
/// ```
///
/// Each message, request and answer is lost, repeated and delayed separately, as ``faults`` says. The same seed gives the
/// same run, if everything runs inside `scheduler.run`, and everything that takes a scheduler gets this one.
///
/// The servers are one store with atomic operations, like a replicated one while a majority is there.
public final class SimulatedNetwork: Sendable {
    struct State {
        var generator: SeededGenerator
        var faults: SimulatedFaults
        var servers = SimulatedServers()
        var clients: [String: SimulatedTransport] = [:]
        var cut: Set<String> = []
        /// When the last leg in each direction of a client arrives, for networks that keep the order.
        var arrivals: [String: Duration] = [:]
        var nextID: UInt64 = 0
        /// Subscriptions and servers, by their ids, in the order in which they were made.
        var subscriptions: [UInt64: SimulatedSubscription] = [:]
        var watches: [UInt64: SimulatedWatch] = [:]
        var readers: [ResourceName: [SimulatedReader]] = [:]
    }

    /// The time of the simulation.
    public let scheduler: TestScheduler
    let state: Mutex<State>

    /// Creates a network with servers that have nothing stored.
    public init(seed: UInt64, on scheduler: TestScheduler, faults: SimulatedFaults = SimulatedFaults()) {
        self.scheduler = scheduler
        state = Mutex(State(generator: SeededGenerator(seed: seed), faults: faults))
    }

    /// The faults from now on.
    public var faults: SimulatedFaults {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    var now: Duration { scheduler.now.offset }

    /// Connects a client. It connects after the delay of the network.
    public func transport(named name: String) -> SimulatedTransport {
        let transport = SimulatedTransport(name, self)
        let former = state.withLock { state in
            defer { state.clients[name] = transport }
            return state.clients[name]
        }
        precondition(former == nil, "SimulatedNetwork.transport(named: \(name)): there is one already")
        transport.connectLater()
        return transport
    }

    // MARK: Faults

    /// Cuts clients off from the servers. They notice it a little later.
    public func cut(_ names: Set<String>) {
        state.withLock { $0.cut.formUnion(names) }
        for client in clients() where names.contains(client.name) { client.noticeLater() }
    }

    /// Ends the partition. Clients connect again a little later.
    public func heal() {
        state.withLock { $0.cut = [] }
        for client in clients() { client.connectLater() }
    }

    /// Stops the servers and starts them again after a time. All connections are lost.
    ///
    /// - Parameters:
    ///   - duration: How long they are down.
    ///   - losingState: Whether they start empty, like servers that store in memory or without replicas.
    public func restartServers(after duration: Duration, losingState: Bool = false) {
        state.withLock { state in
            state.servers.isUp = false
            if losingState {
                state.servers.streams = [:]
                state.servers.buckets = [:]
            }
        }
        for client in clients() { client.lose() }
        scheduler.schedule(after: duration) { [self] in
            state.withLock { $0.servers.isUp = true }
            for client in clients() { client.connectLater() }
        }
    }

    /// Removes the entries of a stream before a sequence.
    public func trim(_ stream: ResourceName, before sequence: UInt64) {
        state.withLock { $0.servers.streams[stream]?.trim(before: sequence) }
    }

    private func clients() -> [SimulatedTransport] {
        state.withLock { state in state.clients.values.sorted { $0.name < $1.name } }
    }

    func isReachable(_ client: String) -> Bool {
        state.withLock { $0.servers.isUp && !$0.cut.contains(client) }
    }

    func makeID() -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
    }

    func random(in range: ClosedRange<Duration>) -> Duration {
        state.withLock { $0.generator.duration(in: range) }
    }

    // MARK: Carrying

    enum Direction: String {
        case up, down
    }

    /// Carries something between a client and the servers, which may lose, delay and repeat it.
    ///
    /// - Parameters:
    ///   - isReliable: Whether it arrives once and in order, if it arrives.
    ///   - lost: Runs if it is lost, at once or later. For code that knows of losses, such as that of a connection.
    ///   - action: Runs on arrival.
    func carry(
        _ client: String, _ direction: Direction, isReliable: Bool = false,
        lost: @escaping @Sendable () -> Void = {}, _ action: @escaping @Sendable () -> Void
    ) {
        let now = now
        let delays: [Duration] = state.withLock { state in
            guard state.servers.isUp, !state.cut.contains(client) else { return [] }
            if state.generator.happens(state.faults.loss) { return [] }
            let isRepeated = !isReliable && state.generator.happens(state.faults.duplication)
            return (0..<(isRepeated ? 2 : 1)).map { _ in
                var delay = state.generator.duration(in: state.faults.delay)
                if isReliable || !state.faults.reorders {
                    let line = "\(client) \(direction)"
                    let arrival = max(now + delay, state.arrivals[line] ?? .zero)
                    state.arrivals[line] = arrival
                    delay = arrival - now
                }
                return delay
            }
        }
        if delays.isEmpty { lost() }
        for delay in delays {
            scheduler.schedule(after: delay) { [self] in if isReachable(client) { action() } else { lost() } }
        }
    }
}

extension SimulatedNetwork {
    /// When a key of a bucket was last written, and whether that was a deletion. `nil` if it was never written.
    public func lastWrite(of key: BucketKey, in bucket: ResourceName) -> (instant: Duration, isDeleted: Bool)? {
        state.withLock { state in
            state.servers.buckets[bucket]?.stored[key].map { ($0.instant, $0.value == nil) }
        }
    }
}
