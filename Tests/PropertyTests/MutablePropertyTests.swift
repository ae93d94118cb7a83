import HotSignals
import ReactiveSignals
import TestSupport
import Testing

private enum Failure: Error, Equatable { case some }

/// A structure that keeps its state in wrapped properties.
private struct Account: Sendable {
    @MutableProperty var balance = 1
    @MutableProperty var owner: String?
}

@Suite("MutableProperty", .watched)
struct MutablePropertyTests {
    // MARK: Values and events

    @Test("its producer sends the value, then each change")
    func producer() {
        let property = MutableProperty(1)
        let log = property.logged()
        expect(log.all, is: ["1"])
        property.set(2, 3)
        expect(log.all, is: ["1", "2", "3"])
        expect(property.logged().all, is: ["3"])
    }

    @Test("its producer sends the value at the time of the start")
    func laterProducer() {
        let property = MutableProperty(1)
        let producer = property.producer
        property.value = 2
        let log = Log<String>()
        producer.start { log.append($0.text) }
        expect(log.all, is: ["2"])
    }

    @Test("its signal sends only changes")
    func signal() {
        let property = MutableProperty(1)
        let log = property.signal.logged()
        expect(log.all, is: [])
        property.set(2, 3)
        expect(log.all, is: ["2", "3"])
    }

    @Test("sends equal values too")
    func equalValues() {
        let property = MutableProperty(1)
        let log = property.signal.logged()
        property.set(1, 1)
        property.swap(1)
        property.modify { $0 = 1 }
        expect(log.all, is: ["1", "1", "1", "1"])
    }

    @Test("a value is visible before its event, in each observer")
    func visible() {
        let property = MutableProperty(0)
        let doubled = property.map { $0 * 2 }
        let log = Log<String>()
        property.signal.observeNext { [weak property] in log.append("\($0) \(property?.value ?? -1) \(doubled.value)") }
        doubled.signal.observeNext { [weak property] in log.append("\($0) \(property?.value ?? -1) \(doubled.value)") }
        property.set(1, 2)
        expect(log.all, is: ["1 1 2", "2 1 2", "2 2 4", "4 2 4"])
    }

    @Test("sends nothing more to an observer that has been disposed of")
    func disposal() {
        let property = MutableProperty(0)
        let log = Log<String>()
        let disposable = property.producer.start { log.append($0.text) }
        property.value = 1
        disposable.dispose()
        property.value = 2
        expect(log.all, is: ["0", "1", "interrupted"])
        expect(property.value, is: 2)
    }

    @Test("an observer can end with the producer's first value")
    func enough() {
        let property = MutableProperty(0)
        let log = Log<String>()
        property.producer.take(first: 1).start { log.append($0.text) }
        property.value = 1
        expect(log.all, is: ["0", "completed"])
    }

    // MARK: Sets from inside events

    @Test("a re-entrant set is visible immediately, and delivered to all observers after the current event")
    func nestedSet() {
        let property = MutableProperty(0)
        let log = Log<String>()
        property.signal.observeNext { [weak property] value in
            log.append("a\(value)")
            guard let property, value == 1 else { return }
            property.value = 2
            log.append("now \(property.value)")
        }
        property.signal.observeNext { log.append("b\($0)") }
        property.value = 1
        expect(log.all, is: ["a1", "now 2", "b1", "a2", "b2"])
    }

    @Test("delivers re-entrant sets in order")
    func nestedSets() {
        let property = MutableProperty(0)
        property.signal.observeNext { [weak property] value in
            if value < 10 { property?.set(value * 10, value * 10 + 1) }
        }
        let log = property.signal.logged()
        property.value = 1
        expect(log.all, is: ["1", "10", "11"])
        expect(property.value, is: 11)
    }

    @Test("delivers re-entrant sets in order to every observer of derived properties")
    func nestedSetOfDerived() {
        let property = MutableProperty(0)
        let tens = property.map { $0 * 10 }
        let pairs = property.combineLatest(with: tens)
        let logs = [tens.signal.map { "\($0)" }.logged(), pairs.signal.map { "\($0)" }.logged()]
        tens.signal.observeNext { [weak property] value in if value < 30 { property?.value += 1 } }
        let late = [tens.signal.map { "\($0)" }.logged(), pairs.signal.map { "\($0)" }.logged()]
        property.value = 1
        for logs in [logs, late] {
            expect(logs[0].all, is: ["10", "20", "30"])
            expect(logs[1].all, is: ["(1, 10)", "(2, 20)", "(3, 30)"])
        }
        #expect(pairs.value == (3, 30))
    }

