import ReactiveSignals
import TestSupport
import Testing

/// The observers of a signal, identified by numbers.
private final class Crowd: Sendable {
    let log = Log<Int>()
    let pipe = Signal<Int, Never>.pipe()

    func join(_ number: Int) -> any Disposable {
        // The pipe has not terminated.
        pipe.output.observe { [log] _ in log.append(number) }!
    }

    /// The observers that receive an event, in order.
    func callRoll() -> [Int] {
        let before = log.count
        pipe.input.sendNext(0)
        return Array(log.all.dropFirst(before))
    }
}

@Suite("Slots")
struct SlotsTests {
    @Test("keep insertion order for any count", arguments: [0, 1, 2, 3, 4, 5, 8, 9, 100])
    func order(count: Int) {
        let crowd = Crowd()
        let disposables = (0..<count).map(crowd.join)
        expect(crowd.callRoll(), is: Array(0..<count))
        expect(disposables.count, is: count)
    }

    @Test("lose exactly the removed observers, for every subset of five")
    func everySubset() {
        for subset in 0..<32 {
            let crowd = Crowd()
            let disposables = (0..<5).map(crowd.join)
            for number in 0..<5 where subset & (1 << number) != 0 { disposables[number].dispose() }
            let left = (0..<5).filter { subset & (1 << $0) == 0 }
            expect(crowd.callRoll(), is: left)
            let late = [crowd.join(5), crowd.join(6)]
            expect(crowd.callRoll(), is: left + [5, 6])
            late[0].dispose()
            expect(crowd.callRoll(), is: left + [6])
        }
    }

    @Test("stay consistent over many additions and removals in random order")
    func random() {
        let crowd = Crowd()
        var present: [(number: Int, disposable: any Disposable)] = []
        var next = 0
        var seed: UInt64 = 42
        for round in 0..<2_000 {
            // A linear congruential generator: the same sequence in every run.
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let choice = Int(seed >> 33)
            let isGrowing = (round / 100).isMultiple(of: 2)
            if present.isEmpty || (choice % 3 == 0) != isGrowing {
                present.append((next, crowd.join(next)))
                next += 1
            } else {
                present.remove(at: choice % present.count).disposable.dispose()
            }
            if round.isMultiple(of: 7) { expect(crowd.callRoll(), is: present.map(\.number)) }
        }
    }

    @Test("stay consistent when all but the last observer leave, and when the only one is replaced")
    func emptied() {
        let crowd = Crowd()
        let disposables = (0..<20).map(crowd.join)
        for disposable in disposables.dropLast() { disposable.dispose() }
        expect(crowd.callRoll(), is: [19])
        disposables[19].dispose()
        expect(crowd.callRoll(), is: [])
        let only = crowd.join(20)
        expect(crowd.callRoll(), is: [20])
        only.dispose()

        let other = Crowd()
        for number in 0..<3 {
            let single = other.join(number)
            expect(other.callRoll(), is: [number])
            single.dispose()
            expect(other.callRoll(), is: [])
        }
    }

    @Test("can be emptied and refilled by an observer during a delivery")
    func emptiedInside() {
        let crowd = Crowd()
        let bag = CompositeDisposable()
        crowd.pipe.output.observe { event in
            bag.dispose()
            if event.value != nil, crowd.log.count < 10 { _ = crowd.join(100) }
        }
        for number in 0..<10 { bag.add(crowd.join(number)) }
        expect(crowd.callRoll(), is: [])
        expect(crowd.callRoll(), is: [100])
        expect(crowd.callRoll(), is: [100, 100])
        crowd.pipe.input.sendCompleted()
    }

    @Test("release every observer when the signal ends")
    func released() {
        for count in [1, 2, 30] {
            let population = Population()
            let (signal, input) = Signal<Int, Never>.pipe()
            for _ in 0..<count { signal.observe { [member = population.member()] _ in member.touch() } }
            expect(population.alive, is: count)
            input.sendCompleted()
            expect(population.alive, is: 0)
        }
    }
}
