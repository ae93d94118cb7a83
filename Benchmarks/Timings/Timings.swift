import Benchmark
import Glibc
import PeerSupport
import Rows

/// One benchmark a row. Each of its iterations runs every peer once, in turn, so that whatever else the machine is
/// doing meets them alike; a peer's time is a metric of its own, in picoseconds an event.
let benchmarks: @Sendable () -> Void = {
    becomeMultithreaded()
    for row in Row.table where row.measures.contains(.time) {
        let peers = Peer.allCases.filter {
            row.workloads[$0] != nil && !withoutWorkloads.contains("\($0.rawValue)-\(row.name)")
        }
        Benchmark(
            row.name,
            configuration: .init(
                metrics: peers.map { metric($0, of: row) }, warmupIterations: 1, maxDuration: .seconds(600),
                maxIterations: row.iterations)
        ) { benchmark, contenders in
            for contender in contenders {
                let time = ContinuousClock().measure { contender.run(contender.count) }
                let (seconds, attoseconds) = time.components
                let picoseconds = Int(seconds) * 1_000_000_000_000 + Int(attoseconds / 1_000_000)
                benchmark.measurement(
                    metric(contender.peer, of: row), picoseconds / contender.count / row.deliveries)
            }
        } setup: {
            peers.map { Contender($0, row) }
        }
    }
}

/// Workloads that `Benchmarks/run` has seen crash.
private let withoutWorkloads = (getenv("WITHOUT_WORKLOADS").map { String(cString: $0) } ?? "").split(separator: ",")

/// The name bears the row's too, for `Benchmarks/run` to find the figure by.
private func metric(_ peer: Peer, of row: Row) -> BenchmarkMetric { .custom("\(peer.rawValue)-\(row.name)") }

/// A workload that has been set up, and how often it has to run to fill some milliseconds.
private struct Contender {
    let peer: Peer
    let run: Run
    let count: Int

    init(_ peer: Peer, _ row: Row) {
        self.peer = peer
        let run = row.workloads[peer]!()
        self.run = run
        count =
            row.timed
            ?? {
                var count = 100
                while ContinuousClock().measure({ run(count) }) < .milliseconds(10) { count *= 2 }
                return count
            }()
    }
}
