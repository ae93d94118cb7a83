import HotSignals
import ReactiveSignals
import TestSupport
import Testing

private let refusal =
    "a property was set in a closure that computes another one"

@Suite("A two-way binding", .watched)
struct TwoWayBindingTests {
    @Test("begins with the right side's value, which only the left side sends as an event")
    func rightSideLeads() {
        let (left, right) = (MutableProperty("left"), MutableProperty("right"))
        let (ofLeft, ofRight) = (left.signal.logged(), right.signal.logged())
        left <~> right
        expect(left.value, is: "right")
        expect(right.value, is: "right")
        expect(ofLeft.all, is: ["right"])
        expect(ofRight.all, is: [])
    }

    @Test("mirrors each set on either side once")
    func mirrors() {
        let (left, right) = (MutableProperty(0), MutableProperty(0))
        left <~> right
        let (ofLeft, ofRight) = (left.signal.logged(), right.signal.logged())
        left.value = 1
        expect(right.value, is: 1)
        right.modify { $0 += 1 }
        expect(left.value, is: 2)
        expect(left.swap(3), is: 2)
        right.value = 3
        expect(ofLeft.all, is: ["1", "2", "3", "3"])
        expect(ofRight.all, is: ["1", "2", "3", "3"])
    }

    @Test("changes both sides at the same moment")
    func together() {
        let (left, right) = (MutableProperty(0), MutableProperty(0))
        left <~> right
        let pairs = Log<String>()
        left.combineLatest(with: right).producer.startWithNext { pairs.append("\($0) \($1)") }
        let observers = [
            left.signal.observeNext { value in expect(right.value, is: value) },
            right.signal.observeNext { value in expect(left.value, is: value) },
        ]
        left.value = 1
        right.value = 2
        expect(pairs.all, is: ["0 0", "1 1", "2 2"])
        for observer in observers { observer?.dispose() }
    }

    @Test("keeps all connected properties equal, in cycles as well")
    func connected() {
        let properties = (0..<5).map { MutableProperty($0) }
        for index in 0..<5 { properties[index] <~> properties[(index + 1) % 5] }
        expect(properties.map(\.value), is: [4, 4, 4, 4, 4])
        let counts = properties.map { property in
            let counter = Counter()
            property.signal.observeNext { _ in counter.increment() }
            return counter
        }
        properties[3].value = 7
        expect(properties.map(\.value), is: [7, 7, 7, 7, 7])
        expect(counts.map(\.value), is: [1, 1, 1, 1, 1])
    }

    @Test("of a property with itself, or made twice, has no further effect")
    func odd() {
        let (left, right) = (MutableProperty(0), MutableProperty(0))
        left <~> left
        let first = left <~> right
        let second = left <~> right
        let log = right.signal.logged()
        left.value = 1
        expect(log.all, is: ["1"])
        first.dispose()
        left.value = 2
        expect(right.value, is: 2)
        second.dispose()
        left.value = 3
        expect(right.value, is: 2)
    }

    @Test("of a property with itself does not retain the property")
    func itself() {
        let population = Population()
        do {
            let property = MutableProperty(population.member())
            property <~> property
            property.value = population.member()
            expect(population.alive, is: 1)
        }
        expect(population.alive, is: 0)
    }

    @Test("delivers re-entrant sets in the same order to the observers of both sides")
    func nested() {
        let (left, right) = (MutableProperty(0), MutableProperty(0))
        left <~> right
        let logs = [left.signal.logged(), right.signal.logged()]
        let observers = [
            left.signal.observeNext { value in if value == 1 { right.value = 2 } },
            right.signal.observeNext { value in if value == 2 { left.value = 3 } },
        ]
        let late = [left.signal.logged(), right.signal.logged()]
        left.value = 1
        for log in logs + late { expect(log.all, is: ["1", "2", "3"]) }
        expect(left.value, is: 3)
        expect(right.value, is: 3)
        for observer in observers { observer?.dispose() }
    }

