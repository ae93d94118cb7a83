import ReactiveSignals
import ReactiveSignalsTesting
import RunningMean
import XCTest

/// The operator of another package, under XCTest.
final class RunningMeanXCTests: XCTestCase {
    func testKeepsTheContractOnSignals() throws {
        try OperatorContract(ofSignals: "runningMean", OperatorTraits(printedName: "runningMean: 3")) {
            $0.runningMean(of: 3, measure: $1.see)
        }.check()
    }

    func testKeepsTheContractOnProducers() throws {
        try OperatorContract(ofProducers: "runningMean", OperatorTraits(isTransparent: true)) {
            $0.runningMean(of: 1, measure: $1.see)
        }.check()
    }

    func testIsFoundOutWhenItDoesNotDoWhatIsSaidOfIt() {
        let contract = OperatorContract(ofSignals: "runningMean", OperatorTraits(isTransparent: true)) {
            $0.runningMean(of: 3, measure: $1.see)
        }
        // check-waits: a wait that is too short is a violation, too.
        XCTAssertThrowsError(try contract.check(rounds: 10, depth: 1_000, patience: .seconds(5))) { error in
            XCTAssertTrue("\(error)".hasPrefix("runningMean breaks the contract in "), "\(error)")
        }
    }
}
