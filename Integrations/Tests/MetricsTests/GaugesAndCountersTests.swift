import IntegrationsTestSupport
import Metrics
import MetricsTestKit
import ReactiveSignals
import ReactiveSignalsMetrics
import Testing

@Suite("Gauges of properties and counters of signals", .patient)
struct GaugesAndCountersTests {
    private let factory = TestMetrics()

    private func gauge(_ label: String) -> Double? { factory.meters.first { $0.label == label }?.lastValue }

    private func count(_ label: String) -> Int64? { factory.counters.first { $0.label == label }?.totalValue }

    @Test("a gauge has the value of the property, from the beginning")
    func values() throws {
        let (number, share, isOpen) = (MutableProperty(3), MutableProperty(0.5), MutableProperty(false))
        number.record(asGauge: "number", dimensions: [("pool", "a")], factory: factory)
        share.map { $0 * 100 }.record(asGauge: "share", factory: factory)
        isOpen.record(asGauge: "open", factory: factory)
        #expect(gauge("number") == 3 && gauge("share") == 50 && gauge("open") == 0)
        number.value = 4
        share.value = 0.25
        isOpen.value = true
        #expect(gauge("number") == 4 && gauge("share") == 25 && gauge("open") == 1)
        #expect(try factory.expectMeter("number", [("pool", "a")]).lastValue == 4)
    }

    @Test("a gauge is destroyed when its property is released, and does not retain it")
    func release() {
        let population = Population()
        do {
            let token = population.token()
            let number = MutableProperty(3)
            number.map { value in
                token.touch()
                return value
            }
            .record(asGauge: "number", factory: factory)
            #expect(gauge("number") == 3)
            withExtendedLifetime(number) {}
        }
        #expect(factory.meters.isEmpty)
        #expect(population.alive == 0)
    }

    @Test("a gauge is destroyed when it is disposed of")
    func disposal() {
        let number = MutableProperty(3)
        let gauge = number.record(asGauge: "number", factory: factory)
        gauge.dispose()
        #expect(factory.meters.isEmpty)
        number.value = 4
        #expect(factory.meters.isEmpty)
        number.record(asGauge: "number", factory: factory)
        #expect(self.gauge("number") == 4)
    }

    @Test("a counter counts the values of a signal, or what they add, until the signal ends or it is disposed of")
    func counters() {
        let (texts, input) = Signal<String, Never>.pipe()
        texts.record(asCounter: "texts", factory: factory)
        let characters = texts.record(asCounter: "characters", factory: factory) { $0.count }
        for text in ["a", "bcd"] { input.sendNext(text) }
        #expect(count("texts") == 2 && count("characters") == 4)
        characters?.dispose()
        input.sendNext("efg")
        #expect(count("texts") == 3 && count("characters") == 4)
        input.sendCompleted()
        #expect(count("texts") == 3)
        #expect(texts.record(asCounter: "texts", factory: factory) == nil)
    }

    @Test("signals with the same label add to the same counter")
    func shared() {
        for _ in 1...3 {
            let (numbers, input) = Signal<Int, Never>.pipe()
            numbers.record(asCounter: "numbers", factory: factory)
            input.sendNext(1)
            input.sendCompleted()
        }
        #expect(factory.counters.map(\.totalValue).reduce(0, +) == 3)
    }

    @Test("threads that set a property and send values leave the last value and the sum")
    func threads() async {
        let number = MutableProperty(0)
        let (values, input) = Signal<Int, Never>.pipe()
        number.record(asGauge: "number", factory: factory)
        values.record(asCounter: "values", factory: factory)
        await withTaskGroup { tasks in
            for _ in 0..<4 {
                tasks.addTask {
                    for value in 0..<250 {
                        number.modify { $0 += 1 }
                        input.sendNext(value)
                    }
                }
            }
        }
        #expect(await eventually { gauge("number") == 1_000 && count("values") == 1_000 })
    }
}
