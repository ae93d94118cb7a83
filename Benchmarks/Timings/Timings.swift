import Benchmark
import Rows

let benchmarks: @Sendable () -> Void = {
    Benchmark("x", configuration: .init(metrics: [.throughput, .custom("oc")], warmupIterations: 1, maxDuration: .seconds(10), maxIterations: 7)) { b in
        b.measurement(.custom("oc"), 1234)
    }
}
