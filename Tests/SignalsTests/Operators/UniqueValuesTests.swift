import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("uniqueValues")
struct UniqueValuesTests {
    /// A hashable value that is counted.
    private struct Key: Hashable {
        let number: Int
        let member: Population.Member

        static func == (one: Key, other: Key) -> Bool { one.number == other.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    /// A value that is not equal to itself, and that is counted.
    private struct Unequal: Hashable {
        let member: Population.Member

        static func == (_: Unequal, _: Unequal) -> Bool { false }
        func hash(into hasher: inout Hasher) {}
    }

    /// The values whose identity is not among the last `capacity` new ones.
    private func unique(_ values: [Int], capacity: Int = .max, _ identity: (Int) -> Int = { $0 }) -> [String] {
        var remembered: [Int] = []
        return values.compactMap { value in
            guard !remembered.contains(identity(value)) else { return nil }
            remembered.append(identity(value))
            if remembered.count > capacity { remembered.removeFirst() }
            return "\(value)"
        }
    }

    @Test("drops values that it has already sent")
    func drops() {
        expectModel {
            $0.uniqueValues()
        } does: { values, ending in
            unique(values) + [ending?.text].compactMap(\.self)
        }
    }

    @Test("drops values whose identity it has already seen")
    func identity() {
        expectModel {
            $0.uniqueValues { $0 % 2 }
        } does: { values, ending in
            unique(values) { $0 % 2 } + [ending?.text].compactMap(\.self)
        }
    }

    @Test("with a capacity, drops values that are among the last distinct ones", arguments: 1...4)
    func capacity(capacity: Int) {
        expectModel {
            $0.uniqueValues(capacity: capacity)
        } does: { values, ending in
            unique(values, capacity: capacity) + [ending?.text].compactMap(\.self)
        }
        expectModel {
            $0.uniqueValues(capacity: capacity) { $0 % 2 }
        } does: { values, ending in
            unique(values, capacity: capacity) { $0 % 2 } + [ending?.text].compactMap(\.self)
        }
    }

    @Test("forgets the oldest value first, even if that was repeated")
    func forgets() {
        let (source, input) = Source.pipe()
        let log = source.uniqueValues(capacity: 2).logged()
        for value in [1, 2, 1, 3, 1] { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "3", "1", "completed"])
    }

    @Test("with the largest capacity, forgets nothing")
    func greatest() {
        let (source, input) = Source.pipe()
        let log = source.uniqueValues(capacity: .max).logged()
        for value in [1, 2, 1, 3, 2] { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "3", "completed"])
    }

    @Test("treats nil as a value")
    func optional() {
        let (source, input) = Signal<Int?, Never>.pipe()
        let log = source.uniqueValues().logged()
        for value in [nil, 1, nil, 1] { input.sendNext(value) }
        expect(log.all, is: ["nil", "Optional(1)"])
        withExtendedLifetime(input) {}
    }

    @Test("sends each value that is not equal to itself, and forgets no other value for it")
    func notANumber() {
        let (source, input) = Signal<Double, Never>.pipe()
        let all = source.uniqueValues().logged()
        let last = source.uniqueValues(capacity: 1).logged()
        for value in [1, .nan, .nan, 1] { input.sendNext(value) }
        expect(all.all, is: ["1.0", "nan", "nan"])
        expect(last.all, is: ["1.0", "nan", "nan"])
        withExtendedLifetime(input) {}
    }

    @Test("does not store a value that is not equal to itself", arguments: [1, 2, Int.max])
    func storesNoUnequal(capacity: Int) {
        let population = Population()
        let (source, input) = Signal<Unequal, Never>.pipe()
        let result = capacity == .max ? source.uniqueValues() : source.uniqueValues(capacity: capacity)
        let count = Log<Int>()
        result.observeNext { _ in count.append(1) }
        for sent in 1...5 {
            input.sendNext(Unequal(member: population.member()))
            expect(count.count, is: sent)
            expect(population.alive, is: 0)
        }
        withExtendedLifetime(input) {}
    }

