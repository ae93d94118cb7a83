import ReactiveSignals
import ReactiveSignalsTesting
import RunningMean
import Testing

@Suite("The operator of another package, under Swift Testing")
struct RunningMeanTests {
    @Test("keeps the contract on signals")
    func signals() async throws {
        try await OperatorContract(ofSignals: "runningMean", OperatorTraits(printedName: "runningMean: 3")) {
            $0.runningMean(of: 3, measure: $1.see)
        }.check()
    }

    @Test("keeps the contract on producers, where the mean of one value is the value")
    func producers() async throws {
        try await OperatorContract(ofProducers: "runningMean", OperatorTraits(isTransparent: true)) {
            $0.runningMean(of: 1, measure: $1.see)
        }.check()
    }

    @Test("is found out when it does not do what is said of it")
    func wrong() async {
        await #expect(throws: ContractViolations.self) {
            try await OperatorContract(ofSignals: "runningMean", OperatorTraits(isTransparent: true)) {
                $0.runningMean(of: 3, measure: $1.see)
            }
            // check-waits: a wait that is too short is a violation, too.
            .check(rounds: 10, depth: 1_000, patience: .seconds(5))
        }
    }

    @Test("computes means")
    func means() {
        let (source, input) = Signal<Int, Never>.pipe()
        let means = MutableProperty<[Int]>([])
        let result = source.runningMean(of: 2)
        result.observeNext { mean in means.modify { $0.append(mean) } }
        for value in [2, 4, 9] { input.sendNext(value) }
        #expect(means.value == [2, 3, 6])
        #expect(source.named("readings").runningMean(of: 2).name == "[readings] -runningMean: 2")
    }
}
