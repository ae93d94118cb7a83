import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("A transaction", .watched)
struct TransactionTests {
    @Test("changes its properties in one step, with one event each, and returns the body's result")
    func together() {
        let (first, second) = (MutableProperty(1), MutableProperty("a"))
        let both = first.combineLatest(with: second).map { "\($0.0)\($0.1)" }
        let logs = [first.signal.logged(), second.signal.logged(), both.signal.logged()]
        let seen = Log<String>()
        first.signal.observeNext { _ in seen.append(both.value) }
        let result = Property.transaction(first, second) { number, text in
            (number, text) = (2, "b")
            return number * 10
        }
        expect(result, is: 20)
        expect(logs.map(\.all), is: [["2"], ["b"], ["2b"]])
        expect(seen.all, is: ["2b"])
        // Each property sends an event, even if it stays as it is.
        Property.transaction(first, second) { number, _ in number = 3 }
        expect(logs.map(\.all), is: [["2", "3"], ["b", "b"], ["2b", "3b"]])
    }

    @Test("changes nothing and sends nothing if its body throws")
    func thrown() {
        let (first, second) = (MutableProperty(1), MutableProperty(2))
        let sum = first.combineLatest(with: second).map { $0 + $1 }
        let logs = [first.signal.logged(), second.signal.logged(), sum.signal.logged()]
        #expect(throws: TestError.first) {
            try Property.transaction(first, second) { (one: inout Int, two: inout Int) throws(TestError) in
                (one, two) = (5, 6)
                throw .first
            }
        }
        expect([first.value, second.value, sum.value], is: [1, 2, 3])
        expect(logs.map(\.all), is: [[], [], []])
        Property.transaction(first, second) { one, two in (one, two) = (two, one) }
        expect(logs.map(\.all), is: [["2"], ["1"], ["3"]])
    }

    @Test("changes three properties, or any number of one type")
    func several() {
        let properties = (0..<5).map { MutableProperty($0) }
        let sum = Property.combineLatest(properties).map { $0.reduce(0, +) }
        let log = sum.signal.logged()
        Property.transaction(properties[0], properties[1], properties[2]) { $0 += $1 + $2 }
        expect(properties.map(\.value), is: [3, 1, 2, 3, 4])
        let former = Property.transaction(properties) { values in
            defer { values.reverse() }
            return values
        }
        expect(former, is: [3, 1, 2, 3, 4])
        expect(properties.map(\.value), is: [4, 3, 2, 1, 3])
        expect(log.all, is: ["13", "13"])
        expect(Property.transaction([MutableProperty<Int>]()) { $0.count }, is: 0)
    }

    @Test("can read other properties in its body")
    func reads() {
        let (first, second, limit) = (MutableProperty(0), MutableProperty(0), MutableProperty(7))
        let double = limit.map { $0 * 2 }
        Property.transaction(first, second) { one, two in (one, two) = (limit.value, double.value) }
        expect([first.value, second.value], is: [7, 14])
    }

    @Test("changes what is bound to its properties, and what validates them")
    func boundAndValidated() {
        let (first, second, bound) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
        first <~> bound
        let validating = ValidatingProperty<Int, TestError>(second) { $0 < 10 ? .valid : .invalid(.first) }
        let all = Property.combineLatest(first, second, bound).combineLatest(with: validating.result)
        let log = all.signal.map { "\($0.0.0) \($0.0.1) \($0.0.2) \($0.1.isInvalid)" }.logged()
        Property.transaction(first, second) { $0 = $1 + 5 }
        Property.transaction(second, first) { $0 = $1 + 5 }
        expect(log.all, is: ["5 0 5 false", "5 10 5 true"])
        expect(validating.result.value, is: .invalid(10, .first))
    }

    @Test("does not wait for observers of properties with .enqueue")
    func enqueues() {
        let properties = (0..<2).map { MutableProperty($0, contention: .enqueue) }
        let (inside, goOn) = (Latch("the event"), Latch("to go on"))
        let log = Log<Int>()
        properties[0].signal.observeNext { value in
            if value == 5 {
                inside.open()
                goOn.wait()
            }
            log.append(value)
        }
        let thread = TestThread("is in an event") { properties[0].value = 5 }
        inside.wait()
        // Would not return if it waited.
        Property.transaction(properties[0], properties[1]) { ($0, $1) = (6, 7) }
        expect(properties.map(\.value), is: [6, 7])
        goOn.open()
        thread.join()
        expect(log.all, is: [5, 6])
    }

    @Test("is followed by the end of a property that is released in its body")
    func released() {
        let (owner, other) = (Owner(0), MutableProperty(0))
        let log = owner.property.signal.logged()
        Property.transaction(owner.property, other) { one, two in
            owner.release()
            (one, two) = (1, 1)
        }
        expect(log.all, is: ["1", "completed"])
        expect(other.value, is: 1)
    }

    @Test("keeps out other changes, but not readers")
    func exclusion() {
        let (first, second) = (MutableProperty([1]), MutableProperty([2]))
        let sum = first.combineLatest(with: second).map { $0.count + $1.count }
        let setters = Log<TestThread>()
        Property.transaction(first, second) { one, two in
            let thread = TestThread("sets") { second.value = [] }
            thread.waitUntilAsleep()
            setters.append(thread)
            one.append(0)
            two.append(0)
            TestThread("reads") { expect([first.value.count, second.value.count, sum.value], is: [1, 1, 2]) }.join()
        }
        for thread in setters.all { thread.join() }
        expect([first.value, second.value], is: [[1, 0], []])
    }

    /// Sets a property when it is released.
    private final class Setter: Sendable {
        let target: MutableProperty<Int>

        init(_ target: MutableProperty<Int>) { self.target = target }

        deinit { target.modify { $0 += 1 } }
    }

    @Test(
        "releases what it replaces, and what a body that throws drops, when nothing is owned", arguments: [false, true])
    func releases(isObserved: Bool) {
        let target = MutableProperty(0)
        let (first, second) = (MutableProperty(Setter(target)), MutableProperty(Setter(target)))
        let both = first.combineLatest(with: second).map { $0.0.target.value + $0.1.target.value }
        if isObserved { both.signal.observeNext { _ in } }
        Property.transaction(first, second) { ($0, $1) = (Setter(target), Setter(target)) }
        expect(target.value, is: 2)
        try? Property.transaction(first, second) { (one: inout Setter, two: inout Setter) throws(TestError) in
            (one, two) = (Setter(target), Setter(target))
            throw .first
        }
        expect(target.value, is: 4)
        Property.transaction([first, second]) { $0 = [Setter(target), Setter(target)] }
        expect(target.value, is: 6)
    }

    @Test("is seen as a whole by readers of properties that nobody observes")
    func unobserved() {
        let (first, second) = (MutableProperty(0), MutableProperty(0))
        let sum = first.combineLatest(with: second).map { $0 + $1 }
        let mistakes = Log<Int>()
        onThreads(4, "moves and reads") { thread in
            for number in 0..<20 * raceRounds {
                // In both orders.
                let (from, to) = thread.isMultiple(of: 2) ? (first, second) : (second, first)
                if thread < 3 { Property.transaction(from, to) { ($0, $1) = ($0 - number, $1 + number) } }
                let value = sum.value
                if value != 0 { mistakes.append(value) }
            }
        }
        expect(mistakes.all, is: [])
    }

    @Test("is followed by a set that an observer of one of its properties makes of the other one")
    func setByObserver() {
        let (first, second) = (MutableProperty(0), MutableProperty(0))
        let log = Log<String>()
        let observations = [
            first.signal.observeNext { value in
                log.append("first \(value) \(second.value)")
                if value == 1 { second.value = 5 }
            },
            second.signal.observeNext { log.append("second \($0) \(first.value)") },
        ]
        Property.transaction(first, second) { ($0, $1) = (1, 2) }
        // The observers retain the properties.
        for observation in observations { observation?.dispose() }
        expect(log.all, is: ["first 1 2", "second 2 1", "second 5 1"])
    }

    // MARK: Traps

    enum Mistake: String, CaseIterable, Codable, Sendable {
        case twice, bound, reads, readsDerived, sets, modifies, nests, counts
    }

    @Test("traps if it is misused", arguments: Mistake.allCases)
    func mistakes(_ mistake: Mistake) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
            let (first, second) = (MutableProperty(0).named("first"), MutableProperty(0).named("second"))
            let third = MutableProperty(0)
            let sum = first.combineLatest(with: second).map { $0 + $1 }
            sum.signal.observeNext { _ in }
            if mistake == .bound { first <~> second }
            switch mistake {
            case .twice: Property.transaction([first, second, first]) { $0[0] = 1 }
            case .bound: Property.transaction(first, second) { $0 = $1 }
            case .counts: Property.transaction([first, second]) { $0 = [] }
            default:
                Property.transaction(first, second) { one, _ in
                    switch mistake {
                    case .reads: one = second.value
                    case .readsDerived: one = sum.value
                    case .sets: third.value = 1
                    case .modifies: third.modify { $0 = 1 }
                    default: Property.transaction(third, second) { $0 = $1 }
                    }
                }
            }
            fatalError("It has returned.")
        }
        let texts: [Mistake: String] = [
            .twice: "Property.transaction: a property is named twice, or is bound to another one with <~>: first",
            .bound: "Property.transaction: a property is named twice, or is bound to another one with <~>: second",
            .reads: "a property must not be used in the body of its own modify or withValue",
            .readsDerived: "a property must not be used in the body of its own modify or withValue",
            .counts: "Property.transaction: 0 values for 2 properties",
        ]
        let text = texts[mistake] ?? "a property was set in the body of modify, withValue or transaction of another one"
        #expect(result.message.contains(text), "\(result.message)")
    }

    // MARK: Against models

    /// Properties derived from roots at random, and what they should be.
    private struct Graph {
        let roots = (0..<5).map { MutableProperty($0) }
        /// Each with the roots that it adds up.
        let members: [(property: Property<Int>, roots: [Int])]
        let logs: [Log<Int>]

        init(_ random: inout SplitMix64) {
            let roots = roots
            var members: [(property: Property<Int>, roots: [Int])] = roots.indices.map { (Property(roots[$0]), [$0]) }
            for _ in 0..<6 {
                let (left, right) = (random.pick(members), random.pick(members))
                let both = left.property.combineLatest(with: right.property).map { $0 &+ $1 }
                members.append((both, left.roots + right.roots))
                if random.once(in: 3) { members.append((right.property.map { $0 }, right.roots)) }
            }
            let logs = members.map { _ in Log<Int>() }
            for (member, log) in zip(members, logs) { member.property.signal.observeNext { log.append($0) } }
            (self.members, self.logs) = (members, logs)
        }
    }

    @Test("agrees with a model, in random graphs")
    func model() {
        var random = SplitMix64(seed: .random(in: 0...UInt64(UInt32.max)))
        print("transactions: seed \(random)")
        for _ in 0..<raceRounds {
            let graph = Graph(&random)
            var values = graph.roots.map(\.value)
            for _ in 0..<100 {
                let counts = graph.logs.map(\.count)
                var changed: Set<Int> = []
                while changed.count < 2 { changed.insert(random.number(in: 0...4)) }
                if random.once(in: 4) { changed.insert(random.number(in: 0...4)) }
                let (places, news) = (Array(changed), changed.map { _ in random.number(in: 0...9) })
                let isThrown = random.once(in: 5)
                let body = { (values: inout [Int]) throws(TestError) in
                    values = news
                    if isThrown { throw .first }
                }
                try? Property.transaction(places.map { graph.roots[$0] }, body)
                if !isThrown { for (place, new) in zip(places, news) { values[place] = new } }
                for (number, member) in graph.members.enumerated() {
                    let expected = member.roots.reduce(0) { $0 &+ values[$1] }
                    let events = graph.logs[number].all.dropFirst(counts[number])
                    let isDue = !isThrown && !changed.isDisjoint(with: member.roots)
                    if member.property.value != expected || Array(events) != (isDue ? [expected] : []) {
                        Issue.record("\(member.property.value) and \(events), not \(expected)")
                        return
                    }
                }
            }
        }
    }

    @Test("moves amounts between properties on four threads, so that every reader and observer sees the same total")
    func totals() {
        let count = 5
        let accounts = (0..<count).map { _ in MutableProperty(100) }
        let total = Property.combineLatest(accounts).map { $0.reduce(0, +) }
        let halves = accounts[0].combineLatest(with: accounts[1]).combineLatest(
            with: accounts[2].combineLatest(with: accounts[3]).combineLatest(with: accounts[4]))
        let sum = halves.map { $0.0.0 + $0.0.1 + $0.1.0.0 + $0.1.0.1 + $0.1.1 }
        let mistakes = Log<Int>()
        let observations = [total, sum].map { $0.signal.observeNext { if $0 != 500 { mistakes.append($0) } } }
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        onThreads(4, "moves") { thread in
            var random = SplitMix64(seed: seed &+ UInt64(thread))
            for _ in 0..<25 * raceRounds {
                let from = random.number(in: 0...count - 1)
                let to = (from + random.number(in: 1...count - 1)) % count
                let amount = random.number(in: 0...9)
                Property.transaction(accounts[from], accounts[to]) { from, to in
                    from -= amount
                    to += amount
                }
                for value in [total.value, sum.value] where value != 500 { mistakes.append(value) }
            }
        }
        #expect(mistakes.all == [], "seed \(seed)")
        expect(accounts.map(\.value).reduce(0, +), is: 500)
        for observation in observations { observation?.dispose() }
    }
}
