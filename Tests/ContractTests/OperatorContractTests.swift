import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// One check of one operator.
struct ContractCase: Sendable, CustomTestStringConvertible {
    let entry: Entry
    let check: ContractCheck

    var testDescription: String { "\(entry.testDescription): \(check.rule)" }

    /// Every check of every operator. Under the thread sanitizer, only those with more than one thread.
    static let table = cases(of: [.plain] + Entry.table, ContractCheck.all.filter { !$0.isRace }).filter {
        Sanitizer.current != .thread || $0.check.usesThreads || $0.entry.contract.traits.isAsynchronous
    }
    /// The races, which depend on how operators are built, not on what they do.
    static let races = cases(of: Entry.raced, ContractCheck.all.filter(\.isRace))
    /// The stack checks, without an operator.
    static let stack = cases(of: [.plain], ContractCheck.all.filter { $0.contracts == [10] })

    private static func cases(of entries: [Entry], _ checks: [ContractCheck]) -> [ContractCase] {
        entries.flatMap { entry in
            checks.filter { $0.applies(entry.contract) }.map { ContractCase(entry: entry, check: $0) }
        }
    }

    func expectNothingFound(rounds: Int, depth: Int = 10_000) {
        let (violations, _) = check.run(entry.contract, rounds: rounds, depth: depth, patience: .seconds(180))
        for violation in violations { Issue.record("\(entry.testDescription): \(violation)") }
    }
}

/// All contracts of the design that concern one operator, for each operator, as the public checker checks them.
@Suite("Operator contract", .watched)
struct OperatorContractTests {
    @Test("every operator passes every check", arguments: ContractCase.table)
    func contract(_ testCase: ContractCase) { testCase.expectNothingFound(rounds: rounds, depth: depth) }

    /// The thread sanitizer detects a race in the first round that has both accesses.
    private var rounds: Int {
        switch Sanitizer.current {
        case nil: 100
        case .thread: 10
        case .address: 25
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
            let cases = (check.isRace ? ContractCase.races : ContractCase.table).filter { $0.check.rule == check.rule }
            #expect(cases.count >= (check.isRace ? 7 : 1), "\(check.rule)")
        }
        for entry in Entry.table {
            #expect(ContractCase.table.count { $0.entry.testDescription == entry.testDescription } >= 20)
        }
        expect(Set(ContractCheck.all.map(\.rule)).count, is: ContractCheck.all.count)
    }
}