    @Test("traps when it is set in a closure that computes a property combined with the other side")
    func concernsWhatIsComputed() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (left, right) = (MutableProperty(0), MutableProperty(0))
            let source = MutableProperty(0)
            left <~> right
            let both = source.combineLatest(with: right)
            both.signal.observeNext { _ in }
            let derived = source.map { value in
                left.value = value * 10
                return value
            }
            derived.signal.observeNext { _ in }
            source.value = 4
        }
        #expect(result.message.contains(refusal))
    }

    @Test(
        "connects many properties to one, and separates them all when it ends", .notUnderThreadSanitizer,
        arguments: [true, false])
    func hub(isLeft: Bool) {
        let count = thorough(1_000)
        let middle = count / 2
        let hub = MutableProperty(-1)
        let properties = (0..<count).map { MutableProperty($0) }
        let bindings = properties.map { isLeft ? (hub <~> $0) : ($0 <~> hub) }
        let value = isLeft ? count - 1 : -1
        #expect(hub.value == value && properties.allSatisfy { $0.value == value })
        let log = properties[middle].signal.logged()
        for (number, setter) in [hub, properties[0], properties[middle], properties[count - 1]].enumerated() {
            setter.value = 2_000 + number
            #expect(hub.value == 2_000 + number && properties.allSatisfy { $0.value == 2_000 + number })
        }
        expect(log.all, is: ["2000", "2001", "2002", "2003"])
        for binding in bindings { binding.dispose() }
        for (number, property) in properties.enumerated() { property.value = number }
        expect(hub.value, is: 2_003)
        #expect(properties.map(\.value) == Array(0..<count))
        hub.value = 0
        #expect(properties.map(\.value) == Array(0..<count))
        expect(log.all, is: ["2000", "2001", "2002", "2003", "\(middle)"])
    }

    @Test("separates the two groups when it ends, so that neither waits for the other")
    func parts() {
        let properties = (0..<4).map { _ in MutableProperty(0) }
        let bindings = (0..<3).map { properties[$0] <~> properties[$0 + 1] }
        bindings[1].dispose()
        let (inClosure, goOn) = (Latch("the computation"), Latch("to go on"))
        let slow = properties[0].map { value in
            if value == 1 {
                inClosure.open()
                goOn.wait()
            }
            return value
        }
        let log = slow.signal.logged()
        let setter = TestThread("computes") { properties[1].value = 1 }
        inClosure.wait()
        let other = TestThread("sets") { properties[2].value = 2 }
        other.join()
        expect(properties.map(\.value), is: [0, 0, 2, 2])
        goOn.open()
        setter.join()
        expect(properties.map(\.value), is: [1, 1, 2, 2])
        expect(log.all, is: ["1"])
        properties[1] <~> properties[2]
        expect(properties.map(\.value), is: [2, 2, 2, 2])
    }

    @Test("ends with its disposable")
    func disposal() {
        let (left, right) = (MutableProperty(0), MutableProperty(0))
        let binding = left <~> right
        binding.dispose()
        #expect(binding.isDisposed)
        left.value = 1
        expect(right.value, is: 0)
        right.value = 2
        expect(left.value, is: 1)
    }

    @Test("ends with either side, and retains neither", arguments: [true, false])
    func release(leftFirst: Bool) {
        let population = Population()
        var left: MutableProperty<Population.Member?>? = MutableProperty(population.member())
        var right: MutableProperty<Population.Member?>? = MutableProperty(population.member())
        let binding = left! <~> right!
        expect(population.alive, is: 1)
        let completions = [left!.signal.logged(), right!.signal.logged()]
        if leftFirst { left = nil } else { right = nil }
        expect(completions[leftFirst ? 0 : 1].all.last, is: "completed")
        #expect(completions[leftFirst ? 1 : 0].all.last != "completed")
        (left ?? right)?.value = nil
        left = nil
        right = nil
        expect(population.alive, is: 0)
        withExtendedLifetime(binding) {}
    }

    @Test("keeps both sides equal while threads set both and change their bindings", arguments: 0..<10)
    func threads(_ round: Int) {
        let (left, right) = (MutableProperty(0), MutableProperty(0))
        left <~> right
        let mixtures = Counter()
        let pair = left.combineLatest(with: right)
        pair.signal.observeNext { if $0 != $1 { mixtures.increment() } }
        let (ofLeft, ofRight) = (left.signal.logged(), right.signal.logged())
        onThreads(4, "two-way") { thread in
            for index in 0..<250 {
                if thread == 3 {
                    (left <~> right).dispose()
                } else if index.isMultiple(of: 2) {
                    left.modify { $0 += 1 }
                } else {
                    right.modify { $0 += 1 }
                }
            }
        }
        expect(left.value, is: 750)
        expect(right.value, is: 750)
        expect(mixtures.value, is: 0)
        for log in [ofLeft, ofRight] { #expect(log.all == (1...750).map(String.init)) }
        #expect(pair.value == (750, 750))
    }

    @Test("leaks nothing when its sides end on other threads", arguments: 0..<50)
    func races(_ round: Int) {
        let population = Population()
        do {
            let left = Locked<MutableProperty<Population.Member?>?>(MutableProperty(population.member()))
            let right = Locked<MutableProperty<Population.Member?>?>(MutableProperty(population.member()))
            onThreads(4, "ends") { thread in
                let (first, second) = thread.isMultiple(of: 2) ? (left, right) : (right, left)
                for index in 0..<20 {
                    let pair = (first.withLock { $0 }, second.withLock { $0 })
                    guard let one = pair.0, let other = pair.1 else { return }
                    let binding = one <~> other
                    one.value = population.member()
                    if thread == 0 { binding.dispose() }
                    if index == 15 {
                        let released = first.withLock { property in
                            defer { property = nil }
                            return property
                        }
                        withExtendedLifetime(released) {}
                    }
                }
            }
        }
        #expect(becomesTrue { population.alive == 0 })
    }
}
