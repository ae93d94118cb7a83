import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contract 11 of the design for retained values. For the lifetime of signals, see `OperatorContractTests`.
@Suite("Lifetime contract", .watched)
struct LifetimeContractTests {
    @Test("11: operators release their values on disposal and on an error")
    func bufferedValues() {
        typealias Source = Signal<Probe, TestError>
        let operators: [(name: String, apply: @Sendable ([Source]) -> Numbers)] = [
            ("zip", { Signal.zip($0).map(\.count) }), ("zip of two", { Signal.zip($0[0], $0[1]).map { _ in 1 } }),
            ("zip of three", { Signal.zip($0[0], $0[1], $0[2]).map { _ in 1 } }),
            ("combineLatest", { Signal.combineLatest($0).map(\.count) }),
            ("combineLatest of two", { Signal.combineLatest($0[0], $0[1]).map { _ in 1 } }),
            ("combineLatest of three", { Signal.combineLatest($0[0], $0[1], $0[2]).map { _ in 1 } }),
            ("collect", { $0[0].collect().map(\.count) }),
            ("collect(count:)", { $0[0].collect(count: 9).map(\.count) }),
            ("combinePrevious", { $0[0].combinePrevious().map { _ in 1 } }),
            ("skipRepeats", { $0[0].skipRepeats { $0 === $1 }.map { _ in 1 } }),
        ]
        for (name, apply) in operators {
            for fails in [false, true] {
                let probes = ProbeCounter()
                let pipes = (0..<3).map { _ in Source.pipe() }
                let disposable = apply(pipes.map(\.output)).observe { _ in }
                for _ in 0..<3 { pipes[0].input.sendNext(probes.probe()) }
                #expect(probes.alive > 0, "\(name)")
                if fails { pipes[0].input.sendError(TestError()) } else { disposable?.dispose() }
                expect(probes.alive, is: 0, "\(name)")
                withExtendedLifetime(pipes) {}
            }
        }
    }

    @Test("11: observe(on:) releases pending values on disposal")
    func scheduledValues() {
        let probes = ProbeCounter()
        let (source, input) = Signal<Probe, TestError>.pipe()
        // The test never advances it.
        let scheduler = TestScheduler()
        let disposable = source.observe(on: scheduler).observe { _ in }
        for _ in 0..<3 { input.sendNext(probes.probe()) }
        expect(probes.alive, is: 3)
        disposable?.dispose()
        expect(probes.alive, is: 0)
        withExtendedLifetime(scheduler) {}
    }
}
