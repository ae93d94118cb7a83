import Foundation
import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Combined properties share only the combination, so that no thread waits for unrelated work.
@Suite("Isolation of combined properties", .watched)
struct IsolationTests {
    /// Whether a combination of two properties is held, and how.
    enum Combination: CaseIterable { case released, unobserved, observedBefore }

    @Test("a set does not wait for the computation of a property it is combined with", arguments: Combination.allCases)
    func underLock(combination: Combination) {
        let (first, second) = (MutableProperty(0), MutableProperty(0))
        let lock = NSLock()
        let (inClosure, isLocked) = (Latch("the computation"), Latch("the lock"))
        let derived = second.map { value in
            if value == 1 {
                inClosure.open()
                isLocked.wait()
                lock.withLock {}
            }
            return value
        }
        let log = derived.signal.logged()
        var both: Property<(Int, Int)>? = first.combineLatest(with: derived)
        #expect(both?.value ?? (-1, -1) == (0, 0))
        if combination == .observedBefore { both?.producer.startWithNext { _ in }.dispose() }
        if combination == .released { both = nil }
        let setter = TestThread("computes") { second.value = 1 }
        inClosure.wait()
        lock.withLock {
            isLocked.open()
            setter.waitUntilAsleep()
            // Does not return if it waits.
            first.value = 1
            expect(log.all, is: [])
        }
        setter.join()
        expect(log.all, is: ["1"])
        if let both { #expect(both.value == (1, 1)) }
    }

    @Test("a set does not wait for an observer of another combination with the same property")
    func besideObserver() {
        let (first, second, config) = (MutableProperty(0), MutableProperty(0), MutableProperty(7))
        let (inEvent, goOn) = (Latch("the event"), Latch("to go on"))
        let (ofFirst, ofSecond) = (first.combineLatest(with: config), second.combineLatest(with: config))
        let (logOfFirst, logOfSecond) = (Log<String>(), Log<String>())
        ofFirst.signal.observeNext { pair in
            if pair.0 == 1 {
                inEvent.open()
                goOn.wait()
            }
            logOfFirst.append("\(pair)")
        }
        ofSecond.signal.observeNext { logOfSecond.append("\($0)") }
        let setter = TestThread("tells") { first.value = 1 }
        inEvent.wait()
        let other = TestThread("sets") { second.value = 1 }
        other.join()
        expect(logOfSecond.all, is: ["(1, 7)"])
        expect(logOfFirst.all, is: [])
        goOn.open()
        setter.join()
        expect(logOfFirst.all, is: ["(1, 7)"])
        config.value = 8
        expect(logOfFirst.all.last, is: "(1, 8)")
        expect(logOfSecond.all.last, is: "(1, 8)")
    }

    @Test("a set does not wait for a computation that only another combination depends on")
    func besideComputation() {
        let (first, second, config) = (MutableProperty(0), MutableProperty(0), MutableProperty(7))
        let (inClosure, goOn) = (Latch("the computation"), Latch("to go on"))
        let slow = first.map { value in
            if value == 1 {
                inClosure.open()
                goOn.wait()
            }
            return value
        }
        let logs = [slow, second.map { $0 }].map { property in
            let log = Log<String>()
            property.combineLatest(with: config).signal.observeNext { log.append("\($0)") }
            return log
        }
        let setter = TestThread("computes") { first.value = 1 }
        inClosure.wait()
        let other = TestThread("sets") { second.value = 1 }
        other.join()
        expect(logs.map(\.all), is: [[], ["(1, 7)"]])
        goOn.open()
        setter.join()
        expect(logs.map(\.all), is: [["(1, 7)"], ["(1, 7)"]])
    }

    @Test("a set waits if it changes an observed property that another thread is computing")
    func observed() {
        let (first, second) = (MutableProperty(0), MutableProperty(0))
        let (inClosure, goOn) = (Latch("the computation"), Latch("to go on"))
        let sum = first.combineLatest(with: second).map { pair in
            if pair.0 == 1, pair.1 == 0 {
                inClosure.open()
                goOn.wait()
            }
            return pair.0 * 10 + pair.1
        }
        let log = sum.signal.logged()
        let setter = TestThread("computes") { first.value = 1 }
        inClosure.wait()
        let other = TestThread("sets") { second.value = 1 }
        other.waitUntilAsleep()
        #expect((first.value, second.value) == (0, 0))
        expect(sum.value, is: 0)
        goOn.open()
        setter.join()
        other.join()
        expect(log.all, is: ["10", "11"])
    }

    @Test("forty thousand released combinations with one property leave nothing behind", arguments: [false, true])
    func released(isObserved: Bool) {
        let config = MutableProperty(0)
        let (population, computations) = (Population(), Counter())
        for number in 0..<(isObserved ? 4_000 : 40_000) {
            let other = MutableProperty(number)
            let member = population.member()
            let both = config.combineLatest(with: other).map { pair in
                member.touch()
                computations.increment()
                return pair.0 + pair.1
            }
            if isObserved {
                both.producer.startWithNext { _ in }.dispose()
            } else if both.value != number {
                expect(both.value, is: number)
            }
        }
        expect(population.alive, is: 0)
        let before = computations.value
        let derived = config.map { $0 * 10 }
        let log = derived.logged()
        config.value = 1
        expect(log.all, is: ["0", "10"])
        expect(computations.value, is: before)
    }

    @Test("forty thousand unobserved combinations of two properties are not computed")
    func unobserved() {
        let config = MutableProperty(0)
        let (other, computations) = (MutableProperty(0), Counter())
        var all: [Property<Int>] = []
        for _ in 0..<40_000 {
            all.append(
                config.combineLatest(with: other).map { pair in
                    computations.increment()
                    return pair.0 + pair.1
                })
        }
        expect(computations.value, is: 0)
        let log = config.map { $0 * 10 }.logged()
        config.value = 1
        other.value = 1
        expect(log.all, is: ["0", "10"])
        expect(computations.value, is: 0)
        expect(all.last?.value, is: 2)
        expect(computations.value, is: 1)
    }

    @Test("a property can be set, and its combinations read, while another input is computed")
    func readBesideComputation() {
        let (first, second, config) = (MutableProperty(0), MutableProperty(0), MutableProperty(7))
        let (inClosure, goOn) = (Latch("the computation"), Latch("to go on"))
        let slow = second.map { value in
            if value == 1 {
                inClosure.open()
                goOn.wait()
            }
            return value
        }
        let log = slow.signal.logged()
        let (withConfig, withSlow) = (first.combineLatest(with: config), first.combineLatest(with: slow))
        let withBoth = Property.combineLatest(first, second, slow)
        let setter = TestThread("computes") { second.value = 1 }
        inClosure.wait()
        let other = TestThread("sets and reads") {
            first.value = 1
            #expect(withConfig.value == (1, 7))
            #expect(withSlow.value == (1, 0))
            #expect(withBoth.value == (1, 0, 0))
            config.value = 8
            #expect(withConfig.value == (1, 8))
        }
        other.join()
        expect(log.all, is: [])
        goOn.open()
        setter.join()
        expect(log.all, is: ["1"])
        #expect(withSlow.value == (1, 1))
        #expect(withBoth.value == (1, 1, 1))
    }

    @Test("a combination can be observed, and an input set, without waiting for the computation of another input")
    func observedBesideComputation() {
        let (first, second) = (MutableProperty(0), MutableProperty(0))
        let (inClosure, goOn) = (Latch("the computation"), Latch("to go on"))
        let slow = second.map { value in
            if value == 1 {
                inClosure.open()
                goOn.wait()
            }
            return value
        }
        let ofSlow = slow.signal.logged()
        let setter = TestThread("computes") { second.value = 1 }
        inClosure.wait()
        let log = Log<String>()
        let other = TestThread("observes and sets") {
            Property.combineLatest(first, second, slow).producer.startWithNext { log.append("\($0)") }
            first.value = 1
        }
        other.join()
        expect(log.all, is: ["(0, 0, 0)", "(1, 0, 0)"])
        goOn.open()
        setter.join()
        expect(log.all, is: ["(0, 0, 0)", "(1, 0, 0)", "(1, 1, 1)"])
        expect(ofSlow.all, is: ["1"])
        first.value = 2
        expect(log.all.last, is: "(2, 1, 1)")
    }

    @Test(
        "a combination of any number of properties can be observed without waiting for another thread's closure",
        arguments: [1, 4, 5, 50], [false, true])
    func observedBesideClosure(count: Int, isBody: Bool) {
        let roots = (0..<count).map { MutableProperty($0) }
        let (inClosure, goOn) = (Latch("the closure"), Latch("to go on"))
        let slow = roots[0].map { value in
            if value == 1, !isBody {
                inClosure.open()
                goOn.wait()
            }
            return value
        }
        let observation = slow.signal.observeNext { _ in }
        let all = Property<Int>.combineLatest(roots.map { root in root.map { $0 } })
        let setter = TestThread("is in the closure") {
            roots[0].modify { value in
                value = 1
                guard isBody else { return }
                inClosure.open()
                goOn.wait()
            }
        }
        inClosure.wait()
        // Would not return if it waited.
        let log = all.logged()
        goOn.open()
        setter.join()
        let others = Array(1..<count)
        expect(log.all, is: ["\([0] + others)", "\([1] + others)"])
        observation?.dispose()
    }

    @Test("a set is overtaken only a few times by a thread that sets all the time")
    func besideContinuousSets() {
        let (busy, other) = (MutableProperty(0), MutableProperty(0))
        let (isOver, turns, work) = (OnceFlag(), Counter(), Counter())
        // Takes longer than to wake a thread.
        let sum = busy.combineLatest(with: other).map { pair in
            for _ in 0..<20_000 { work.increment() }
            return pair.0 + pair.1
        }
        sum.signal.observeNext { _ in }
        let setter = TestThread("sets all the time") {
            while !isOver.isRaised {
                busy.value += 1
                turns.increment()
            }
        }
        #expect(becomesTrue { turns.value > 0 })
        var overtaken: [Int] = []
        for number in 1...20 {
            let before = turns.value
            other.value = number
            overtaken.append(turns.value - before)
        }
        isOver.raise()
        setter.join()
        // The system can suspend this thread before it sets, so most counts may be too high. If the other thread could
        // overtake it for ever, all would be.
        #expect(overtaken.sorted()[3] <= 20, "\(overtaken)")
        expect(sum.value, is: busy.value + 20)
    }
}
