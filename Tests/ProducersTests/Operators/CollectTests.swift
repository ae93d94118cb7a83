import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("collect of producers")
struct CollectTests {
    private let numbers = Numbers(1...5)

    @Test("sends all values as one array on completion")
    func all() {
        expect(numbers.collect().logged().all, is: ["[1, 2, 3, 4, 5]", "completed"])
        expect(Numbers.empty.collect().logged().all, is: ["[]", "completed"])
    }

    @Test("sends arrays of a count, and the rest on completion")
    func count() {
        expect(numbers.collect(count: 2).logged().all, is: ["[1, 2]", "[3, 4]", "[5]", "completed"])
        expect(numbers.collect(count: 5).logged().all, is: ["[1, 2, 3, 4, 5]", "completed"], "an exact multiple")
        expect(Numbers.empty.collect(count: 2).logged().all, is: ["[]", "completed"])
    }

    @Test("ends an array with the value for which the closure returns `true`, or starts a new one with it")
    func predicates() {
        expect(
            numbers.collect { $0.reduce(0, +) >= 3 }.logged().all, is: ["[1, 2]", "[3]", "[4]", "[5]", "completed"])
        expect(numbers.collect { $0.isEmpty }.logged().all, is: ["[1, 2, 3, 4, 5]", "completed"])
        expect(numbers.collect { $1 % 2 == 0 }.logged().all, is: ["[1]", "[2, 3]", "[4, 5]", "completed"])
        expect(Numbers.empty.collect { $1 > 0 }.logged().all, is: ["[]", "completed"])
    }

    @Test("sends an array as soon as it is full, and requests no more from an endless source than is needed")
    func atOnce() {
        let manual = Manual()
        let log = manual.producer.collect(count: 2).take(first: 1).logged()
        manual.input?.sendNext(1)
        #expect(log.all.isEmpty)
        manual.input?.sendNext(2)
        expect(log.all, is: ["[1, 2]", "completed"])
        expect(manual.disposals.value, is: 1)
        let asked = Counter()
        let pairs = Numbers(CountedNumbers(asked)).collect(count: 2).take(first: 2)
        expect(pairs.logged().all, is: ["[0, 1]", "[2, 3]", "completed"])
        expect(asked.value, is: 4)
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: [], flushed: ["[1]"]) { $0.collect() }
        expectFollows(values: ["[1]"]) { $0.collect(count: 1) }
        expectFollows(values: [], flushed: ["[1]"]) { $0.collect(count: 2) }
        expectFollows(values: [], flushed: ["[1]"]) { $0.collect { $0.count == 2 } }
        expectFollows(values: [], flushed: ["[1]"]) { $0.collect { values, _ in values.count == 1 } }
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.collect { member.through($0.count > 1) } }
        expectReleases { source, member in source.collect { member.through($0.count > $1) } }
        // Releases the values collected so far, too.
        expectReleases { source, member in source.prefix(value: 1).map { _ in member }.collect() }
        expectReleases { source, member in source.prefix(value: 1).map { _ in member }.collect(count: 2) }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.collect().name, is: "[never] -collect")
        expect(Numbers.never.collect(count: 3).name, is: "[never] -collect(count: 3)")
        expect(Numbers.never.collect { $0.isEmpty }.name, is: "[never] -collect:")
        expect(Numbers.never.collect { $0.count > $1 }.name, is: "[never] -collect:")
    }

    @Test("traps unless the count is positive")
    func notPositive() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.collect(count: 0)
        }
        zero.expectTrap("collect(count: 0)")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.collect(count: -3)
        }
        negative.expectTrap("collect(count: -3)")
    }
}
