import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Even numbers are valid, odd ones up to 100 are rounded up, others are invalid.
private func even(_ value: Int) -> ValidatingProperty<Int, TestError>.Decision {
    if value.isMultiple(of: 2) { return .valid }
    return value < 100 ? .coerced(value + 1, .first) : .invalid(.second)
}

/// Records the results and values of a property, in order.
private func eavesdrop<Value>(_ property: ValidatingProperty<Value, TestError>) -> Log<String> {
    let log = Log<String>()
    property.result.signal.observeNext { result in
        switch result {
        case .valid(let value): log.append("valid \(value)")
        case .coerced(let value, let proposed, let error):
            log.append("coerced \(proposed) to \(value), \(error.map { "\($0)" } ?? "-")")
        case .invalid(let value, let error): log.append("invalid \(value), \(error)")
        }
    }
    property.signal.observeNext { log.append("value \($0)") }
    return log
}

@Suite("ValidatingProperty", .watched)
struct ValidatingPropertyTests {
    typealias Numbers = ValidatingProperty<Int, TestError>

    @Test("accepts valid and coerced values, and sends the result first")
    func decisions() {
        let property = Numbers(0, even)
        let log = eavesdrop(property)
        property.value = 2
        property.value = 3
        property.value = 101
        property.value = 2
        property.value = 2
        expect(
            log.all,
            is: [
                "valid 2", "value 2", "coerced 3 to 4, first", "value 4", "invalid 101, second", "valid 2", "value 2",
                "valid 2", "value 2",
            ])
    }

    @Test("has the value accepted last, also during its events")
    func reads() {
        let property = Numbers(0, even)
        let log = Log<String>()
        let observers = [
            property.result.signal.observeNext { log.append("\($0.proposed) \(property.value)") },
            property.signal.observeNext { log.append("\($0) \(property.result.value.proposed)") },
        ]
        property.value = 3
        property.value = 101
        expect(log.all, is: ["3 4", "4 3", "101 4"])
        expect(property.value, is: 4)
        expect(property.result.value, is: .invalid(101, .second))
        for observer in observers { observer?.dispose() }
    }

    @Test("can begin with an invalid value")
    func initial() {
        let invalid = Numbers(101, even)
        expect(invalid.value, is: 101)
        expect(invalid.result.value, is: .invalid(101, .second))
        let coerced = Numbers(3, even)
        expect(coerced.value, is: 3)
        expect(coerced.result.value, is: .coerced(4, proposed: 3, .first))
    }

    @Test("its results have the value, the proposal and the error")
    func results() {
        let valid = Numbers.Result.valid(1)
        #expect((valid.value, valid.proposed, valid.error, valid.isInvalid) == (1, 1, nil, false))
        let coerced = Numbers.Result.coerced(2, proposed: 1, .first)
        #expect((coerced.value, coerced.proposed, coerced.error, coerced.isInvalid) == (2, 1, .first, false))
        let silent = Numbers.Result.coerced(2, proposed: 1, nil)
        #expect((silent.value, silent.error) == (2, nil))
        let invalid = Numbers.Result.invalid(1, .second)
        #expect((invalid.value, invalid.proposed, invalid.error, invalid.isInvalid) == (nil, 1, .second, true))
        #expect(Numbers.Decision.coerced(1, nil) != .valid)
    }

    @Test("its producer sends the value first, and completes when the property is released")
    func life() {
        var property: Numbers? = Numbers(0, even)
        let log = Log<String>()
        let (producer, result) = (property!.producer, property!.result)
        producer.start { log.append($0.text) }
        property!.value = 3
        property!.value = 101
        property = nil
        expect(log.all, is: ["0", "4", "completed"])
        expect(result.value, is: .invalid(101, .second))
        let late = Log<String>()
        producer.start { late.append($0.text) }
        expect(late.all, is: ["4", "completed"])
    }