    @Test("calls its closure once per value for any number of observers")
    func asksOnce() {
        for capacity in [Int?.none, 2] {
            let (source, input) = Source.pipe()
            let asked = Log<Int>()
            let identity: @Sendable (Int) -> Int = { value in
                asked.append(value)
                return value
            }
            let result =
                capacity.map { source.uniqueValues(capacity: $0, identity) } ?? source.uniqueValues(identity)
            let logs = (0..<3).map { _ in result.logged() }
            for value in [1, 1, 2] { input.sendNext(value) }
            expect(asked.all, is: [1, 1, 2])
            for log in logs { expect(log.all, is: ["1", "2"]) }
            withExtendedLifetime(input) {}
        }
    }

    @Test("remembers values for all observers together")
    func shared() {
        let (source, input) = Source.pipe()
        let result = source.uniqueValues()
        input.sendNext(1)
        let log = result.logged()
        for value in [1, 2] { input.sendNext(value) }
        expect(log.all, is: ["2"])
        withExtendedLifetime(input) {}
    }

    @Test("drops a repeated value that its observer sends")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.uniqueValues().observe { event in
            log.append(event.text)
            guard let value = event.value, value < 3 else { return }
            input.sendNext(value)
            input.sendNext(value + 1)
        }
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "3", "completed"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() {
        expectForwardsTerminals { $0.uniqueValues() }
        expectForwardsTerminals { $0.uniqueValues { $0 } }
        expectForwardsTerminals { $0.uniqueValues(capacity: 1) }
        expectForwardsTerminals { $0.uniqueValues(capacity: 1) { $0 } }
    }

    @Test("retains all values, or those within its capacity, until the source ends", arguments: [1, 2, 3, Int.max])
    func releases(capacity: Int) {
        for ending in [Event<Key, TestError>.completed, .error(.first), .interrupted] {
            let population = Population()
            let (source, input) = Signal<Key, TestError>.pipe()
            let result = capacity == .max ? source.uniqueValues() : source.uniqueValues(capacity: capacity)
            for sent in 1...5 {
                for _ in 0..<2 { input.sendNext(Key(number: sent, member: population.member())) }
                expect(population.alive, is: min(sent, capacity))
            }
            input.send(ending)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
    }

    @Test("releases all values when it is disposed of")
    func disposal() {
        let population = Population()
        let (source, input) = Source.pipe()
        let all: @Sendable (Int) -> Key = { Key(number: $0, member: population.member()) }
        let unbounded = source.uniqueValues(all).observe { _ in }
        let bounded = source.uniqueValues(capacity: 2, all).observe { _ in }
        input.sendNext(1)
        expect(population.alive, is: 2)
        unbounded?.dispose()
        expect(population.alive, is: 1)
        bounded?.dispose()
        expect(population.alive, is: 0)
        withExtendedLifetime((source, input)) {}
    }

    @Test("releases its closure when the source ends")
    func releasesClosure() {
        expectReleasesClosure { source, member in
            source.uniqueValues { value in
                member.touch()
                return value
            }
        }
        expectReleasesClosure { source, member in
            source.uniqueValues(capacity: 2) { value in
                member.touch()
                return value
            }
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.uniqueValues().name, is: "[never] -uniqueValues")
        expect(Source.never.uniqueValues { $0 }.name, is: "[never] -uniqueValues:")
        expect(Source.never.uniqueValues(capacity: 2).name, is: "[never] -uniqueValues(capacity: 2)")
        expect(Source.never.uniqueValues(capacity: 3) { $0 }.name, is: "[never] -uniqueValues(capacity: 3)")
    }

    @Test("traps when the capacity is zero")
    func zero() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.uniqueValues(capacity: 0)
        }
        result.expectTrap("uniqueValues(capacity: 0)")
    }

    @Test("traps when the capacity is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.uniqueValues(capacity: -1) { $0 }
        }
        result.expectTrap("uniqueValues(capacity: -1)")
    }
}
