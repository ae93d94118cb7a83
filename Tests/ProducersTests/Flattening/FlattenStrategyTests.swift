import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("FlattenStrategy")
struct FlattenStrategyTests {
    @Test("its description is its source form")
    func description() {
        expect(FlattenStrategy.merge.description, is: ".merge")
        expect(FlattenStrategy.concat.description, is: ".concat")
        expect(FlattenStrategy.concurrent(limit: 2).description, is: ".concurrent(limit: 2)")
        expect(FlattenStrategy.latest.description, is: ".latest")
        expect(FlattenStrategy.race.description, is: ".race")
        expect(FlattenStrategy.throttle.description, is: ".throttle")
        expect(
            FlattenStrategy.concurrent(limit: 2, ordered: true).description, is: ".concurrent(limit: 2, ordered: true)")
        expect(
            FlattenStrategy.concat(waiting: 3, whenFull: .dropOldest).description,
            is: ".concat(waiting: 3, whenFull: .dropOldest)")
        expect(
            FlattenStrategy.concurrent(limit: 2, ordered: true, waiting: 3, whenFull: .fail).description,
            is: ".concurrent(limit: 2, ordered: true, waiting: 3, whenFull: .fail)")
    }

    @Test("is equal to a strategy with the same behavior")
    func equality() {
        expect(FlattenStrategy.concat, is: .concurrent(limit: 1))
        expect(FlattenStrategy.merge, is: .concurrent(limit: .max))
        #expect(FlattenStrategy.concurrent(limit: 2) != .concurrent(limit: 3))
        expect(FlattenStrategy.concurrent(limit: 1, ordered: true), is: .concat)
        expect(FlattenStrategy.concurrent(limit: 2, ordered: false), is: .concurrent(limit: 2))
        expect(
            FlattenStrategy.concat(waiting: 3, whenFull: .fail),
            is: .concurrent(limit: 1, waiting: 3, whenFull: .fail))
        #expect(FlattenStrategy.concat(waiting: 3, whenFull: .fail) != .concat(waiting: 3, whenFull: .dropNewest))
        let all: [FlattenStrategy] = [
            .merge, .concat, .concurrent(limit: 2), .latest, .race, .throttle, .concurrent(limit: 2, ordered: true),
            .concat(waiting: 3, whenFull: .fail), .concat(waiting: 4, whenFull: .fail),
        ]
        for (index, strategy) in all.enumerated() {
            expect(all.firstIndex(of: strategy), is: index)
        }
    }

    @Test("traps unless the limit is positive")
    func limit() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FlattenStrategy.concurrent(limit: 0)
        }
        zero.expectTrap("concurrent(limit: 0)")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FlattenStrategy.concurrent(limit: -1)
        }
        negative.expectTrap("concurrent(limit: -1): the limit must be positive")
    }

    @Test("traps when the queue's bound is negative, or when it can fail without an error")
    func bound() async throws {
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FlattenStrategy.concat(waiting: -1, whenFull: .dropOldest)
        }
        negative.expectTrap("concat(waiting: -1)")
        let many = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FlattenStrategy.concurrent(limit: 2, waiting: -1, whenFull: .dropOldest)
        }
        many.expectTrap("concurrent(limit: 2, waiting: -1)")
        let ordered = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FlattenStrategy.concurrent(limit: 0, ordered: true)
        }
        ordered.expectTrap("concurrent(limit: 0)")
        let mapped = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.flatMap(.concat(waiting: 1, whenFull: .fail)) { Numbers(value: $0) }
        }
        mapped.expectTrap(
            "flatMap: .concat(waiting: 1, whenFull: .fail): the overflow .fail needs the parameter raising")
        let flattened = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Numbers, TestError>.never.flatten(.concurrent(limit: 2, waiting: 0, whenFull: .fail))
        }
        flattened.expectTrap("flatten: .concurrent(limit: 2, waiting: 0, whenFull: .fail)")
    }
}
