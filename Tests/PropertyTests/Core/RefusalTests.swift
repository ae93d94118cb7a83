import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Changes that wait for another thread.
@Suite("A change that waits", .watched)
struct RefusalTests {
    /// Blocks the computation of a combination while another thread wants to change one of its inputs.
    private final class Blockade: Sendable {
        let other = MutableProperty(0)
        private let (inClosure, goOn) = (Latch("the computation"), Latch("to go on"))
        private let observation = Locked<(any Disposable)?>(nil)
        private let setter = Locked<TestThread?>(nil)

        /// Combines `property` with another one, and observes the combination.
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

    /// Sets a property on another thread, which waits for the blockade to end.
    private func set(_ property: MutableProperty<Int>, during blockade: Blockade) {
        blockade.begin()
        let setter = TestThread("sets") { property.value = 1 }
        setter.waitUntilAsleep()
        blockade.end()
        setter.join()
    }

    @Test("counts once for uniqueValues")
    func uniqueValues() {
        let property = MutableProperty(0, contention: .enqueue)
        let unique = property.uniqueValues()
        let log = unique.signal.logged()
        set(property, during: Blockade(property))
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
        set(property, during: Blockade(property))
        if !completesPair { partner.set(11, 12) }
        property.value = 2
        expect(log.all, is: ["(1, 11)", "(2, 12)"])
        #expect(pairs.value == (2, 12))
    }

    @Test("loses nothing in an observer of completion")
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

    @Test("is visible to a reader whose closure takes longer than the changes, also through a binding")
    func slowReader() {
        let property = MutableProperty(0, contention: .enqueue)
        let linked = MutableProperty(0, contention: .enqueue)
        let binding = linked <~> property
        let changes = Counter()
        let slow = property.map { value in
            // Each time, another thread changes the value before the computation has ended.
            if value > 0, changes.increment() <= 12 { TestThread("sets") { linked.value = 100 + changes.value }.join() }
            return value
        }
        property.value = 100
        let seen = slow.value
        #expect(seen >= 100, "it has read \(seen)")
        expect(changes.value > 4, is: true, "it has given up trying")
        expect(property.value, is: linked.value)
        binding.dispose()
    }

    /// Runs `body` in an event, when another thread has handed over an event that a closure sends in a propagation.
    private func afterHandOver(of property: MutableProperty<Int>, _ body: @escaping @Sendable () -> Void) {
        let (output, input) = Signal<Int, Never>.pipe()
        let isComputing = Latch("the computation")
        let computed = property.map { value in
            if value == 1 {
                isComputing.open()
                input.sendNext(2)
            }
            return value
        }
        let observation = computed.signal.observeNext { _ in }
        output.observeNext { value in
            guard value == 1 else { return }
            let thread = TestThread("sets") { property.value = 1 }
            isComputing.wait()
            // Does not wait for this event.
            thread.join()
            body()
        }
        input.sendNext(1)
        observation?.dispose()
        input.sendCompleted()
    }

    @Test("takes its turn in an event that a closure sends, which is handed over", arguments: 0..<3)
    func modifyOfThree(_ kind: Int) {
        let property = MutableProperty(0, contention: .enqueue)
        let former = Locked<Int?>(nil)
        let other = Locked<TestThread?>(nil)
        afterHandOver(of: property) {
            property.modify { value in
                let thread = TestThread("changes") {
                    switch kind {
                    case 0: former.withLock { $0 = property.swap(100) }
                    case 1: property.modify { $0 += 100 }
                    default: property.value = 100
                    }
                }
                thread.waitUntilAsleep()
                other.withLock { $0 = thread }
                value += 10
            }
        }
        other.withLock { $0 }?.join()
        #expect(becomesTrue { property.value == [100, 111, 100][kind] })
        if kind == 0 { expect(former.withLock { $0 }, is: 11) }
    }

    @Test("is made if it is a binding in an event that a closure sends")
    func binding() {
        let property = MutableProperty(0)
        let other = MutableProperty(0)
        afterHandOver(of: property) { (property <~> other).dispose() }
        other.value = 5
        expect(property.value, is: 0)
        let binding = property <~> other
        other.value = 6
        expect(property.value, is: 6)
        binding.dispose()
    }
}
