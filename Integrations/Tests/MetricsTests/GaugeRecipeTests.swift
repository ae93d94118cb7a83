import Metrics
import MetricsTestKit
import ReactiveSignals
import ReactiveSignalsMetrics
import Testing

/// The recipe of the README.
private struct Pool: Sendable {
    let connections = MutableProperty(0)
    let query: Action<Int, Int, Never>

    init(factory: any MetricsFactory) {
        query = Action(policy: .concurrent(limit: 1)) { _ in .never }
        connections.record(asGauge: "pool.connections", factory: factory)
        query.disabledErrors.record(asCounter: "pool.refusals", factory: factory)
    }
}

@Suite("The recipe for gauges and counters")
struct GaugeRecipeTests {
    @Test("shows a state, and counts refusals")
    func pool() throws {
        let factory = TestMetrics()
        let pool = Pool(factory: factory)
        pool.connections.value = 3
        let starts = (1...3).map { pool.query.apply($0).start() }
        #expect(try factory.expectMeter("pool.connections").lastValue == 3)
        #expect(try factory.expectCounter("pool.refusals").totalValue == 2)
        for start in starts { start.dispose() }
    }
}
