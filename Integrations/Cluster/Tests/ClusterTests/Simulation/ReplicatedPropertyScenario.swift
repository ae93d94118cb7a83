import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization

extension Scenario {
    /// Changes are linearizable, none is lost or made twice, and all replicas converge.
    static let replicatedProperty = Scenario(description: "replicatedProperty") { simulation in
        typealias Operation = HistoryOperation<ListModel<Int>.Call, ListModel<Int>.Answer>
        let key = try BucketKey("list")
        let configuration = BucketConfiguration(name: try ResourceName("STATE"))
        let names = ["a", "b", "c"]
        var properties: [ReplicatedProperty<[Int]>] = []
        var logs: [Log<[Int]>] = []
        for name in names {
            let transport = await simulation.connect(name)
            let bucket = try await simulated(simulation) { () async throws(TransportError) in
                try await transport.bucket(configuration)
            }
            let property = ReplicatedProperty<[Int]>(
                [], key: key, in: bucket, codec: .json, retry: .simulated(simulation), on: simulation.scheduler)
            let log = Log<[Int]>()
            property.producer.startWithNext { log.add($0) }
            properties.append(property)
            logs.append(log)
        }
        let (all, history) = (properties, Log<Operation>())
        await simulation.run(names, actions: 24, settling: .seconds(5)) { index in
            let property = all[simulation.random(0...2)]
            let start = simulation.now
            let isRead = simulation.happens(0.3)
            simulation.start {
                do {
                    if isRead {
                        let list = try await property.refresh()
                        history.add(HistoryOperation(.read, returned: .elements(list), from: start, to: simulation.now))
                    } else {
                        let count = try await property.modify { list in
                            list.append(index)
                            return list.count
                        }
                        history.add(
                            HistoryOperation(.append(index), returned: .count(count), from: start, to: simulation.now))
                    }
                } catch let error as ModifyError<Never> {
                    // A conflict is never reported, so every error leaves the outcome open.
                    guard case .transport = error else { return }
                    history.add(HistoryOperation(.append(index), unknownSince: start))
                } catch {}
            }
        }
        let values = all.map(\.value)
        // Five seconds after the end of the faults. Calls that began before may still be retried.
        let isBusy = history.all.count < 24
        if !isBusy {
            try simulation.check(Set(values).count == 1, "the replicas differ: \(values)")
            try simulation.check(all.allSatisfy(\.isSynchronized.value), "a replica is not synchronized")
        }
        await simulation.scheduler.advance(by: .seconds(25))
        let final = try await simulated(simulation) { () async throws(TransportError) in try await all[0].refresh() }
        for property in all {
            try simulation.check(property.value == final, "a replica has \(property.value), the servers \(final)")
            try simulation.check(property.isSynchronized.value, "a replica is not synchronized")
        }
        history.add(
            HistoryOperation(.read, returned: .elements(final), from: simulation.now, to: simulation.now))
        try simulation.check(Set(final).count == final.count, "a change was made twice: \(final)")
        for log in logs {
            for (former, value) in zip(log.all, log.all.dropFirst()) {
                try simulation.check(value.starts(with: former), "\(value) after \(former)")
            }
        }
        try simulation.check(ListModel<Int>().isLinearizable(history.all), "not linearizable: \(history.all)")
    }
}