    @Test("handles a hundred thousand re-entrant sets on a small stack", .notUnderSanitizers)
    func nestedOften() {
        let last = Counter()
        onSmallStack("nested sets") {
            let property = MutableProperty(0)
            let derived = property.map { $0 }
            derived.signal.observeNext { [weak property] value in
                last.increment()
                if value < 100_000 { property?.value = value + 1 }
            }
            property.value = 1
        }
        expect(last.value, is: 100_000)
    }

    @Test("a producer started during an event sends the value, then each following one once")
    func startedInside() {
        let property = MutableProperty(0)
        let logs = Log<Log<String>>()
        property.signal.observeNext { [weak property] value in
            guard let property, value < 3 else { return }
            property.value = value + 1
            logs.append(property.logged())
        }
        property.value = 1
        property.value = 9
        expect(logs.all.map(\.all), is: [["2", "3", "9"], ["3", "9"]])
    }

    @Test("two properties that set each other settle")
    func mutual() {
        let (first, second) = (MutableProperty(0), MutableProperty(0))
        first.signal.observeNext { [weak second] value in if value < 5 { second?.value = value + 1 } }
        second.signal.observeNext { [weak first] value in if value < 5 { first?.value = value + 1 } }
        let logs = [first.logged(), second.logged()]
        first.value = 1
        expect(logs[0].all, is: ["0", "1", "3", "5"])
        expect(logs[1].all, is: ["0", "2", "4"])
    }

    // MARK: Sets in closures that compute

    private static let refusal = "a property was set in a closure that computes another one"

    /// Sets a property in one of the ways there are.
    private static func set(_ property: MutableProperty<Int>, way: Int) {
        switch way {
        case 0: property.value += 1
        case 1: property.swap(5)
        case 2: property.modify { $0 += 1 }
        case 3: property <~> MutableProperty(5)
        default: property <~ MutableProperty(5)
        }
    }

