import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contract 8 of the design for values that are endless sequences: iteration stops when no observer is left.
@Suite("Endless sequences", .watched)
struct EndlessSequenceTests {
    private typealias Sequences = Signal<ContractNumbers, Never>

    /// Signals derived from the flattened one, all of which forward every value.
    private static let chains: [@Sendable (Signal<Int, Never>) -> Signal<Int, Never>] = [
        { $0 }, { $0.map { $0 } }, { $0.map { $0 }.filter { _ in true } }, { $0.observe(on: ImmediateScheduler()) },
        { $0.merge(with: .empty) }, { $0.map { $0 }.flatMap(.merge) { SignalProducer(value: $0) } },
    ]

    @Test(
        "8: iteration ends when a signal's only observer disposes of itself during a delivery",
        arguments: 0..<chains.count)
    func signal(chain: Int) {
        let (source, input) = Sequences.pipe()
        let (log, own, numbers) = (Log<Int>(), SerialDisposable(), ContractNumbers())
        // A temporary: retained by the observation only.
        own.inner = Self.chains[chain](source.flatten()).observeNext { value in
            log.append(value)
            if value == 2 { own.dispose() }
        }
        input.sendNext(numbers)
        expect(log.all, is: [0, 1, 2])
        expect(numbers.asked.value, is: 3)
        input.sendNext(numbers)
        expect(numbers.asked.value, is: 3)
        input.sendCompleted()
    }

    @Test("8: iteration continues for the other observers")
    func others() {
        let (source, input) = Sequences.pipe()
        let (log, own, other, numbers) = (Log<Int>(), SerialDisposable(), SerialDisposable(), ContractNumbers())
        let values = source.flatten()
        own.inner = values.observeNext { value in
            log.append(value)
            if value == 2 { own.dispose() }
        }
        other.inner = values.observeNext { value in
            if value == 5 { other.dispose() }
        }
        input.sendNext(numbers)
        expect(log.all, is: [0, 1, 2])
        // The test retains the signal, so iteration does not depend on observers.
        expect(numbers.asked.value, is: 2_001)
        input.sendCompleted()
        withExtendedLifetime(values) {}
    }

    @Test("8: iteration ends when a producer's start disposes of itself during a delivery", arguments: [true, false])
    func producer(isLifted: Bool) {
        let (source, input) = Sequences.pipe()
        let (log, own, numbers) = (Log<Int>(), SerialDisposable(), ContractNumbers())
        let flattened = isLifted ? source.producer.lift { $0.flatten() } : source.producer.flatten()
        own.inner = flattened.startWithNext { value in
            log.append(value)
            if value == 2 { own.dispose() }
        }
        input.sendNext(numbers)
        expect(log.all, is: [0, 1, 2])
        expect(numbers.asked.value, is: 3)
        input.sendCompleted()
    }

    @Test(
        "8: iteration ends when an observer of a start's signal disposes before startWithSignal returns",
        arguments: [true, false])
    func signalOfStart(disposesOfWork: Bool) {
        let (log, own, numbers) = (Log<Int>(), SerialDisposable(), ContractNumbers())
        SignalProducer<ContractNumbers, Never>(value: numbers).flatten().startWithSignal { signal, interrupter in
            let observation = signal.observeNext { value in
                log.append(value)
                if value == 2 { own.dispose() }
            }
            own.inner = disposesOfWork ? interrupter : observation
        }
        expect(log.all, is: [0, 1, 2])
        expect(numbers.asked.value, is: 3)
    }
}
