import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Contract 8 for observers of values, as added by `observeNext`, which deliveries handle on a faster path.
@Suite("Disposal of observers of values")
struct SignalDisposalTests {
    @Test("an observer disposed of after a re-entrant send does not receive the event")
    func nestedSend() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let log = Log<String>()
        let second = SerialDisposable()
        signal.observeNext { value in
            log.append("first: \(value)")
            guard value == 1 else { return }
            input.sendNext(2)
            second.dispose()
        }
        second.inner = signal.observeNext { log.append("second: \($0)") }
        input.sendNext(1)
        expect(log.all, is: ["first: 1", "first: 2"])
        // Releases the observer, which retains the input.
        input.sendCompleted()
    }

    @Test("an observer disposed of between re-entrant sends receives none of them")
    func severalNestedSends() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let log = Log<String>()
        let disposables = (0..<3).map { _ in SerialDisposable() }
        signal.observeNext { value in
            log.append("first: \(value)")
            guard value == 1 else { return }
            input.sendNext(2)
            disposables[0].dispose()
            input.sendNext(3)
            disposables[1].dispose()
            input.sendNext(4)
            disposables[2].dispose()
            input.sendNext(5)
        }
        for disposable in disposables { disposable.inner = signal.observeNext { log.append("other: \($0)") } }
        signal.observeNext { log.append("last: \($0)") }
        input.sendNext(1)
        // The disposed observers come before the last one, so that the delivery has to skip them.
        let expected = (1...5).flatMap { ["first: \($0)", "last: \($0)"] }
        expect(log.all, is: expected)
        input.sendCompleted()
    }

    @Test("an observer disposed of by another thread receives nothing after dispose() returns")
    func otherThread() {
        for _ in 0..<raceRounds {
            let (signal, input) = Signal<Int, Never>.pipe()
            let isDisposed = OnceFlag()
            let violations = Counter()
            let second = SerialDisposable()
            let hasBegun = OnceFlag()
            let hasDisposed = OnceFlag()
            signal.observeNext { value in
                guard value == 1 else { return }
                input.sendNext(2)
                // Goes into the inbox behind 2, regardless of which thread disposes.
                hasBegun.raise()
                while !hasDisposed.isRaised {}
                input.sendNext(3)
            }
            second.inner = signal.observeNext { _ in
                if isDisposed.isRaised { violations.increment() }
            }
            let other = TestThread("disposing") {
                while !hasBegun.isRaised {}
                second.dispose()
                isDisposed.raise()
                hasDisposed.raise()
            }
            input.sendNext(1)
            other.join()
            input.sendCompleted()
            expect(violations.value, is: 0)
            if violations.value > 0 { return }
        }
    }

    @Test("an endless sequence sent during a delivery ends when the only observer is disposed of")
    func endlessSequence() {
        let (signal, input) = Signal<SignalProducer<Int, Never>, Never>.pipe()
        let disposable = SerialDisposable()
        let count = Counter()
        signal.observeNext { _ in
            guard count.increment() == 1 else { return }
            input.sendNext(SignalProducer(0...))
            disposable.dispose()
        }
        disposable.inner = signal.flatten(.merge).observeNext { value in
            if value > 1_000_000 { fatalError("the sequence goes on") }
        }
        input.sendNext(.empty)
        #expect(disposable.isDisposed)
        input.sendCompleted()
    }
}
