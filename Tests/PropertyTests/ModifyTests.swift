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
        #expect(made.withLock { $0 }?.value == 1)
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
        #expect(first.value == 101)
        #expect(both.value.0 == 101)
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
        #expect(property.value == 100)
        #expect(log.all == ["6", "100"])
        #expect(derived.map { $0.value == 100 } ?? true)
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
        #expect(swapped.withLock { $0 } == 6)
        #expect(property.value == 0)
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
