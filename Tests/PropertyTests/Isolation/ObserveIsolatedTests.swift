import HotSignals
import ReactiveSignals
import TestSupport
import Testing

private actor Dial {
    nonisolated let executor: ManualExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    var seen: [Int] = []
    var start: (any Disposable)?
    private let member: Population.Member?

    init(_ executor: ManualExecutor, _ member: Population.Member? = nil) {
        self.executor = executor
        self.member = member
    }

    func show(_ property: some PropertyProtocol<Int>) -> any Disposable {
        property.observeIsolated { self.seen.append($0) }
    }

    func showUntilTwo(_ property: Property<Int>) {
        start = property.observeIsolated { value in
            self.seen.append(value)
            if value == 2 { self.start?.dispose() }
        }
    }

    nonisolated func now<Result: Sendable>(_ body: @Sendable (isolated Dial) -> Result) -> Result {
        executor.hold { assumeIsolated { body($0) } }
    }
}

@MainActor
private final class Thermometer {
    var label = ""
    var labels: [String] = []

    func show(_ temperature: Property<Int>, _ done: @escaping @Sendable () -> Void) {
        temperature.observeIsolated {
            self.label = "\($0) °C"
            self.labels.append(self.label)
            if $0 == 3 { done() }
        }
    }
}

@Suite("observeIsolated of properties", .watched)
struct ObserveIsolatedTests {
    @Test("delivers the value and each change on the actor, and pending changes in one job of its executor")
    func changes() {
        let executor = ManualExecutor()
        let gauge = Dial(executor)
        let property = MutableProperty(0)
        let doubled = property.map { $0 * 2 }
        let disposables = gauge.now { [$0.show(property), $0.show(doubled)] }
        for value in 1...3 { property.value = value }
        #expect(gauge.now { $0.seen }.isEmpty)
        expect(executor.runAll(), is: 2)
        expect(gauge.now { $0.seen }, is: [0, 1, 2, 3, 0, 2, 4, 6])
        property.value = 4
        expect(executor.runAll(), is: 2)
        expect(gauge.now { $0.seen }.suffix(2), is: [4, 8])
        for disposable in disposables { disposable.dispose() }
        property.value = 5
        expect(executor.runAll(), is: 0)
    }

    @Test("calls the closure no more once it is disposed of on the actor")
    func disposedInside() {
        let executor = ManualExecutor()
        let gauge = Dial(executor)
        let property = MutableProperty(1)
        gauge.now { $0.showUntilTwo(Property(property)) }
        for value in 2...4 { property.value = value }
        executor.runAll()
        expect(gauge.now { $0.seen }, is: [1, 2])
    }

    @Test("ends with the property, and then releases the closure")
    func ends() {
        let population = Population()
        let executor = ManualExecutor()
        let disposable = {
            let gauge = Dial(executor, population.member())
            let property = MutableProperty(7)
            return gauge.now { $0.show(property) }
        }()
        expect(population.alive, is: 1)
        executor.runAll()
        expect(population.alive, is: 0)
        #expect(disposable.isDisposed)
    }

    @Test("lets main actor code touch its own state")
    @MainActor
    func mainActor() async {
        let thermometer = Thermometer()
        let temperature = MutableProperty(0)
        await withCheckedContinuation { continuation in
            thermometer.show(Property(temperature)) { continuation.resume() }
            for value in 1...3 { temperature.value = value }
            #expect(thermometer.label.isEmpty)
        }
        expect(thermometer.labels, is: ["0 °C", "1 °C", "2 °C", "3 °C"])
    }
}