    @Test(
        "traps when it is set in a closure that computes an unrelated property, observed or not",
        arguments: [false, true], 0..<5)
    func setWhileComputing(isObserved: Bool, way: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isObserved, way] in
            let (source, other) = (MutableProperty(0).named("source"), MutableProperty(0).named("other"))
            let derived = source.map { value in
                if value == 1 { Self.set(other, way: way) }
                return value
            }
            if isObserved { derived.signal.observeNext { _ in } }
            source.value = 1
            if !isObserved { print(derived.value) }
        }
        let names = ["other (PropertyTests/MutablePropertyTests.swift:", ", in [source] -map:"]
        let (message, refusal) = (result.message, Self.refusal)
        #expect(message.contains("\(refusal): \(names[0])") && message.contains(names[1]), "\(message)")
    }

    @Test("traps when an observer of what a closure sends sets it")
    func setBehindClosure() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (source, other) = (MutableProperty(0), MutableProperty(0))
            let (output, input) = Signal<Int, Never>.pipe()
            other <~ output
            let derived = source.map { value in
                input.sendNext(value)
                return value
            }
            print(derived.value)
        }
        #expect(result.message.contains(Self.refusal), "\(result.message)")
    }

    @Test("can be set after a closure that computes has returned, or has been left by an error")
    func setAfterClosure() {
        let (source, other) = (MutableProperty(0), MutableProperty(0))
        let derived = source.map { $0 }
        expect(derived.value, is: 0)
        other.value = 1
        #expect(throws: TestError.first) { try source.modify { _ throws(TestError) in throw .first } }
        other.value = 2
        expect(other.value, is: 2)
    }

    @Test(
        "traps when it is set in a closure that computes a property derived from it, however it is set",
        arguments: [false, true], 0..<4)
    func setInOwnMap(isEnqueueing: Bool, way: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isEnqueueing, way] in
            let source = MutableProperty(0, contention: isEnqueueing ? .enqueue : .wait).named("source")
            let derived = source.map { value in
                if value > 0 {
                    switch way {
                    case 0: source.value = value + 1
                    case 1: source.swap(value + 1)
                    case 2: source.modify { $0 += 1 }
                    default: source <~> MutableProperty(value + 1)
                    }
                }
                return value
            }
            derived.signal.observeNext { _ in }
            source.value = 1
        }
        let place = "source (PropertyTests/MutablePropertyTests.swift:"
        #expect(result.message.contains("\(Self.refusal): \(place)"), "\(result.message)")
    }

    @Test(
        "traps when it is set in a closure that computes a property which is read, however it is set",
        arguments: [false, true], 0..<4)
    func setWhileRead(isEnqueueing: Bool, way: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isEnqueueing, way] in
            let source = MutableProperty([0], contention: isEnqueueing ? .enqueue : .wait).named("source")
            let derived = source.map { value in
                switch way {
                case 0: source.value = value + [1]
                case 1: source.swap(value + [1])
                case 2: source.modify { $0.append(1) }
                default: source <~> MutableProperty(value + [1])
                }
                return value
            }
            if derived.map(\.count).value > 1 { fatalError("It is read.") }
        }
        let place = "source (PropertyTests/MutablePropertyTests.swift:"
        #expect(result.message.contains("\(Self.refusal): \(place)"), "\(result.message)")
        #expect(result.message.contains(", in [source] -map:"), "\(result.message)")
    }

    @Test("traps when it is set in a closure that computes a property of several sources", arguments: 0..<4)
    func setWhileSeveralAreRead(way: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [way] in
            let (source, other) = (MutableProperty(0), MutableProperty(0))
            // The last change of both is this thread's, so it matters that only one changes meanwhile.
            other.value = 1
            let sum = source.combineLatest(with: other).map { pair in
                source.value += 1
                return pair.0 + pair.1
            }
            switch way {
            case 0: print(sum.value)
            case 1: sum.signal.observeNext { _ in }
            case 2: sum.producer.startWithNext { _ in }
            default:
                let sums = source.combineLatest(with: other).map { $0 + $1 }
                let kept = sums.filter(initial: 0) { _ in
                    source.value += 1
                    return true
                }
                print(kept)
            }
        }
        #expect(result.message.contains(Self.refusal))
    }

    @Test("can be set by other threads while a property derived from it is computed")
    func setByOthersWhileRead() {
        let (source, other) = (MutableProperty(0), MutableProperty(0))
        let computations = Counter()
        let sum = source.combineLatest(with: other).map { pair in
            if computations.increment() < 3 { TestThread("sets") { source.value += 1 }.join() }
            return pair.0 + pair.1
        }
        other.value = 10
        // The value after the first change, which is computed while the second one is made.
        expect(sum.value, is: 11)
        expect(sum.value, is: 12)
        source.value = 5
        expect(sum.value, is: 15)
    }

    @Test("can be inspected with withValue in a closure that computes a property derived from it")
    func inspectedWhileComputing() {
        let source = MutableProperty(1)
        let sum = source.map { value in value * 10 + source.withValue { $0 } }
        expect(sum.value, is: 11)
        let log = Log<String>()
        let observation = sum.signal.observe { log.append($0.text) }
        source.value = 2
        // Not visible yet.
        expect(log.all, is: ["21"])
        // While it is observed, the source retains the closure, which retains the source.
        observation?.dispose()
    }

    @Test("traps when it is set in the closure of a stateful property derived from it")
    func setInOwnFilter() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let source = MutableProperty(0)
            let filtered = source.filter(initial: 0) { value in
                if value == 1 { source.value = 2 }
                return true
            }
            source.value = 1
            withExtendedLifetime(filtered) {}
        }
        #expect(result.message.contains(Self.refusal))
    }

    @Test(
        "traps when it is set in a closure that computes a property derived from it and another one",
        arguments: [false, true])
    func setInCombination(isEnqueueing: Bool) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isEnqueueing] in
            let (source, other) = (MutableProperty(0), MutableProperty(0, contention: isEnqueueing ? .enqueue : .wait))
            let sum = source.combineLatest(with: other).map { pair in
                if pair.0 == 1 { other.value = 2 }
                return pair.0 + pair.1
            }
            sum.signal.observeNext { _ in }
            source.value = 1
        }
        #expect(result.message.contains(Self.refusal))
    }

    // MARK: swap, modify, withValue

    @Test("swap returns the previous value")
    func swap() {
        let property = MutableProperty(1)
        let log = property.signal.logged()
        expect(property.swap(2), is: 1)
        expect(property.swap(3), is: 2)
        expect(log.all, is: ["2", "3"])
    }

    @Test("modify changes the value, sends one event, and returns the body's result")
    func modify() {
        let property = MutableProperty([1])
        let log = property.signal.logged()
        let count = property.modify { values in
            values.append(2)
            values.append(3)
            return values.count
        }
        expect(count, is: 3)
        expect(property.value, is: [1, 2, 3])
        expect(log.all, is: ["[1, 2, 3]"])
    }

    @Test("modify sends one event if its body throws, and rethrows the error", arguments: [false, true])
    func modifyThrows(isDerivedFrom: Bool) {
        let property = MutableProperty(1)
        let derived = isDerivedFrom ? property.map { $0 } : nil
        let log = property.signal.logged()
        #expect(throws: Failure.some) {
            try property.modify { value throws(Failure) in
                value = 2
                throw .some
            }
        }
        expect(log.all, is: ["2"])
        expect(property.value, is: 2)
        #expect(derived?.value ?? 2 == 2)
        #expect(throws: Failure.some) { try property.modify { _ throws(Failure) in throw .some } }
        expect(log.all, is: ["2", "2"])
    }

    @Test("withValue passes the value to its body, returns or throws its result, and sends no event")
    func withValue() {
        let property = MutableProperty(2)
        let log = property.signal.logged()
        expect(property.withValue { $0 * 3 }, is: 6)
        #expect(throws: Failure.some) { try property.withValue { _ throws(Failure) in throw .some } }
        property.value = 4
        expect(log.all, is: ["4"])
    }

    @Test("modify and withValue work during an event, and modify's event follows the current one")
    func modifyInside() {
        let property = MutableProperty(0)
        let log = Log<String>()
        property.signal.observeNext { [weak property] value in
            guard let property, value == 1 else { return }
            property.modify { $0 += 1 }
            log.append("now \(property.withValue { $0 })")
        }
        property.signal.observeNext { log.append("\($0)") }
        property.value = 1
        expect(log.all, is: ["now 2", "1", "2"])
    }

    @Test("other properties can be read in the body of modify")
    func othersInside() {
        let (property, other) = (MutableProperty(1), MutableProperty(1))
        let derived = property.map { $0 * 10 }
        let both = derived.combineLatest(with: other)
        let log = derived.signal.logged()
        property.modify { value in
            value = 2
            expect(other.value, is: 1)
            expect(other.map { $0 + 1 }.value, is: 2)
        }
        expect(derived.value, is: 20)
        #expect(both.value == (20, 1))
        expect(log.all, is: ["20"])
    }

    @Test("loses no modification on several threads")
    func modifyRace() {
        let property = MutableProperty(0)
        let doubled = property.map { $0 * 2 }
        let last = Locked(-1)
        property.producer.startWithNext { value in last.withLock { $0 = value } }
        let numbers = Locked<Set<Int>>([])
        onThreads(4, "modify") { thread in
            for _ in 0..<500 {
                let number = property.modify { value in
                    value += 1
                    return value
                }
                numbers.withLock { _ = $0.insert(number) }
                if thread == 0 { _ = property.withValue { $0 } + property.value + doubled.value }
            }
        }
        expect(property.value, is: 2_000)
        expect(doubled.value, is: 4_000)
        expect(numbers.withLock { $0.count }, is: 2_000)
        expect(last.withLock { $0 }, is: 2_000)
    }

    @Test("concurrent swaps return each value exactly once")
    func swapRace() {
        let property = MutableProperty(-1)
        let derived = property.map { $0 }
        let seen = Log<Int>()
        onThreads(4, "swap") { thread in
            for number in 0..<500 { seen.append(property.swap(thread * 500 + number)) }
        }
        seen.append(property.value)
        expect(seen.all.sorted(), is: Array(-1..<2_000))
        expect(derived.value, is: property.value)
    }

    // MARK: Exclusive access

    private static let message = "a property must not be used in the body of its own modify or withValue"

    @Test("traps when it is modified in its own modify")
    func modifyInModify() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let property = MutableProperty(0)
            property.modify { _ in property.modify { $0 += 1 } }
        }
        #expect(result.message.contains("property: \(Self.message)"))
    }

    @Test("traps when it is swapped in its own modify")
    func swapInModify() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let property = MutableProperty(0)
            property.modify { $0 = property.swap(1) }
        }
        #expect(result.message.contains(Self.message))
    }

    @Test("traps when it is set in its own modify")
    func setInModify() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let property = MutableProperty(0)
            property.modify { _ in property.value = 1 }
        }
        #expect(result.message.contains(Self.message))
    }

    @Test("traps when it is read in its own modify")
    func readInModify() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let property = MutableProperty(0)
            property.modify { $0 = property.value }
        }
        #expect(result.message.contains(Self.message))
    }

    @Test("traps when it is set in its own withValue, even if it has derived properties")
    func setInWithValue() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let property = MutableProperty(0)
            let derived = property.map { $0 }
            property.withValue { _ in property.value = derived.value }
        }
        #expect(result.message.contains(Self.message))
    }

    @Test("traps when its producer is started in its own modify")
    func startInModify() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let property = MutableProperty(0)
            property.modify { _ in _ = property.logged() }
        }
        #expect(result.message.contains(Self.message))
    }

    @Test("traps when an unobserved property derived from it is read in its own modify")
    func readDerivedInModify() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (property, other) = (MutableProperty(0), MutableProperty(0))
            let derived = property.map { $0 }.combineLatest(with: other).map { $0.0 }
            property.modify { $0 = derived.value }
        }
        #expect(result.message.contains(Self.message))
    }

    /// How a property derived from the one that is modified is used, and known before.
    enum Use: String, CaseIterable, Codable, Sendable { case reads, starts, derives, readsInClosure }

    @Test(
        "traps when a property derived from it is used in its own modify, observed, read before or not",
        arguments: Use.allCases, 0..<4)
    func useDerivedInModify(use: Use, known: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [use, known] in
            let (property, other) = (MutableProperty(0), MutableProperty(0))
            let twin = MutableProperty(0)
            if known == 3 { property <~> twin }
            let derived = (known == 3 ? twin : property).map { $0 }.combineLatest(with: other).map { $0.0 }
            let closure = other.map { $0 + derived.value }
            switch known {
            case 0: break
            case 1: _ = derived.value
            default: derived.signal.observeNext { _ in }
            }
            property.modify { value in
                switch use {
                case .reads: value = derived.value
                case .starts: derived.producer.startWithNext { _ in }
                case .derives: value = derived.map { $0 + 1 }.value
                case .readsInClosure: value = closure.value
                }
            }
            fatalError("It has returned.")
        }
        #expect(result.message.contains(Self.message), "\(result.message)")
    }

    @Test("traps when a property derived from it is read while modify changes it in place")
    func readDerivedInPlace() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let property = MutableProperty([0])
            let derived = property.map { $0 }
            property.modify { $0 = derived.value }
        }
        #expect(result.message.contains(Self.message))
    }

    @Test("traps when a property is derived from it in its own modify")
    func deriveInModify() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let property = MutableProperty(0)
            property.modify { _ in _ = property.map { $0 } }
        }
        #expect(result.message.contains(Self.message))
    }

    // MARK: As a wrapper

    @Test("is a property wrapper whose projection is the property")
    func wrapper() {
        let account = Account()
        let log = account.$balance.logged()
        account.balance = 2
        account.balance += 1
        expect(account.balance, is: 3)
        expect(account.$balance.value, is: 3)
        expect(log.all, is: ["1", "2", "3"])
        #expect(account.owner == nil)
        account.$owner <~ Property(value: "me")
        expect(account.owner, is: "me")
    }

    // MARK: Its end

    @Test("completes when it is released, and its lifetime ends")
    func release() {
        let owner = Owner(1)
        let logs = [owner.property.logged(), owner.property.signal.logged()]
        let lifetime = owner.property.lifetime
        #expect(!lifetime.hasEnded)
        owner.release()
        #expect(lifetime.hasEnded)
        expect(logs.map(\.all), is: [["1", "completed"], ["completed"]])
    }

    @Test("its producer sends the last value and completes after the property has been released")
    func keptProducer() {
        let owner = Owner(1)
        let (producer, signal) = (owner.property.producer, owner.property.signal)
        owner.property.set(2, 3)
        owner.release()
        for _ in 0..<2 {
            let log = Log<String>()
            producer.start { log.append($0.text) }
            expect(log.all, is: ["3", "completed"])
        }
        expect(signal.logged().all, is: ["interrupted"])
    }

    @Test("is not retained by its observers")
    func notHeld() {
        let owner = Owner(1)
        let property = owner.property
        weak let weakly = property
        let logs = [
            property.logged(), property.map { $0 }.logged(), property.flatMap(.latest) { Property(value: $0) }.logged(),
        ]
        withExtendedLifetime(property) {}
        owner.release()
        _ = consume property
        #expect(weakly == nil)
        #expect(logs.allSatisfy { $0.all == ["1", "completed"] })
    }

    @Test("completes after the current event when it is released during its own event")
    func releasedInside() {
        let owner = Owner(0)
        owner.property.signal.observeNext { _ in owner.release() }
        let log = owner.property.logged()
        owner.property.value = 1
        expect(log.all, is: ["0", "1", "completed"])
    }

    @Test("sends a re-entrant set before the completion when it is released after the set")
    func setAndReleasedInside() {
        let owner = Owner(0)
        owner.property.signal.observeNext { value in
            guard value == 1 else { return }
            owner.property.value = 2
            owner.release()
        }
        let derived = owner.property.map { $0 * 10 }
        let logs = [owner.property.logged(), derived.logged()]
        owner.property.value = 1
        expect(logs.map(\.all), is: [["0", "1", "2", "completed"], ["0", "10", "20", "completed"]])
        expect(derived.value, is: 20)
    }

    @Test("holds only its current value, and releases it when it is released")
    func values() {
        let population = Population()
        let owner = Owner(population.member())
        let signal = owner.property.signal
        for _ in 0..<3 {
            owner.property.value = population.member()
            expect(population.alive, is: 1)
        }
        owner.property.modify { $0 = population.member() }
        expect(population.alive, is: 1)
        let derived = owner.property.map { $0 }
        owner.property.swap(population.member())
        expect(population.alive, is: 1)
        owner.release()
        expect(population.alive, is: 1)
        withExtendedLifetime((signal, derived)) {}
    }

    @Test("allows a value to use the property when the value is released")
    func valueOfUser() {
        let population = Population()
        let owner = Owner<Population.Member?>(nil)
        let (other, derived) = (MutableProperty(0), owner.property.map { $0 == nil })
        let both = derived.combineLatest(with: other)
        // With an observation the body of modify changes a copy, and the replaced value is released after the body.
        let observation = derived.signal.observe { _ in }
        let property = owner.property
        let onDeath: @Sendable () -> Void = { [weak property] in
            other.value += 1
            _ = (property?.value, derived.value, both.value)
            property?.signal.observe { _ in }
        }
        for _ in 0..<3 { property.value = population.member(onDeath) }
        property.swap(population.member(onDeath))
        property.modify { $0 = population.member(onDeath) }
        property.value = nil
        expect(population.alive, is: 0)
        #expect(both.value == (true, 5))
        observation?.dispose()
    }

    // MARK: Threads

    @Test(
        "a producer started during concurrent sets misses nothing, and sends nothing twice", arguments: [false, true])
    func startRace(isDerivedFrom: Bool) {
        let property = MutableProperty(0)
        let derived = isDerivedFrom ? property.map { $0 } : Property(property)
        let mistakes = Log<String>()
        onThreads(4, "start") { thread in
            for _ in 0..<500 {
                if thread < 2 {
                    property.modify { $0 += 1 }
                    continue
                }
                let last = Locked<Int?>(nil)
                (thread == 2 ? property.producer : derived.producer).take(first: 20).startWithNext { value in
                    let former = last.withLock { last in
                        defer { last = value }
                        return last
                    }
                    if let former, value != former + 1 { mistakes.append("\(value) after \(former)") }
                    if property.value < value { mistakes.append("\(value) before it was there") }
                }
            }
        }
        expect(property.value, is: 1_000)
        // Terminates the starts that still wait for values. Their closures retain the property.
        for _ in 0..<20 { property.modify { $0 += 1 } }
        expect(mistakes.all, is: [])
    }

    @Test("all observers receive the same order, and the last event is the value")
    func order() {
        let property = MutableProperty(-1)
        let derived = property.map { $0 }
        let logs = (0..<2).map { _ in property.logged() } + [derived.logged()]
        onThreads(4, "order") { thread in
            for number in 0..<250 { property.value = thread * 250 + number }
        }
        expect(logs[0].count, is: 1_001)
        for log in logs { expect(log.all, is: logs[0].all) }
        expect(logs[0].all.last, is: "\(property.value)")
        expect(derived.value, is: property.value)
    }

    @Test("a set waits until its event has been delivered after another thread's event", arguments: [false, true])
    func waits(isDerivedFrom: Bool) {
        let property = MutableProperty(0)
        let derived = isDerivedFrom ? property.map { $0 } : nil
        let (inside, goOn) = (Latch("the event"), Latch("to go on"))
        let log = Log<Int>()
        property.signal.observeNext { value in
            if value == 1 {
                inside.open()
                goOn.wait()
            }
            log.append(value)
        }
        let first = TestThread("first") { property.value = 1 }
        inside.wait()
        let second = TestThread("second") {
            property.value = 2
            log.append(-2)
        }
        #expect(becomesTrue { property.value == 2 }, "visible before its event")
        second.waitUntilAsleep()
        #expect(derived?.value ?? 2 == 2)
        goOn.open()
        first.join()
        second.join()
        expect(log.all, is: [1, 2, -2])
    }

    @Test("with .enqueue a set does not wait, and the delivering thread delivers it", arguments: [false, true])
    func enqueues(isDerivedFrom: Bool) {
        let property = MutableProperty(0, contention: .enqueue)
        let derived = isDerivedFrom ? property.map { $0 } : nil
        let (inside, goOn) = (Latch("the event"), Latch("to go on"))
        let log = Log<Int>()
        property.signal.observeNext { value in
            if value == 1 {
                inside.open()
                goOn.wait()
            }
            log.append(value)
        }
        let first = TestThread("first") { property.value = 1 }
        inside.wait()
        // Would not return if they waited.
        property.value = 2
        property.swap(3)
        property.modify { $0 += 1 }
        expect(property.value, is: 4)
        #expect(derived?.value ?? 4 == 4)
        expect(log.all, is: [])
        goOn.open()
        first.join()
        expect(log.all, is: [1, 2, 3, 4])
    }

    @Test("with .enqueue a set waits for the computation of a derived property, and readers see the previous value")
    func enqueuesBehindComputation() {
        let property = MutableProperty(0, contention: .enqueue)
        let (inside, goOn) = (Latch("the computation"), Latch("to go on"))
        let derived = property.map { value in
            if value == 1 {
                inside.open()
                goOn.wait()
            }
            return value * 10
        }
        let logs = [property.signal.logged(), derived.signal.logged()]
        let (other, unobserved) = (MutableProperty(7), property.map { $0 * 100 })
        let both = Property.combineLatest(unobserved, other, property)
        let first = TestThread("first") { property.value = 1 }
        inside.wait()
        let former = Locked<Int?>(nil)
        let second = TestThread("second") {
            property.value = 2
            former.withLock { $0 = property.swap(3) }
        }
        second.waitUntilAsleep()
        #expect(both.value == (0, 7, 0))
        expect([property.value, unobserved.value, derived.value], is: [0, 0, 0])
        goOn.open()
        first.join()
        second.join()
        expect(former.withLock { $0 }, is: 2)
        expect(logs.map(\.all), is: [["1", "2", "3"], ["10", "20", "30"]])
        #expect(both.value == (300, 7, 3))
    }

    @Test("with .enqueue a long event leaves a backlog that is delivered in order")
    func backlog() {
        let count = 30_000
        let property = MutableProperty(0, contention: .enqueue)
        let (inside, goOn) = (Latch("the event"), Latch("to go on"))
        let derived = property.map { $0 }
        let log = Log<Int>()
        derived.signal.observeNext { value in
            if value == 1 {
                inside.open()
                goOn.wait()
            }
            log.append(value)
        }
        let first = TestThread("first") { property.value = 1 }
        inside.wait()
        for number in 2...count { property.value = number }
        expect(property.swap(0), is: count)
        goOn.open()
        first.join()
        // A thread of the library delivers most of it.
        #expect(becomesTrue { log.count == count + 1 })
        #expect(log.all == Array(1...count) + [0])
    }

    @Test("with .enqueue a set does not wait for the event of a derived property, which is up to date for readers")
    func enqueuesBehindEvent() {
        let property = MutableProperty(0, contention: .enqueue)
        let (derived, unobserved) = (property.map { $0 * 10 }, property.map { $0 * 100 })
        let (inside, goOn) = (Latch("the event"), Latch("to go on"))
        let log = Log<Int>()
        derived.signal.observeNext { value in
            if value == 10 {
                inside.open()
                goOn.wait()
            }
            log.append(value)
        }
        let first = TestThread("first") { property.value = 1 }
        inside.wait()
        for value in 2...4 {
            property.value = value
            #expect((property.value, derived.value, unobserved.value) == (value, value * 10, value * 100))
        }
        expect(log.all, is: [])
        goOn.open()
        first.join()
        expect(log.all, is: [10, 20, 30, 40])
    }

    @Test("with .enqueue derived properties are up to date after a set, whatever other threads do")
    func enqueueRace() {
        for _ in 0..<200 {
            let (property, other) = (MutableProperty(0, contention: .enqueue), MutableProperty(0))
            let unobserved = property.map { $0 * 10 }.combineLatest(with: property).map { $0.0 + $0.1 }
            let observed = property.combineLatest(with: other).map { $0.0 * 10 + $0.1 * 0 }
            let log = Log<Int>()
            let observation = observed.producer.startWithNext { log.append($0) }
            let mistakes = Log<String>()
            onThreads(3, "enqueue") { thread in
                for number in 1...10 {
                    switch thread {
                    case 0:
                        property.value = number
                        let values = [property.value, unobserved.value, observed.value]
                        if values != [number, number * 11, number * 10] { mistakes.append("\(values) for \(number)") }
                    case 1: other.value = number
                    // These reads move computations and events to other threads.
                    default: _ = (unobserved.value, observed.value)
                    }
                }
            }
            expect(mistakes.all, is: [])
            #expect((property.value, unobserved.value, observed.value) == (10, 110, 100))
            expect(log.all.last, is: 100)
            expect(log.all, is: log.all.sorted())
            observation.dispose()
        }
    }

    @Test("properties derived from one with .enqueue have that contention policy")
    func contentionOfDerived() {
        let (quiet, plain) = (MutableProperty(0, contention: .enqueue), MutableProperty(0))
        expect(quiet.producer.contention, is: .enqueue)
        expect(quiet.map { $0 }.producer.contention, is: .enqueue)
        expect(plain.combineLatest(with: quiet).producer.contention, is: .enqueue)
        expect(quiet.flatMap(.latest) { _ in plain }.producer.contention, is: .enqueue)
        expect(Property(initial: 1, then: quiet.producer).producer.contention, is: .enqueue)
        expect(plain.producer.contention, is: .wait)
        expect(plain.map { $0 }.producer.contention, is: .wait)
    }

    @Test("a read does not wait for a computation")
    func readsAtAnyTime() {
        let property = MutableProperty(0)
        let (inside, goOn) = (Latch("the computation"), Latch("to go on"))
        let derived = property.map { value in
            if value == 1 {
                inside.open()
                goOn.wait()
            }
            return value
        }
        let log = derived.signal.logged()
        let unobserved = property.map { $0 + 1 }.combineLatest(with: derived)
        let thread = TestThread("setter") { property.value = 1 }
        inside.wait()
        // The new values are not visible yet: they become visible together.
        #expect((property.value, derived.value) == (0, 0))
        #expect(unobserved.value == (1, 0))
        goOn.open()
        thread.join()
        expect(property.value, is: 1)
        expect(derived.value, is: 1)
        #expect(unobserved.value == (2, 1))
        expect(log.all, is: ["1"])
    }

    @Test("two properties that set each other on two threads never deadlock")
    func cycles() {
        for _ in 0..<200 {
            let (first, second) = (MutableProperty(0), MutableProperty(0))
            let joined = first.combineLatest(with: second)
            first.signal.observeNext { [weak second] value in if value > 0 { second?.value = -value } }
            second.signal.observeNext { [weak first] value in if value > 0 { first?.value = -value } }
            let log = joined.logged()
            onThreads(2, "cycle") { thread in
                for number in 1...5 { if thread == 0 { first.value = number } else { second.value = number } }
            }
            #expect(joined.value == (first.value, second.value))
            expect(log.all.last, is: "\(joined.value)")
        }
    }

    @Test("its release does not wait for another thread's event")
    func endNeverWaits() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let (inside, goOn) = (Latch("the event"), Latch("the release"))
        var property: MutableProperty<Int>? = MutableProperty(0)
        property! <~ signal
        let log = property!.signal.logged()
        property!.signal.observeNext { _ in
            inside.open()
            goOn.wait()
        }
        let thread = TestThread("sends") { input.sendNext(1) }
        inside.wait()
        property = nil
        goOn.open()
        thread.join()
        expect(log.all, is: ["1", "completed"])
        input.sendCompleted()
    }
}
