import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization

extension Scenario {
    /// Nobody is dropped whose heartbeats reach the servers, and the dead are gone after their lease and a second.
    static let presence = Scenario(description: "presence") { simulation in
        let lease = Duration.seconds(3)
        let configuration = BucketConfiguration(name: try ResourceName("HERE"), maximumAge: lease * 4)
        let names = ["a", "b", "c"]
        var presences: [Presence<String>] = []
        let problems = Log<String>()
        for name in names + ["witness"] {
            let transport = await simulation.connect(name)
            let bucket = try await simulated(simulation) { () async throws(TransportError) in
                try await transport.bucket(configuration)
            }
            presences.append(Presence(in: bucket, codec: .utf8, on: simulation.scheduler))
        }
        for presence in presences {
            let isThere = Mutex<Set<BucketKey>>([])
            presence.changes.observeNext { change in
                switch change {
                case .joined(let key, _):
                    if !isThere.withLock({ $0.insert(key).inserted }) { problems.add("\(key) joined twice") }
                case .left(let key, _):
                    if isThere.withLock({ $0.remove(key) }) == nil { problems.add("\(key) left without having joined") }
                    // A heartbeat may reach the servers after they have confirmed that there was none.
                    let onItsWay = Duration.milliseconds(100)
                    if let written = simulation.network.lastWrite(of: key, in: configuration.name),
                        !written.isDeleted, (onItsWay..<lease).contains(simulation.now - written.instant)
                    {
                        problems.add("\(key) was dropped \(simulation.now - written.instant) after a heartbeat")
                    }
                case .updated: break
                }
            }
        }
        let all = presences
        let members = Mutex<[BucketKey: Membership<String>]>([:])
        await simulation.run(names, seconds: 20, actions: 14, settling: lease + .seconds(6)) { index in
            if simulation.happens(0.6) {
                guard let key = try? BucketKey("member\(index)") else { return }
                let member = all[simulation.random(0...2)].join("member \(index)", as: key, lease: lease)
                members.withLock { $0[key] = member }
            } else if let key = members.withLock({ $0.keys.min { $0.description < $1.description } }) {
                let former = members.withLock { $0.removeValue(forKey: key) }
                former?.dispose()
            }
        }
        let alive = Set(members.withLock { $0.keys })
        for presence in all {
            try simulation.check(presence.isSynchronized.value, "an observer is not synchronized")
            let seen = Set(presence.members.value.keys)
            try simulation.check(seen == alive, "\(seen) are seen, \(alive) are there")
        }
        // The processes die: nobody says goodbye.
        simulation.network.cut(Set(names))
        await simulation.scheduler.advance(by: lease + .seconds(1))
        try simulation.check(
            all[3].members.value.isEmpty, "the dead are still there: \(all[3].members.value.keys)")
        try simulation.check(problems.all.isEmpty, problems.all.joined(separator: "; "))
        for member in members.withLock({ $0.values }) { member.dispose() }
    }
}
