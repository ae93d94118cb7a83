import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization

extension Scenario {
    /// Values of one origin arrive in order, at most once, and each that does not arrive is counted in a gap.
    static let remoteSignal = Scenario(description: "remoteSignal") { simulation in
        let subject = try Subject("values")
        let names = ["a", "b"]
        let publishers = Mutex<[String: PublishingProcess]>([:])
        for name in names {
            let process = PublishingProcess(name, await simulation.connect(name), subject, simulation)
            publishers.withLock { $0[name] = process }
        }
        var logs: [Log<Delivery<String>>] = []
        for name in ["c", "d"] {
            let transport = await simulation.connect(name)
            let log = Log<Delivery<String>>()
            let signal = RemoteSignal(subject, over: transport, codec: .utf8, on: simulation.scheduler)
            signal.deliveries().startWithResult { if case .success(let delivery) = $0 { log.add(delivery) } }
            logs.append(log)
        }
        await simulation.run(names + ["c", "d"], actions: 60, settling: .seconds(12)) { _ in
            let name = simulation.happens(0.5) ? "a" : "b"
            guard let process = publishers.withLock({ $0[name] }) else { return }
            if simulation.happens(0.03) { process.restart() } else { process.publish() }
        }
        let processes = publishers.withLock { $0 }
        // Without faults, a last value of each must arrive, and agree with what was counted before.
        for name in names { processes[name]?.publish() }
        await simulation.scheduler.advance(by: .seconds(1))
        for log in logs {
            for name in names { try processes[name]?.verify(log.all) }
        }
    }
}

/// A process that publishes numbered values, and may restart.
private final class PublishingProcess: Sendable {
    private struct State {
        var signal: RemoteSignal<String>
        var incarnation = 1
        var count = 0
    }

    private let name: String
    private let origin: Origin
    private let state: Mutex<State>
    private let make: @Sendable () -> RemoteSignal<String>
    private let simulation: Simulation

    init(_ name: String, _ transport: any Transport, _ subject: Subject, _ simulation: Simulation) {
        self.name = name
        self.simulation = simulation
        let origin = Origin(name)
        self.origin = origin
        make = { RemoteSignal(subject, over: transport, codec: .utf8, as: origin, on: simulation.scheduler) }
        state = Mutex(State(signal: make()))
    }

    func restart() {
        let new = make()
        let former = state.withLock { state in
            defer { state = State(signal: new, incarnation: state.incarnation + 1) }
            return state.signal
        }
        withExtendedLifetime(former) {}
    }

    func publish() {
        let (signal, text) = state.withLock { state in
            state.count += 1
            return (state.signal, "\(name) \(state.incarnation) \(state.count)")
        }
        // A value that cannot be sent is a gap.
        try? signal.publish(text)
    }

    /// Checks what an observer has received from this process.
    func verify(_ deliveries: [Delivery<String>]) throws {
        var last: [Int: Int] = [:]
        var current: Int?
        var lost: UInt64 = 0
        for delivery in deliveries {
            switch delivery {
            case .gap(let count, origin): lost += count
            case .restarted(origin): (current, lost) = (nil, 0)
            case .value(let text) where text.hasPrefix("\(name) "):
                let parts = text.split(separator: " ").compactMap { Int($0) }
                let (era, number) = (parts[0], parts[1])
                try simulation.check(number > last[era] ?? 0, "\(text) after \(last): \(deliveries)")
                if let current {
                    try simulation.check(era == current, "\(text) without a restart: \(deliveries)")
                    let missing = UInt64(number - (last[era] ?? 0) - 1)
                    try simulation.check(lost == missing, "\(text) after \(last), \(lost) lost: \(deliveries)")
                } else if last.isEmpty == false, last[era] == nil {
                    // The first value of an incarnation that was not the first one to be heard of.
                    try simulation.check(
                        lost <= UInt64(number - 1), "\(text) after \(lost) lost: \(deliveries)")
                }
                (last[era], current, lost) = (number, era, 0)
            case .value, .gap, .restarted: break
            case .unreadable(let message): throw Violation(description: "\(message)")
            }
        }
        let (era, count) = state.withLock { ($0.incarnation, $0.count) }
        try simulation.check(
            current == era && last[era] == count, "\(name) has sent \(era) \(count), seen \(last): \(deliveries)")
    }
}
