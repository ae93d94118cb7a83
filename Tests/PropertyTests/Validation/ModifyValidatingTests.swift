import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Even numbers are valid, odd ones up to 100 are rounded up, others are invalid.
private func even(_ value: Int) -> ValidatingProperty<Int, TestError>.Decision {
    if value.isMultiple(of: 2) { return .valid }
    return value < 100 ? .coerced(value + 1, .first) : .invalid(.second)
}

/// Code that does not know whether a property validates.
private func add<P: MutablePropertyProtocol<Int>>(_ number: Int, to property: P) -> Int {
    property.modify { value in
        value += number
        return value
    }
}

@Suite("modify, swap and withValue of settable properties", .watched)
struct ModifyValidatingTests {
    typealias Numbers = ValidatingProperty<Int, TestError>

    /// A property with a value of its own, and one that wraps another.
    private func property(
        isWrapping: Bool, _ initial: Int = 0,
        _ validator: @escaping @Sendable (Int) -> Numbers.Decision = even
    ) -> Numbers {
        isWrapping ? Numbers(MutableProperty(initial), validator) : Numbers(initial, validator)
    }

    @Test("generic code changes any of them", arguments: [false, true])
    func generic(isWrapping: Bool) {
        let properties: [any MutablePropertyProtocol<Int>] = [MutableProperty(2), property(isWrapping: isWrapping, 2)]
        for property in properties {
            expect(add(2, to: property), is: 4)
            expect(property.value, is: 4)
            expect(property.swap(6), is: 4)
            expect(property.withValue { $0 * 10 }, is: 60)
            property.value = 8
            let target = property.bindingTarget
            target <~ SignalProducer(value: 10)
            expect(property.value, is: 10)
        }
    }

    @Test("proposes what the body makes of the accepted value, once", arguments: [false, true])
    func proposals(isWrapping: Bool) {
        let property = property(isWrapping: isWrapping)
        let log = Log<String>()
        property.result.signal.observeNext { log.append("\($0)") }
        property.signal.observeNext { log.append("value \($0)") }
        property.modify { value in
            value += 1
            value += 1
        }
        property.modify { $0 += 1 }
        property.modify { $0 += 101 }
        expect(property.value, is: 4)
        // The body sees the accepted value, not the proposal that was refused.
        expect(property.swap(6), is: 4)
        expect(property.swap(201), is: 6)
        expect(property.swap(202), is: 6)
        typealias Result = Numbers.Result
        expect(
            log.all,
            is: [
                "\(Result.valid(2))", "value 2", "\(Result.coerced(4, proposed: 3, .first))", "value 4",
                "\(Result.invalid(105, .second))", "\(Result.valid(6))", "value 6", "\(Result.invalid(201, .second))",
                "\(Result.valid(202))", "value 202",
            ])
    }

