import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// The ways to observe, each of which a signal delivers to differently.
private enum ObserverKind: CaseIterable {
    case values
    case events
    case sink
}

extension Signal where Failure == Never {
    fileprivate func observe(as kind: ObserverKind, _ action: @escaping @Sendable (Value) -> Void) -> any Disposable {
        // Only for signals that have not terminated.
        switch kind {
        case .values: observeNext(action)!
        case .events: observe { if let value = $0.value { action(value) } }!
        case .sink: map { $0 }.observeNext(action)!
        }
    }
}

@Suite("Core")
struct CoreTests {
    /// All sequences of up to four observer kinds.
    private static let mixtures: [[ObserverKind]] = (0..<4).reduce(into: [[]]) { mixtures, length in
        mixtures += mixtures.filter { $0.count == length }.flatMap { mixture in
            ObserverKind.allCases.map { mixture + [$0] }
        }
    }

    @Test("delivers to every mixture of observers in order, including after each of them has been disposed of")
    func mixtures() {
        for mixture in Self.mixtures {
            for leaving in mixture.indices {
                let log = Log<Int>()
                let (signal, input) = Signal<Int, Never>.pipe()
                let disposables = mixture.enumerated().map { number, kind in
                    signal.observe(as: kind) { _ in log.append(number) }
                }
                input.sendNext(0)
                expect(log.all, is: Array(mixture.indices))
                disposables[leaving].dispose()
                input.sendNext(0)
                let left = mixture.indices.filter { $0 != leaving }
                expect(log.all, is: Array(mixture.indices) + left)
                let late = signal.observe(as: .values) { _ in log.append(100) }
                input.sendNext(0)
                expect(log.all, is: Array(mixture.indices) + left + left + [100])
                late.dispose()
                input.sendCompleted()
                #expect(disposables.enumerated().allSatisfy { mixture[$0] == .sink || $1.isDisposed })
            }
        }
    }

    @Test("does not call an observer of values that another observer removes during the delivery")
    func valuesRemovedByPeer() {
        let population = Population()
        let (signal, input) = Signal<Int, Never>.pipe()
        let log = Log<String>()
        let later = SerialDisposable()
        signal.observeNext {
            log.append("first \($0)")
            later.dispose()
        }
        later.inner = signal.observeNext { [member = population.member()] value in
            member.touch()
            log.append("later \(value)")
        }
        signal.observeNext { log.append("last \($0)") }
        input.sendNext(1)
        expect(log.all, is: ["first 1", "last 1"])
        expect(population.alive, is: 0)
    }

    @Test("does not call an observer of values that is added during the delivery")
    func valuesAddedDuringDelivery() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let log = Log<String>()
        let isFirst = OnceFlag()
        signal.observeNext { _ in
            if isFirst.raise() { signal.observeNext { log.append("new \($0)") } }
        }
        signal.observeNext { log.append("old \($0)") }
        input.sendNext(1)
        input.sendNext(2)
        expect(log.all, is: ["old 1", "old 2", "new 2"])
    }

    @Test("delivers the values that observers send to all observers, in order")
    func valuesNested() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let log = Log<String>()
        signal.observeNext { if $0 < 3 { input.sendNext($0 + 1) } }
        signal.observeNext { log.append("a \($0)") }
        signal.observeNext { log.append("b \($0)") }
        input.sendNext(1)
        expect(log.all, is: ["a 1", "b 1", "a 2", "b 2", "a 3", "b 3"])
        input.sendCompleted()
    }

    @Test("releases every kind of observer when the signal ends and when the observer is disposed of")
    func released() {
        for kind in ObserverKind.allCases {
            let population = Population()
            let (signal, input) = Signal<Int, Never>.pipe()
            let disposables = (0..<3).map { _ in
                signal.observe(as: kind) { [member = population.member()] _ in member.touch() }
            }
            disposables[1].dispose()
            expect(population.alive, is: 2)
            input.sendInterrupted()
            expect(population.alive, is: 0)
        }
    }
}
