import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("Operators with a gate of their own", .watched)
struct OperatorDisposalTests {
    private typealias Operator = @Sendable (SignalProducer<Int, Never>, TestScheduler) -> SignalProducer<Int, Never>

    private static let scheduled: [(name: String, apply: Operator)] = [
        ("observe", { $0.observe(on: $1) }),
        ("delay", { $0.delay(.seconds(1), on: $1) }),
        ("debounce", { $0.debounce(.seconds(1), on: $1) }),
        ("throttle", { $0.throttle(.seconds(1), on: $1) }),
        ("lazyMap", { $0.lazyMap(on: $1) { $0 } }),
        ("collect", { $0.collect(every: .seconds(1), on: $1).map(\.count) }),
    ]

    @Test(
        "deliver the interruption on the scheduler when they are disposed of before they start",
        arguments: scheduled.indices)
    func disposedBeforeBeginning(_ index: Int) {
        let (clock, log, starts) = (TestScheduler(), Log<String>(), Counter())
        let own = SerialDisposable()
        let source = SignalProducer<Int, Never> { observer, _ in
            starts.increment()
            observer.sendCompleted()
        }
        let (signal, input) = Signal<Int, Never>.pipe()
        own.inner = signal.producer.then(
            .deferred {
                own.dispose()
                return Self.scheduled[index].apply(source, clock)
            }
        ).start { log.append($0.text) }
        input.sendCompleted()
        expect(log.all, is: [])
        clock.advance()
        expect(log.all, is: ["interrupted"])
        clock.advance(by: .seconds(10))
        expect(log.all, is: ["interrupted"])
        expect(starts.value, is: 0)
        // Returns because no timer is left.
        clock.run()
    }
}