    @Test("derived properties have no glitches, and it can be bound")
    func derived() {
        let property = Numbers(0, even)
        let pairs = Log<String>()
        property.map { $0 * 10 }.combineLatest(with: property.result.map(\.isInvalid)).producer.startWithNext {
            pairs.append("\($0)")
        }
        let source = MutableProperty(4)
        property <~ source
        source.value = 101
        expect(pairs.all, is: ["(0, false)", "(40, false)", "(40, true)"])
        let mirror = MutableProperty(0)
        mirror <~ property
        source.value = 5
        expect(mirror.value, is: 6)
    }

    // MARK: Dependent ones

    @Test("validates the last proposal again when its dependency changes")
    func dependent() {
        let limit = MutableProperty(10)
        let property = Numbers(5, with: limit) { $0 <= $1 ? .valid : .invalid(.first) }
        let log = eavesdrop(property)
        property.value = 20
        limit.value = 15
        limit.value = 25
        limit.value = 1
        expect(property.value, is: 20)
        expect(
            log.all, is: ["invalid 20, first", "invalid 20, first", "valid 20", "value 20", "invalid 20, first"])
    }

    @Test("changes together with its dependency")
    func together() {
        let limit = MutableProperty(10)
        let property = Numbers(20, with: limit) { $0 <= $1 ? .valid : .coerced($1, nil) }
        property.value = 20
        let log = Log<String>()
        limit.combineLatest(with: property).producer.startWithNext { log.append("\($0)") }
        limit.value = 15
        limit.value = 30
        expect(log.all, is: ["(10, 10)", "(15, 15)", "(30, 20)"])
    }

    @Test("can depend on the proposals of another validating property")
    func chained() {
        let mail = ValidatingProperty<String, TestError>("") { $0.contains("@") ? .valid : .invalid(.first) }
        let again = ValidatingProperty<String, TestError>("", with: mail) { $0 == $1 ? .valid : .invalid(.second) }
        let log = eavesdrop(again)
        mail.value = "ada"
        again.value = "ada"
        expect(again.result.value, is: .valid("ada"))
        mail.value = "ada@example.org"
        expect(again.result.value, is: .invalid("ada", .second))
        again.value = "ada@example.org"
        expect(again.value, is: "ada@example.org")
        expect(
            log.all,
            is: [
                "invalid , second", "valid ada", "value ada", "invalid ada, second", "valid ada@example.org",
                "value ada@example.org",
            ])
    }

    @Test("does not retain its dependency, and continues when the dependency is released")
    func dependentLife() {
        let population = Population()
        var other: MutableProperty<Population.Member?>? = MutableProperty(population.member())
        let property = ValidatingProperty<Int, TestError>(0, with: other!) { $1 == nil ? .invalid(.first) : .valid }
        let ended = other!.signal.logged()
        other = nil
        expect(ended.all, is: ["completed"])
        property.value = 2
        expect(property.value, is: 2)
        expect(population.alive, is: 1)
    }

    @Test("keeps a pair ordered when threads propose values", arguments: 0..<4)
    func pair(_ round: Int) {
        let lower = ValidatingProperty<Int, TestError>(0) { $0 >= 0 ? .valid : .invalid(.first) }
        // Depends on the value rather than the proposal.
        let upper = ValidatingProperty<Int, TestError>(100, with: Property(lower)) {
            $1 <= $0 ? .valid : .coerced($1, .first)
        }
        let mistakes = Counter()
        let pair = lower.combineLatest(with: upper)
        pair.signal.observeNext { lower, upper in if lower > upper { mistakes.increment() } }
        onThreads(4, "pair") { thread in
            for _ in 0..<300 {
                if thread.isMultiple(of: 2) {
                    lower.value = .random(in: -10...200)
                } else {
                    upper.value = .random(in: 0...200)
                }
                let (lower, upper) = pair.value
                if lower > upper { mistakes.increment() }
            }
        }
        expect(mistakes.value, is: 0)
    }

    // MARK: Around another property

