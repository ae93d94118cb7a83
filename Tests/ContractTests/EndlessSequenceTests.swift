import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contract 8 of the design, where a value is a sequence without an end: iterating stops when nobody waits for more.
@Suite("Endless sequences", .watched)
struct EndlessSequenceTests {
    private typealias Sequences = Signal<ContractNumbers, Never>

    /// Signals made of the flattened one, all of which pass on every value.
    private static let chains: [@Sendable (Signal<Int, Never>) -> Signal<Int, Never>] = [
        { $0 }, { $0.map { $0 } }, { $0.map { $0 }.filter { _ in true } }, { $0.observe(on: ImmediateScheduler()) },
        { $0.merge(with: .empty) }, { $0.map { $0 }.flatMap(.merge) { SignalProducer(value: $0) } },
    ]

    @Test("an observer of values that disposes of itself from inside stops a signal's", arguments: 0..<chains.count)
    func signal(chain: Int) {
        let (source, input) = Sequences.pipe()
        let (log, own, numbers) = (Log<Int>(), SerialDisposable(), ContractNumbers())
        // A temporary: nothing but the observation holds it.
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

    @Test("while others observe, it goes on for them")
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
        // The signal is held: it is not for its observers alone that it iterates.
        expect(numbers.asked.value, is: 2_001)
        input.sendCompleted()
        withExtendedLifetime(values) {}
    }

    @Test("so does one of a producer", arguments: [true, false])
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

    @Test("and one of the signal of a start, before that has returned", arguments: [true, false])
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
