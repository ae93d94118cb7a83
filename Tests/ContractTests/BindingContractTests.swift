import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("Binding contract", .watched)
struct BindingContractTests {
    private typealias Held = Locked<MutableProperty<Population.Member?>?>

    private func release(_ held: Held) {
        let released = held.withLock { $0.take() }
        withExtendedLifetime(released) {}
    }

    @Test(
        "both properties end once and nothing leaks when sets, disposal and the ends of both sides race",
        arguments: ["<~", "<~>"])
    func races(form: String) {
        let population = Population()
        withThreads(4) { threads in
            for round in 0..<raceRounds {
                let (left, right): (Held, Held) = (Locked(MutableProperty(nil)), Locked(MutableProperty(nil)))
                let binding: any Disposable = {
                    let (first, second) = (left.withLock { $0! }, right.withLock { $0! })
                    return form == "<~" ? (first <~ second) : (first <~> second)
                }()
                let ends = [left.withLock { $0! }, right.withLock { $0! }].map { $0.signal.logged() }
                threads.race { thread in
                    switch (thread, round % 3) {
                    case (0, _): left.withLock { $0 }?.value = population.member()
                    case (1, _): right.withLock { $0 }?.value = population.member()
                    case (2, 0), (3, 1): release(left)
                    case (2, 1), (3, 2): release(right)
                    default: binding.dispose()
                    }
                }
                release(left)
                release(right)
                // Another thread may still be delivering what it found in a gate.
                let isRight = becomesTrue {
                    ends.allSatisfy { $0.all.last == "completed" && $0.all.filter { $0 == "completed" }.count == 1 }
                }
                if !isRight || !becomesTrue({ population.alive == 0 }) {
                    Issue.record("\(ends.map(\.all)), \(population.alive) alive")
                    return
                }
            }
        }
    }
}