    @Test("proposes the value of a body that throws, and throws the error", arguments: [false, true])
    func throwing(isWrapping: Bool) {
        let property = property(isWrapping: isWrapping)
        #expect(throws: TestError.second) {
            try property.modify { value throws(TestError) in
                value = 8
                throw TestError.second
            }
        }
        expect(property.value, is: 8)
        #expect(throws: TestError.first) {
            try property.withValue { value throws(TestError) in
                expect(value, is: 8)
                throw TestError.first
            }
        }
    }

    @Test("other properties, and properties derived from others, can be read in the body", arguments: [false, true])
    func reading(isWrapping: Bool) {
        let property = property(isWrapping: isWrapping)
        let other = MutableProperty(3)
        let doubled = other.map { $0 * 2 }
        property.modify { $0 = doubled.value }
        expect(property.value, is: 6)
        expect(property.withValue { $0 + doubled.value }, is: 12)
    }

    @Test("trap when the property is used in the body", arguments: [false, true], [false, true])
    func access(isWrapping: Bool, setsValue: Bool) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isWrapping, setsValue] in
            let property =
                isWrapping
                ? ValidatingProperty<Int, TestError>(MutableProperty(0)) { _ in .valid }
                : ValidatingProperty<Int, TestError>(0) { _ in .valid }
            property.modify { value in
                if setsValue { property.value = 1 } else { property.modify { $0 = 2 } }
                value = 3
            }
        }
        #expect(result.message.contains("a property must not be used in the body of its own modify or withValue"))
    }

    @Test("validates against another property, whose changes come before or after")
    func dependent() {
        let limit = MutableProperty(10)
        let property = Numbers(0, with: limit) { $0 <= $1 ? .valid : .invalid(.second) }
        property.modify { $0 += 20 }
        expect(property.value, is: 0)
        limit.value = 30
        expect(property.value, is: 20)
        expect(property.swap(25), is: 20)
        limit.value = 5
        expect(
            property.modify {
                $0 += 1
                return $0
            }, is: 26)
        expect(property.result.value.isInvalid, is: true)
    }

    @Test("accepts no other value while a body runs", arguments: [false, true])
    func exclusive(observed: Bool) {
        let limit = MutableProperty(10)
        let property = Numbers(0, with: limit) { $0 <= $1 ? .valid : .invalid(.second) }
        let log = Log<Int>()
        let observation = observed ? property.signal.observeNext { log.append($0) } : nil
        property.value = 50
        let (begins, isOver) = (Latch("no body runs"), Latch("the body is not over"))
        let setter = TestThread("sets") {
            begins.wait()
            limit.value = 100
            isOver.wait()
        }
        property.modify { value in
            begins.open()
            setter.waitUntilAsleep()
            value += 1
        }
        isOver.open()
        setter.join()
        expect(property.value, is: 1)
        property.value = 500
        let (beginsToRead, isRead) = (Latch("no body runs"), Latch("the body is not over"))
        let accepted = Log<Int>()
        let second = property.signal.observeNext { accepted.append($0) }
        let other = TestThread("sets") {
            beginsToRead.wait()
            limit.value = 1_000
            isRead.wait()
        }
        property.withValue { value in
            beginsToRead.open()
            other.waitUntilAsleep()
            expect(value, is: 1)
            expect(accepted.all, is: [])
        }
        isRead.open()
        other.join()
        second?.dispose()
        expect(property.value, is: 500)
        if observed { expect(log.all, is: [1, 500]) }
        observation?.dispose()
    }

    @Test("loses no change of threads that modify it at the same time", arguments: [false, true])
    func threads(isWrapping: Bool) {
        let rounds = raceRounds
        let property = property(isWrapping: isWrapping) { _ in .valid }
        let observed = Log<Int>()
        property.signal.observeNext { observed.append($0) }
        onThreads(4, "modifying") { index in
            for _ in 0..<rounds {
                if index == 3 {
                    let seen = property.withValue { $0 }
                    #expect(seen <= property.value)
                } else {
                    property.modify { $0 += 1 }
                }
            }
        }
        expect(property.value, is: 3 * rounds)
        expect(observed.all, is: Array(1...3 * rounds))
    }

    @Test("accepts each value once while what the validator depends on changes")
    func dependentThreads() {
        let rounds = 10 * raceRounds
        let isAllowed = MutableProperty(true)
        let property = Numbers(0, with: isAllowed) { _, isAllowed in isAllowed ? .valid : .invalid(.second) }
        let observed = Log<Int>()
        property.signal.observeNext { observed.append($0) }
        onThreads(4, "modifying") { index in
            for round in 1...rounds {
                if index == 0 { isAllowed.value = round.isMultiple(of: 2) } else { property.modify { $0 += 1 } }
            }
        }
        isAllowed.value = true
        expect(observed.all, is: Array(1...property.value))
    }

    @Test("loses no change of code that modifies the wrapped property", arguments: [Contention.wait, .enqueue])
    func wrapped(contention: Contention) {
        let rounds = raceRounds
        let inner = MutableProperty(0, contention: contention)
        let property = Numbers(inner) { _ in .valid }
        let results = Log<Int>()
        property.result.signal.observeNext { results.append($0.proposed) }
        onThreads(4, "modifying") { index in
            for _ in 0..<rounds {
                if index < 2 { property.modify { $0 += 1 } } else { inner.modify { $0 += 1 } }
            }
        }
        expect(property.value, is: 4 * rounds)
        expect(results.all.last, is: 4 * rounds)
    }

    @Test(
        "changes two properties from each other's observers on two threads without a deadlock",
        arguments: [false, true])
    func crossed(isWrapping: Bool) {
        let (first, second) = (
            property(isWrapping: isWrapping) { _ in .valid }, property(isWrapping: isWrapping) { _ in .valid }
        )
        // Each change causes at most two others.
        first.signal.observeNext { [weak second] value in
            if value % 4 == 1 { second?.modify { $0 += 2 } }
        }
        second.signal.observeNext { [weak first] value in
            if value % 4 == 1 { first?.modify { $0 += 2 } }
        }
        let rounds = raceRounds
        onThreads(2, "crossing") { index in
            for round in 0..<rounds {
                if index == 0 { first.value = 2 * round + 1 } else { second.value = 2 * round + 1 }
            }
        }
        first.value = 0
        second.value = 0
        expect(first.value + second.value, is: 0)
    }
}