    @Test("sets the inner property, sends the result first, and makes both visible at once")
    func inner() {
        let inner = MutableProperty(0)
        let validations = Counter()
        let property = Numbers(inner) { value in
            validations.increment()
            return even(value)
        }
        let before = validations.value
        let log = eavesdrop(property)
        let pairs = Log<String>()
        inner.combineLatest(with: property.result.map(\.proposed)).signal.observeNext { pairs.append("\($0)") }
        property.value = 2
        property.value = 3
        property.value = 101
        expect(log.all, is: ["valid 2", "value 2", "coerced 3 to 4, first", "value 4", "invalid 101, second"])
        expect(pairs.all, is: ["(2, 2)", "(4, 3)", "(4, 101)"])
        expect(inner.value, is: 4)
        expect(validations.value, is: before + 3)
    }

    @Test("keeps values set on the inner property, and reports their validity")
    func innerSets() {
        let inner = MutableProperty(0)
        let property = Numbers(inner, even)
        let log = eavesdrop(property)
        inner.value = 2
        inner.value = 3
        inner.value = 101
        expect(property.value, is: 101)
        expect(inner.value, is: 101)
        expect(
            Set(log.all),
            is: [
                "valid 2", "value 2", "coerced 3 to 4, first", "value 3", "invalid 101, second", "value 101",
            ])
        expect(log.count, is: 6)
    }

    @Test("does not repeat the event of a value that it has when its dependency changes")
    func noRepeats() {
        let limit = MutableProperty(10)
        let property = Numbers(5, with: limit) { $0 <= $1 ? .valid : .coerced($1, nil) }
        let log = property.signal.logged()
        property.value = 8
        limit.set(11, 9, 8, 12)
        expect(log.all, is: ["8"])
        // Replaced twice by the same value.
        limit.set(7, 7, 12)
        expect(log.all, is: ["8", "7", "8"])
        // A proposal is an event, even if it repeats the value.
        property.value = 8
        expect(log.all, is: ["8", "7", "8", "8"])
    }

    @Test("does not repeat an accepted value that is not equatable when its dependency changes")
    func noRepeatsOfOpaqueValues() {
        struct Opaque: Sendable { let number: Int }
        let limit = MutableProperty(10)
        let property = ValidatingProperty<Opaque, TestError>(Opaque(number: 5), with: limit) {
            $0.number <= $1 ? .valid : .invalid(.first)
        }
        let log = Log<Int>()
        property.signal.observeNext { log.append($0.number) }
        property.value = Opaque(number: 20)
        limit.set(30, 31, 32)
        property.value = Opaque(number: 25)
        limit.value = 33
        expect(log.all, is: [20, 25])
    }

    @Test("keeps a value that a change of its dependency makes invalid, together with the value of that dependency")
    func keepsWhatBecomesInvalid() {
        let high = Numbers(10) { _ in .valid }
        let low = Numbers(5, with: Property(high)) { $0 <= $1 ? .valid : .invalid(.first) }
        low.value = 9
        high.value = 3
        expect([low.value, high.value], is: [9, 3])
        expect(low.result.value, is: .invalid(9, .first))
        low.value = 4
        expect(low.value, is: 9)
    }

    @Test("retains the inner property, and nothing else")
    func innerLife() {
        let population = Population()
        var inner: MutableProperty<Population.Member?>? = MutableProperty(population.member())
        let ended = inner!.signal.logged()
        var property: ValidatingProperty<Population.Member?, TestError>? = ValidatingProperty(inner!) { _ in .valid }
        let result = property!.result.signal.logged()
        inner = nil
        expect(ended.all, is: [])
        property!.value = population.member()
        property = nil
        expect(ended.all.last, is: "completed")
        expect(result.all.last, is: "completed")
        expect(population.alive, is: 0)
    }

    @Test("agrees with the inner property when threads set both", arguments: 0..<4)
    func innerRaces(_ round: Int) {
        let (inner, bound, other) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
        inner <~> bound
        let property = Numbers(inner) { $0 <= 50 ? .valid : .invalid(.first) }
        let mistakes = Log<String>()
        let all = inner.combineLatest(with: bound).combineLatest(with: property.result).combineLatest(with: other)
        let observation = all.signal.observeNext { all, _ in
            let ((one, two), result) = all
            if one != two || !result.isInvalid && result.value != one { mistakes.append("\(all)") }
        }
        onThreads(4, "inner") { thread in
            for _ in 0..<200 {
                switch thread {
                case 0: inner.value = .random(in: 0...100)
                case 1: Property.transaction(other, bound) { ($0, $1) = ($0 + 1, .random(in: 0...100)) }
                default: property.value = .random(in: 0...100)
                }
            }
        }
        expect(mistakes.all, is: [])
        inner.value = 7
        expect(property.result.value, is: .valid(7))
        observation?.dispose()
    }

