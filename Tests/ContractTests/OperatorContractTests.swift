import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// The checks of one operator: one test case, as 18,000 cases of one check each cost more than the checks do.
struct ContractCase: Sendable, CustomTestStringConvertible {
    let entry: Entry
    let checks: [ContractCheck]

    var testDescription: String { entry.testDescription }

    /// Every check of every operator. Under the thread sanitizer, only those with more than one thread.
    static let table = cases(of: [.plain] + Entry.table) { check, entry in
        !check.isRace
            && (Sanitizer.current != .thread || check.usesThreads || entry.contract.traits.isAsynchronous)
    }
    /// The races, which depend on how operators are built, not on what they do.
    static let races = cases(of: Entry.raced) { check, _ in check.isRace }
    /// The stack checks, without an operator.
    static let stack = cases(of: [.plain]) { check, _ in check.contracts == [10] }

    private static func cases(
        of entries: [Entry], _ isIncluded: (ContractCheck, Entry) -> Bool
    ) -> [ContractCase] {
        entries.map { entry in
            ContractCase(
                entry: entry,
                checks: ContractCheck.all.filter { $0.applies(entry.contract) && isIncluded($0, entry) })
        }
    }

    func expectNothingFound(rounds: Int, depth: Int = 10_000) {
        for check in checks {
            let (violations, _) = check.run(entry.contract, rounds: rounds, depth: depth, patience: patience)
            for violation in violations { Issue.record("\(entry.testDescription): \(violation)") }
        }
    }
}

/// All contracts of the design that concern one operator, for each operator, as the public checker checks them.
@Suite("Operator contract", .watched)
struct OperatorContractTests {
    @Test("every operator passes every check", arguments: ContractCase.table)
    func contract(_ testCase: ContractCase) { testCase.expectNothingFound(rounds: rounds, depth: depth) }

    /// The thread sanitizer detects a race in the first round that has both accesses. Optimized code, without a
    /// sanitizer, collides most often, so that is where many rounds pay.
    private var rounds: Int {
        switch Sanitizer.current {
        case .thread: return 5
        case .address: return 25
        case nil:
            #if DEBUG
            return 25
            #else
            return 100
            #endif
        }
    }

    /// So many nested values that even one frame for each would overflow the check's stack of half a MiB. Frames are
    /// larger and slower in unoptimized or sanitized code.
    private var depth: Int {
        #if DEBUG
        2_500
        #else
        Sanitizer.current == nil ? 10_000 : 2_500
        #endif
    }

    @Test("every kind of operator passes many rounds of each race", arguments: ContractCase.races)
    func races(_ testCase: ContractCase) { testCase.expectNothingFound(rounds: raceRounds) }

    @Test(
        "more nested values than the stack could hold do not overflow it",
        .notUnderSanitizers, arguments: ContractCase.stack)
    func nested(_ testCase: ContractCase) { testCase.expectNothingFound(rounds: 1, depth: manyLevels) }

    @Test(
        "every check applies to operators in the table, and every operator is in most checks", .notUnderThreadSanitizer)
    func isComplete() {
        // At least one case per check, or seven per race, and 20 checks per operator.
        for check in ContractCheck.all {
            let cases = check.isRace ? ContractCase.races : ContractCase.table
            let count = cases.count { $0.checks.contains { $0.rule == check.rule } }
            #expect(count >= (check.isRace ? 7 : 1), "\(check.rule)")
        }
        for testCase in ContractCase.table { #expect(testCase.checks.count >= 20, "\(testCase.entry)") }
        expect(Set(ContractCheck.all.map(\.rule)).count, is: ContractCheck.all.count)
    }
}
