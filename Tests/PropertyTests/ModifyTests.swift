import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// What happens around the body of a `modify` while it runs.
@Suite("In the body of modify", .watched)
struct ModifyTests {
    @Test("a property can be derived from another one of the graph, and that be set")
    func derivesAndSets() {
        let (first, second) = (MutableProperty(0), MutableProperty(0))
        let both = first.combineLatest(with: second)
        let made = Locked<Property<Int>?>(nil)
        first.modify { value in
            let property = second.map { $0 }
            made.withLock { $0 = property }
            second.value = 1
            value = 1
        }
        #expect(both.value == (1, 1))
        expect(made.withLock { $0 }?.value, is: 1)
    }

    @Test(
        "nobody else comes in between, also where the body joins the graph to a larger one", arguments: [true, false])
    func joins(isBound: Bool) {
        let (first, second, other) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
        let both = first.combineLatest(with: second)
        let others = (0..<5).map { number in other.map { $0 + number } }
        let begun = Latch("the thread")
        let made = Locked<Property<(Int, Int)>?>(nil)
        let thread = Locked<TestThread?>(nil)
        first.modify { value in
            if isBound {
                second <~> other
            } else {
                let property = both.map { $0.0 }.combineLatest(with: other)
                made.withLock { $0 = property }
                other.value = 1
            }
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
        withExtendedLifetime((others, made)) {}
    }

    @Test("what others set meanwhile comes after it, where they do not wait", arguments: [true, false])
    func enqueues(isDerivedFrom: Bool) {
        let property = MutableProperty(5, contention: .enqueue)
        let derived = isDerivedFrom ? property.map { $0 } : nil
        let log = property.signal.logged()
        property.modify { value in
            TestThread("sets") { property.value = 100 }.join()
            value += 1
        }
        expect(property.value, is: 100)
        expect(log.all, is: ["6", "100"])
        #expect(derived.map { $0.value == 100 } ?? true)
    }

    @Test("of another property of the graph, what others could not wait to set is what is changed next")
    func modifiesWhatIsAhead() {
        let (first, second) = (MutableProperty(0), MutableProperty(5, contention: .enqueue))
        let both = first.combineLatest(with: second)
        let log = second.signal.logged()
        first.modify { value in
            TestThread("sets") { second.value = 7 }.join()
            second.modify { $0 += 1 }
            value = 1
        }
        expect(log.all, is: ["7", "8"])
        #expect(both.value == (1, 8))
    }

    @Test("of another property of the graph, what others could not wait to set is told before the property ends")
    func endsWithWhatIsAhead() {
        let (first, second) = (MutableProperty(0), Owner(5, contention: .enqueue))
        let both = first.combineLatest(with: second.property)
        let log = second.property.signal.logged()
        first.modify { _ in
            TestThread("sets") { second.property.value = 7 }.join()
            second.release()
            expect(log.all, is: [])
        }
        expect(log.all, is: ["7", "completed"])
        #expect(both.value == (0, 7))
    }

    @Test("that runs while another thread derives, is waited for, and its changes are seen only when it is over")
    func derivedMeanwhile() {
        let property = MutableProperty(1)
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
        let seen = Log<Int>()
        let derived = Locked<Property<Int>?>(nil)
        let deriver = TestThread("derives") {
            let property = property.map { value in
                seen.append(value)
                return value
            }
            derived.withLock { $0 = property }
        }
        deriver.waitUntilAsleep()
        goOn.open()
        thread.join()
        deriver.join()
        expect(seen.all, is: [2])
        expect(derived.withLock { $0 }?.value, is: 2)
    }

    @Test("that begins while another thread derives, is waited for")
    func beginsWhileDeriving() {
        let property = MutableProperty(1)
        let (inBody, goOn) = (Latch("the body"), Latch("to go on"))
        let (modifier, isFirst) = (Locked<TestThread?>(nil), Counter())
        let derived = Locked<Property<Int>?>(nil)
        let deriver = TestThread("derives") {
            let property = property.map { value in
                if isFirst.increment() == 1 {
                    let thread = TestThread("modifies") {
                        property.modify { value in
                            inBody.open()
                            goOn.wait()
                            value = 2
                        }
                    }
                    modifier.withLock { $0 = thread }
                    inBody.wait()
                }
                return value
            }
            derived.withLock { $0 = property }
        }
        inBody.wait()
        deriver.waitUntilAsleep()
        goOn.open()
        modifier.withLock { $0 }?.join()
        deriver.join()
        expect(derived.withLock { $0 }?.value, is: 2)
        property.value = 3
        expect(derived.withLock { $0 }?.value, is: 3)
    }

    @Test("a swap waits for it, since it returns what that makes", arguments: [true, false])
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

    @Test("setting what is bound to the property both ways traps")
    func twins() async throws {
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

    @Test("proposing to a validating property around it traps")
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
