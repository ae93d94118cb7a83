import Benchmark
import Rows

/// Every workload of the table whose time is wanted, in one run: median of nine iterations.
let benchmarks: @Sendable () -> Void = {
    for row in Row.table where row.measures.contains(.time) {
        for peer in Peer.allCases {
            guard let prepare = row.workloads[peer] else { continue }
            let count = row.timedCount
            Benchmark(
                "\(peer.rawValue)-\(row.name)",
                configuration: .init(
                    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 1,
                    maxDuration: .seconds(60), maxIterations: 9)
            ) { benchmark in
                let run = prepare()
                run(count / 10)
                benchmark.startMeasurement()
                run(count)
                benchmark.stopMeasurement()
            }
        }
    }
}