    // MARK: Several

    @Test("allValid and errors combine the results of several validating properties")
    func several() {
        let name = ValidatingProperty<String, TestError>("") { $0.isEmpty ? .invalid(.first) : .valid }
        let age = Numbers(1, even)
        let isValid = ValidatingProperty.allValid(name, age)
        let errors = ValidatingProperty.errors(name, age)
        let log = isValid.signal.logged()
        #expect(!isValid.value)
        expect(errors.value.map { $0 as? TestError }, is: [.first, .first])
        name.value = "Ada"
        age.value = 2
        age.value = 101
        expect(errors.value.map { $0 as? TestError }, is: [.second])
        name.value = ""
        age.value = 4
        name.value = "Grace"
        expect(log.all, is: ["true", "false", "true"])
        #expect(errors.value.isEmpty)
    }

    // MARK: At awkward moments

    @Test("created while a change of the inner property is computed, keeps that change")
    func madeInTurn() {
        let inner = MutableProperty(1)
        let made = Locked<Numbers?>(nil)
        let derived = inner.map { [unowned inner] value in
            if value == 2 {
                let property = Numbers(inner, even)
                made.withLock { $0 = property }
            }
            return value
        }
        let logs = [inner.signal.logged(), derived.signal.logged()]
        inner.value = 2
        expect(made.withLock { $0.take() }?.result.value, is: .valid(2))
        expect(inner.value, is: 2)
        expect(logs.map(\.all), is: [["2"], ["2"]])
    }

    @Test("traps when a closure that computes proposes a value")
    func proposedInTurn() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (inner, other) = (MutableProperty(1), MutableProperty(10))
            let property = Numbers(inner, even)
            let derived = other.map { value in
                if value == 5 { property.value = 8 }
                return value
            }
            derived.signal.observeNext { _ in }
            other.value = 5
        }
        #expect(result.message.contains("a property was set in a closure that computes another one"))
    }

    @Test("waits for a computation if the inner property has .enqueue, too")
    func enqueues() {
        let inner = MutableProperty(0, contention: .enqueue)
        let (inside, goOn) = (Latch("the computation"), Latch("the proposal"))
        let derived = inner.map { value in
            if value == 2 {
                inside.open()
                goOn.wait()
            }
            return value
        }
        let property = Numbers(inner, even)
        let log = derived.signal.logged()
        let thread = TestThread("sets") { inner.value = 2 }
        inside.wait()
        let second = TestThread("proposes") { property.value = 4 }
        second.waitUntilAsleep()
        goOn.open()
        thread.join()
        second.join()
        expect(log.all, is: ["2", "4"])
        #expect((inner.value, derived.value) == (4, 4))
        expect(property.result.value, is: .valid(4))
    }

    @Test("makes a proposal after an earlier set of the inner property that waits")
    func proposedBehind() {
        let inner = MutableProperty(0, contention: .enqueue)
        let property = Numbers(inner, even)
        let log = inner.signal.logged()
        whileBusy(inner) {
            inner.value = 6
            property.value = 8
        }
        expect(log.all, is: ["6", "8"])
        expect(property.result.value, is: .valid(8))
    }

    /// Runs a body on a thread that waits, because another thread prevents all changes of a property.
    private func whileBusy(_ property: MutableProperty<Int>, _ body: @escaping @Sendable () -> Void) {
        let (inside, goOn) = (Latch("the body"), Latch("to go on"))
        let thread = TestThread("keeps busy") {
            property.withValue { _ in
                inside.open()
                goOn.wait()
            }
        }
        inside.wait()
        let waiting = TestThread("sets", body)
        waiting.waitUntilAsleep()
        goOn.open()
        thread.join()
        waiting.join()
    }
}
