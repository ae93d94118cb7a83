import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Concurrent access while the body of a `modify` runs.
@Suite("The body of modify", .watched)
struct ModifyTests {
    private static let refusal = "a property was set in the body of modify, withValue or transaction of another one"

    @Test("traps when it sets another property, however that is set", arguments: [false, true], 0..<5)
    func sets(isInspection: Bool, way: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isInspection, way] in
            let (first, second) = (MutableProperty(0).named("first"), MutableProperty(0).named("second"))
            let set = {
                switch way {
                case 0: second.value = 1
                case 1: second.swap(1)
                case 2: second.modify { $0 = 1 }
                case 3: second <~> MutableProperty(1)
                default: second <~ MutableProperty(1)
                }
            }
            if isInspection { first.withValue { _ in set() } } else { first.modify { _ in set() } }
        }
        let names = "second (PropertyTests/ModifyTests.swift:"
        let message = result.message
        #expect(message.contains("\(Self.refusal): \(names)"), "\(message)")
        #expect(message.contains(", in first (PropertyTests/ModifyTests.swift:"), "\(message)")
    }

    @Test("traps when it proposes to a validating property")
    func proposes() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let first = MutableProperty(0)
            let validating = ValidatingProperty<Int, TestError>(0) { _ in .valid }
            first.modify { _ in validating.value = 5 }
        }
        #expect(result.message.contains(Self.refusal), "\(result.message)")
    }

    @Test("can derive from another property")
    func derivesFromOther() {
        let (first, second) = (MutableProperty(0), MutableProperty(1))
        let made = Locked<Property<Int>?>(nil)
        first.modify { value in
            let property = second.map { $0 }
            made.withLock { $0 = property }
            value = property.value
        }
        expect(first.value, is: 1)
        expect(made.withLock { $0 }?.value, is: 1)
    }

    @Test("can make a property that follows a stream, and one that follows other properties")
    func follows() {
        let (first, second) = (MutableProperty(0), MutableProperty(1))
        first.modify { value in
            let latest = Property(initial: 0, then: SignalProducer([1, 2]))
            let flat = second.flatMap(.latest) { MutableProperty($0 + 10) }
            value = latest.value + flat.value
        }
        expect(first.value, is: 13)
    }

    @Test("can inspect another property")
    func inspects() {
        let (first, second) = (MutableProperty(0), MutableProperty(1))
        first.modify { value in value = second.withValue { $0 } }
        expect(first.value, is: 1)
    }

    @Test("excludes other changes, whatever it derives")
    func derives() {
        let (first, second, other) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
        let both = first.combineLatest(with: second)
        let log = both.signal.map { "\($0)" }.logged()
        let begun = Latch("the thread")
        let made = Locked<Property<(Int, Int)>?>(nil)
        let thread = Locked<TestThread?>(nil)
        first.modify { value in
            let property = both.map { $0.0 }.combineLatest(with: other)
            made.withLock { $0 = property }
            let setter = TestThread("sets") {
                begun.open()
                first.modify { $0 += 100 }
            }
            thread.withLock { $0 = setter }
            begun.wait()
            value += 1
        }
        thread.withLock { $0 }?.join()
        expect(first.value, is: 101)
        expect(both.value.0, is: 101)
        expect(log.all, is: ["(1, 0)", "(101, 0)"])
        if let made = made.withLock({ $0 }) { #expect(made.value == (101, 0)) }
    }

    @Test("is followed by a concurrent set, which waits under .enqueue, too", arguments: [true, false])
    func enqueues(isDerivedFrom: Bool) {
        let property = MutableProperty(5, contention: .enqueue)
        let derived = isDerivedFrom ? property.map { $0 } : nil
        let log = property.signal.logged()
        let thread = Locked<TestThread?>(nil)
        property.modify { value in
            let setter = TestThread("sets") { property.value = 100 }
            setter.waitUntilAsleep()
            thread.withLock { $0 = setter }
            value += 1
        }
        thread.withLock { $0 }?.join()
        expect(property.value, is: 100)
        expect(log.all, is: ["6", "100"])
        #expect(derived.map { $0.value == 100 } ?? true)
    }

    @Test("ends after it if the property is released meanwhile")
    func endsAfterwards() {
        let owner = Owner(0, contention: .enqueue)
        let (inBody, goOn) = (Latch("the body"), Latch("to go on"))
        let log = owner.property.signal.logged()
        let modifier = TestThread("modifies") {
            owner.property.modify { value in
                inBody.open()
                goOn.wait()
                value = 1
            }
        }
        inBody.wait()
        owner.release()
        expect(log.all, is: [])
        goOn.open()
        modifier.join()
        waitUntilDrained()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("lets a property that is derived from two end if one of them is released while the other one is in it")
    func endsBesideBody() {
        let (owner, other) = (Owner(0), MutableProperty(0))
        let (inClosure, goOn) = (Latch("the computation"), Latch("to go on"))
        let both = owner.property.combineLatest(with: other).map { pair in
            if pair.1 == 1 {
                inClosure.open()
                goOn.wait()
            }
            return pair.0 + pair.1
        }
        let logs = [owner.property.signal.logged(), both.signal.logged()]
        let setter = TestThread("computes") { other.value = 1 }
        inClosure.wait()
        // Does not wait for the computation.
        owner.release()
        goOn.open()
        setter.join()
        // The end had to wait.
        waitUntilDrained()
        expect(logs.map(\.all), is: [["completed"], ["1"]])
        other.value = 2
        expect(logs[1].all, is: ["1", "2"])
    }

    // MARK: On a copy

    @Test("while it changes a copy, readers get the previous value without waiting")
    func formerValue() {
        let property = MutableProperty(1)
        let (derived, other) = (property.map { $0 * 10 }, MutableProperty(0))
        let both = derived.combineLatest(with: other)
        let (inBody, goOn) = (Latch("the body"), Latch("to go on"))
        let thread = TestThread("modifies") {
            property.modify { value in
                value = 99
                inBody.open()
                goOn.wait()
                value = 2
            }
        }
        inBody.wait()
        let seen = property.logged()
        #expect((property.value, derived.value) == (1, 10))
        #expect(both.value == (10, 0))
        other.value = 1
        #expect(both.value == (10, 1))
        expect(property.map { $0 + 1 }.value, is: 2)
        goOn.open()
        thread.join()
        #expect((property.value, derived.value) == (2, 20))
        #expect(both.value == (20, 1))
        expect(seen.all, is: ["1", "2"])
    }

    @Test("while it changes an array with an observed derived property, readers get the previous value")
    func formerArray() {
        let property = MutableProperty([1])
        let log = property.map(\.count).signal.logged()
        let (inBody, goOn) = (Latch("the body"), Latch("to go on"))
        let thread = TestThread("modifies") {
            property.modify { value in
                value.append(2)
                inBody.open()
                goOn.wait()
            }
        }
        inBody.wait()
        expect(property.value, is: [1])
        expect(property.map(\.count).value, is: 1)
        goOn.open()
        thread.join()
        expect(property.value, is: [1, 2])
        expect(log.all, is: ["2"])
    }

    // MARK: In place

    // While another thread of the process changes a value in place, modify changes a copy. These tests are therefore
    // repeated until a change in place succeeds.

    @Test("changes a large array in place")
    func inPlace() {
        let property = MutableProperty(Array(0..<1_000))
        let isInPlace = becomesTrue {
            let before = property.withValue { $0.address }
            property.modify { $0[0] += 1 }
            return property.withValue { $0.address } == before
        }
        #expect(isInPlace)
    }

    @Test("wakes the readers that wait before what it has left follows")
    func wakesFirst() {
        let isInPlace = becomesTrue {
            let (property, owner) = (MutableProperty([1]), Owner(0))
            let reader = Locked<TestThread?>(nil)
            owner.property.signal.observeCompleted { reader.withLock { $0 }?.join() }
            let body = Body(in: property, first: 99, last: 2, leave: { owner.release() })
            guard body.isInPlace else {
                body.end()
                return false
            }
            let thread = TestThread("reads") { _ = property.value }
            thread.waitUntilAsleep()
            reader.withLock { $0 = thread }
            body.end()
            return true
        }
        #expect(isInPlace)
    }

    @Test("while it changes the value in place, readers wait, and see only the final value")
    func waitedFor() {
        let isInPlace = becomesTrue {
            let property = MutableProperty([1])
            let (derived, other) = (property.map { $0 + [0] }, MutableProperty(0))
            let both = derived.combineLatest(with: other)
            let seen = Log<[Int]>()
            let body = Body(in: property, first: 99, last: 2)
            guard body.isInPlace else {
                body.end()
                return false
            }
            let readers: [@Sendable () -> Void] = [
                { seen.append(property.value) },
                { seen.append(derived.value.dropLast()) },
                { seen.append(both.value.0.dropLast()) },
                { seen.append(property.map { $0 }.value) },
                { property.producer.take(first: 1).startWithNext { seen.append($0) } },
                { seen.append(property.withValue { $0 }) },
            ]
            let threads = readers.map { TestThread("reads", $0) }
            for thread in threads { thread.waitUntilAsleep() }
            expect(seen.all, is: [])
            other.value = 1
            body.end()
            for thread in threads { thread.join() }
            expect(seen.all, is: Array(repeating: [2], count: readers.count))
            #expect(both.value == ([2, 0], 1))
            return true
        }
        #expect(isInPlace)
    }

    @Test("while it changes the value in place, starts of derived properties wait, computed before or not")
    func waitedForByObservers() {
        let isInPlace = becomesTrue {
            let property = MutableProperty([1])
            let derived = [property.map { $0 + [0] }, property.map { $0 + [0] }]
            expect(derived[0].value, is: [1, 0])
            let seen = Log<[Int]>()
            let body = Body(in: property, first: 99, last: 2)
            guard body.isInPlace else {
                body.end()
                return false
            }
            let threads = derived.map { derived in
                TestThread("observes") { derived.producer.startWithNext { seen.append($0) } }
            }
            for thread in threads { thread.waitUntilAsleep() }
            expect(seen.all, is: [])
            body.end()
            for thread in threads { thread.join() }
            expect(seen.all, is: [[2, 0], [2, 0]])
            property.value = [3]
            expect(seen.all.dropFirst(2), is: [[3, 0], [3, 0]])
            return true
        }
        #expect(isInPlace)
    }

    @Test("while it changes the value in place, a swap and a set wait for it")
    func swappedAfter() {
        let isInPlace = becomesTrue {
            let property = MutableProperty([1])
            let log = property.signal.logged()
            let body = Body(in: property, first: 99, last: 2)
            guard body.isInPlace else {
                body.end()
                return false
            }
            let swapped = Log<[Int]>()
            let thread = TestThread("swaps") {
                swapped.append(property.swap([3]))
                property.value = [4]
            }
            thread.waitUntilAsleep()
            body.end()
            thread.join()
            expect(swapped.all, is: [[2]])
            expect(log.all, is: ["[2]", "[3]", "[4]"])
            return true
        }
        #expect(isInPlace)
    }

    @Test("while it changes the value in place, a computation that already has the value does not wait")
    func beginsWhileDeriving() {
        let property = MutableProperty([1])
        let (inClosure, goOn) = (Latch("the computation"), Latch("to go on"))
        let isFirst = OnceFlag()
        let derived = property.map { value in
            if isFirst.raise() {
                inClosure.open()
                goOn.wait()
            }
            return value
        }
        let seen = Log<[Int]>()
        let reader = TestThread("reads") { seen.append(derived.value) }
        inClosure.wait()
        let body = Body(in: property, first: 99, last: 2)
        goOn.open()
        reader.join()
        expect(seen.all, is: [[1]])
        body.end()
        expect(derived.value, is: [2])
        property.value = [3]
        expect(derived.value, is: [3])
    }

    @Test("readers wait for one body at most, even if another one follows")
    func backToBack() {
        let property = MutableProperty([0])
        let rounds = 50
        var inPlaceRounds = 0
        let (bodies, seen) = (Counter(), Log<Int>())
        for round in 0..<rounds {
            let before = property.withValue { $0.address }
            let reader = Locked<TestThread?>(nil)
            let isInPlace = Locked(false)
            property.modify { value in
                value[0] = bodies.increment()
                guard value.address == before else { return }
                isInPlace.withLock { $0 = true }
                let thread = TestThread("reads") { seen.append(property.value[0]) }
                #expect(becomesTrue { property.root.waitingReaders == 1 })
                thread.waitUntilAsleep()
                reader.withLock { $0 = thread }
            }
            // Runs immediately, before the reader can have woken. The reader gets its value although this body has
            // not ended.
            property.modify { value in
                value[0] = bodies.increment()
                reader.withLock { $0 }?.join()
            }
            guard isInPlace.withLock({ $0 }) else { continue }
            inPlaceRounds += 1
            expect(seen.all.last, is: round * 2 + 1)
        }
        expect(bodies.value, is: rounds * 2)
        expect(seen.count, is: inPlaceRounds)
    }

    @Test("readers make progress while a thread modifies continuously")
    func withoutPause() {
        let property = MutableProperty(Array(repeating: 0, count: 100))
        let (isOver, bodies) = (OnceFlag(), Counter())
        let derived = property.map { $0 }
        let modifier = TestThread("modifies") {
            while !isOver.isRaised {
                bodies.increment()
                property.modify { values in for place in values.indices { values[place] += 1 } }
            }
        }
        #expect(becomesTrue { bodies.value > 0 })
        var last = 0
        for number in 0..<2 * raceRounds {
            let values = number.isMultiple(of: 2) ? property.value : derived.value
            if Set(values).count != 1 || values[0] < last { Issue.record("a mixture, or backwards: \(values)") }
            last = values[0]
        }
        isOver.raise()
        modifier.join()
        expect(property.value[0], is: bodies.value)
        expect(derived.value[0], is: bodies.value)
    }

    @Test("two threads can read each other's property in their bodies", arguments: 0..<20)
    func readEachOther(_ round: Int) {
        let (first, second) = (MutableProperty([1]), MutableProperty([2]))
        let (inFirst, inSecond) = (Latch("the first body"), Latch("the second body"))
        let thread = TestThread("second") {
            second.modify { value in
                value.append(0)
                inSecond.open()
                inFirst.wait()
                value = first.value
            }
        }
        first.modify { value in
            value.append(0)
            inFirst.open()
            inSecond.wait()
            value = second.value
        }
        thread.join()
        // One reads the previous value, and the other one reads the previous value or the result of the first.
        let values = [first.value, second.value]
        #expect([[[2], [2]], [[1], [1]], [[2], [1]]].contains(values), "\(values)")
    }

    @Test("many threads can read each other's properties, and derived ones, in their bodies")
    func readAround() {
        let properties = (0..<4).map { _ in MutableProperty([0]) }
        let sums = (0..<4).map { number in
            properties[number].combineLatest(with: properties[(number + 1) % 4]).map { $0.0[0] + $0.1[0] }
        }
        onThreads(4, "bodies") { thread in
            for _ in 0..<raceRounds {
                properties[thread].modify { value in
                    value[0] += 1
                    let (one, other) = ((thread + 1) % 4, (thread + 2) % 4)
                    let before = properties[one].value[0] + properties[other].value[0]
                    let sum = sums[one].value
                    if sum < before { Issue.record("\(sum) after \(before)") }
                }
            }
        }
        expect(properties.map(\.value), is: Array(repeating: [raceRounds], count: 4))
        expect(sums.map(\.value), is: Array(repeating: 2 * raceRounds, count: 4))
    }

    @Test("a swap waits for it, as it returns the result", arguments: [true, false])
    func swaps(isDerivedFrom: Bool) {
        let property = MutableProperty(5, contention: .enqueue)
        let derived = isDerivedFrom ? property.map { $0 } : nil
        let begun = Latch("the thread")
        let swapped = Locked<Int?>(nil)
        let thread = Locked<TestThread?>(nil)
        property.modify { value in
            let swapper = TestThread("swaps") {
                begun.open()
                let former = property.swap(0)
                swapped.withLock { $0 = former }
            }
            thread.withLock { $0 = swapper }
            begun.wait()
            value += 1
        }
        thread.withLock { $0 }?.join()
        expect(swapped.withLock { $0 }, is: 6)
        expect(property.value, is: 0)
        withExtendedLifetime(derived) {}
    }

    @Test("traps when it sets a property that is bound to its own in both directions")
    func linked() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (left, right) = (MutableProperty(0), MutableProperty(0))
            left <~> right
            left.modify { value in
                right.value = 5
                value += 1
            }
        }
        #expect(result.message.contains("a property must not be used in the body of its own modify or withValue"))
    }

    @Test("traps when it proposes to a validating property around its own")
    func proposal() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let inner = MutableProperty(0)
            let validating = ValidatingProperty<Int, TestError>(inner) { _ in .valid }
            inner.modify { value in
                validating.value = 5
                value += 1
            }
        }
        #expect(result.message.contains("a property must not be used in the body of its own modify or withValue"))
    }
}

extension Array {
    /// The address of the elements.
    fileprivate var address: Int { withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } }
}

/// A body of modify on a separate thread, which runs until the test ends it.
private final class Body: Sendable {
    /// Whether it changes the value in place.
    let isInPlace: Bool
    private let goOn = Latch("to go on")
    private let thread: TestThread

    /// - Parameter leave: Called in the body.
    init(
        in property: MutableProperty<[Int]>, first: Int, last: Int, leave: @escaping @Sendable () -> Void = {}
    ) {
        let before = property.withValue { $0.address }
        let (inBody, isInPlace) = (Latch("the body"), Locked(false))
        thread = TestThread("modifies") { [goOn] in
            property.modify { value in
                value[0] = first
                let address = value.address
                isInPlace.withLock { $0 = address == before }
                leave()
                inBody.open()
                goOn.wait()
                value[0] = last
            }
        }
        inBody.wait()
        self.isInPlace = isInPlace.withLock { $0 }
    }

    func end() {
        goOn.open()
        thread.join()
    }
}
