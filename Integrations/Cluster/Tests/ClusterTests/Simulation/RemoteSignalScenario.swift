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
        var (incarnation, last, lost, isKnown, hasRestarted) = (0, 0, 0 as UInt64, false, false)
        for delivery in deliveries {
            switch delivery {
            case .gap(let count, origin): lost += count
            case .restarted(origin):
                (last, lost, hasRestarted) = (0, 0, true)
                incarnation = 0
            case .value(let text) where text.hasPrefix("\(name) "):
                let parts = text.split(separator: " ").compactMap { Int($0) }
                let (era, number) = (parts[0], parts[1])
                if isKnown, incarnation != 0 {
                    try simulation.check(era == incarnation, "\(text) without a restart: \(deliveries)")
                }
                incarnation = era
                if isKnown {
                    try simulation.check(number > last, "\(text) after \(last): \(deliveries)")
                    let missing = UInt64(number - last - 1)
                    // What comes late from a former incarnation is counted too.
                    let isRight = hasRestarted ? lost >= missing : lost == missing
                    try simulation.check(isRight, "\(text) after \(last) and \(lost) lost: \(deliveries)")
                }
                (last, lost, isKnown) = (number, 0, true)
            case .value, .gap, .restarted: break
            case .unreadable(let message): throw Violation(description: "\(message)")
            }
        }
        let (era, count) = state.withLock { ($0.incarnation, $0.count) }
        try simulation.check(
            (incarnation, last) == (era, count), "\(name) has sent \(era) \(count), seen \(incarnation) \(last)")
    }
}
