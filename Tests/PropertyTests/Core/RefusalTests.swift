import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Changes that another thread stands in the way of.
@Suite("A change that is refused", .watched)
struct RefusalTests {
    /// Blocks the computation of a property of two while another thread wants to change one of them.
    private final class Blockade: Sendable {
        let other = MutableProperty(0)
        private let (inClosure, goOn) = (Latch("the computation"), Latch("to go on"))
        private let observation = Locked<(any Disposable)?>(nil)
        private let setter = Locked<TestThread?>(nil)

        /// Combines `property` with another one, and observes that.
        init(_ property: MutableProperty<Int>) {
            let combined = property.map { $0 }.combineLatest(with: other).map { [inClosure, goOn] pair in
                if pair.1 == 1 {
                    inClosure.open()
                    goOn.wait()
                }
                return pair.0 + pair.1
            }
            let disposable = combined.signal.observeNext { _ in }
            observation.withLock { $0 = disposable }
        }

        func begin() {
            let thread = TestThread("computes") { [other] in other.value = 1 }
            setter.withLock { $0 = thread }
            inClosure.wait()
        }

        func end() {
            goOn.open()
            setter.withLock { $0 }?.join()
            observation.withLock { $0.take() }?.dispose()
        }
    }

    @Test("does not count as seen by uniqueValues")
    func uniqueValues() {
        let property = MutableProperty(0, contention: .enqueue)
        let unique = property.uniqueValues()
        let log = unique.signal.logged()
        let blockade = Blockade(property)
        blockade.begin()
        property.value = 1
        blockade.end()
        expect(unique.value, is: 1)
        property.value = 2
        property.value = 1
        expect(unique.value, is: 2)
        expect(log.all, is: ["1", "2"])
    }

    @Test("is queued once by zip", arguments: [false, true])
    func zip(completesPair: Bool) {
        let property = MutableProperty(0, contention: .enqueue)
        let partner = MutableProperty(10)
        let pairs = property.zip(with: partner)
        let log = pairs.signal.map { "\($0)" }.logged()
        if completesPair { partner.set(11, 12) }
        let blockade = Blockade(property)
        blockade.begin()
        property.value = 1
        blockade.end()
        if !completesPair { partner.set(11, 12) }
        property.value = 2
        expect(log.all, is: ["(1, 11)", "(2, 12)"])
        #expect(pairs.value == (2, 12))
    }

    @Test("waits where it is a modify, in an observer of an end as well, and loses nothing")
    func modifyInEnd() {
        let counter = MutableProperty(0)
        let (inBody, goOn) = (Latch("the body"), Latch("to go on"))
        let body = TestThread("modifies") {
            counter.modify { value in
                inBody.open()
                goOn.wait()
                value += 1
            }
        }
        inBody.wait()
        let other = Locked<MutableProperty<Int>?>(MutableProperty(0))
        other.withLock { $0 }?.signal.observeCompleted { counter.modify { $0 += 1 } }
        let ending = TestThread("releases") { _ = other.withLock { $0.take() } }
        ending.waitUntilAsleep()
        goOn.open()
        body.join()
        ending.join()
        expect(counter.value, is: 2)
    }

    @Test("calls no observer of another change before it has been put off")
    func observersAfterwards() {
        let roots = (0..<3).map { _ in MutableProperty(0, contention: .enqueue) }
        let (inFirst, goOnFirst) = (Latch("the first computation"), Latch("the first to go on"))
        let (inSecond, goOnSecond) = (Latch("the second computation"), Latch("the second to go on"))
        let first = roots[0].combineLatest(with: roots[1]).map { pair in
            if pair.0 == 1, pair.1 == 0 {
                inFirst.open()
                goOnFirst.wait()
            }
            return pair.0 + pair.1
        }
        // Higher, so that a change of the first root comes to it later.
        let second = roots[0].map { $0 }.map { $0 }.combineLatest(with: roots[2]).map { pair in
            if pair.0 == 0, pair.1 == 1 {
                inSecond.open()
                goOnSecond.wait()
            }
            return pair.0 + pair.1
        }
        let logs = [first.signal.logged(), second.signal.logged()]
        roots[1].signal.observeNext { [unowned root = roots[0]] _ in root.modify { $0 += 10 } }
        let third = TestThread("computes the second") { roots[2].value = 1 }
        inSecond.wait()
        let setter = TestThread("computes the first") { roots[0].value = 1 }
        inFirst.wait()
        // In the way of this is the first computation.
        roots[1].value = 5
        goOnFirst.open()
        setter.join()
        goOnSecond.open()
        third.join()
        let hasCome = becomesTrue { roots[0].value == 11 && logs[0].all.last == "16" && logs[1].all.last == "12" }
        #expect(hasCome)
        expect(roots.map(\.value), is: [11, 5, 1])
        expect([first.value, second.value], is: [16, 12])
    }
}
