import ReactiveSignals
import TestSupport
import Testing

@Suite("FlattenStrategy")
struct FlattenStrategyTests {
    @Test("is printed as it is written")
    func description() {
        expect(FlattenStrategy.merge.description, is: ".merge")
        expect(FlattenStrategy.concat.description, is: ".concat")
        expect(FlattenStrategy.concurrent(limit: 2).description, is: ".concurrent(limit: 2)")
        expect(FlattenStrategy.latest.description, is: ".latest")
        expect(FlattenStrategy.race.description, is: ".race")
        expect(FlattenStrategy.throttle.description, is: ".throttle")
    }

    @Test("is equal to one that does the same")
    func equality() {
        expect(FlattenStrategy.concat, is: .concurrent(limit: 1))
        expect(FlattenStrategy.merge, is: .concurrent(limit: .max))
        #expect(FlattenStrategy.concurrent(limit: 2) != .concurrent(limit: 3))
        let all: [FlattenStrategy] = [.merge, .concat, .concurrent(limit: 2), .latest, .race, .throttle]
        for (index, strategy) in all.enumerated() {
            expect(all.firstIndex(of: strategy), is: index)
        }
    }

    @Test("has no limit that is not positive")
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
}
