import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("uniqueValues of producers")
struct UniqueValuesTests {
    @Test("drops a value that has already arrived in the same start")
    func unique() {
        let numbers = Numbers([1, 2, 1, 3, 2])
        for _ in 0..<2 {
            expect(numbers.uniqueValues().logged().all, is: ["1", "2", "3", "completed"])
            expect(numbers.uniqueValues { $0 % 2 }.logged().all, is: ["1", "2", "completed"])
        }
        let producer = numbers.uniqueValues()
        for _ in 0..<2 { expect(producer.logged().all, is: ["1", "2", "3", "completed"], "the same producer") }
    }

    @Test("evicts the oldest value when it has reached its capacity")
    func bounded() {
        let producer = Numbers([1, 2, 1, 3, 1, 2]).uniqueValues(capacity: 2)
        for _ in 0..<2 { expect(producer.logged().all, is: ["1", "2", "3", "1", "2", "completed"]) }
        expect(Numbers([1, 1, 2, 1]).uniqueValues(capacity: 1).logged().all, is: ["1", "2", "1", "completed"])
        expect(
            Numbers([1, 3, 2, 1]).uniqueValues(capacity: 1) { $0 % 2 }.logged().all, is: ["1", "2", "1", "completed"])
    }

    @Test("requests no more from an endless source than it needs for its output")
    func endless() {
        let asked = Counter()
        let numbers = Numbers(CountedNumbers(asked)).uniqueValues { $0 / 3 }.take(first: 2)
        expect(numbers.logged().all, is: ["0", "3", "completed"])
        expect(asked.value, is: 4)
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows { $0.uniqueValues() }
        expectFollows { $0.uniqueValues { $0 } }
        expectFollows { $0.uniqueValues(capacity: 2) }
        expectFollows { $0.uniqueValues(capacity: 2) { $0 } }
    }

    @Test("holds neither its closure nor an identity once it has ended")
    func releases() {
        expectReleases { source, member in source.uniqueValues { member.through($0) } }
        expectReleases { source, member in source.uniqueValues(capacity: 2) { member.through($0) } }
        expectReleases { source, member in source.prefix(value: 1).uniqueValues { _ in Identity(member: member) } }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.uniqueValues().name, is: "[never] -uniqueValues")
        expect(Numbers.never.uniqueValues { $0 }.name, is: "[never] -uniqueValues:")
        expect(Numbers.never.uniqueValues(capacity: 2).name, is: "[never] -uniqueValues(capacity: 2)")
        expect(Numbers.never.uniqueValues(capacity: 3) { $0 }.name, is: "[never] -uniqueValues(capacity: 3)")
    }

    @Test("traps unless the capacity is positive")
    func notPositive() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.uniqueValues(capacity: 0)
        }
        zero.expectTrap("uniqueValues(capacity: 0)")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.uniqueValues(capacity: -1) { $0 }
        }
        negative.expectTrap("uniqueValues(capacity: -1)")
    }
}

/// An identity that holds a member.
private struct Identity: Hashable, Sendable {
    let member: Population.Member

    static func == (first: Identity, second: Identity) -> Bool { first.member === second.member }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(member)) }
}
