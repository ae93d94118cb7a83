import HotSignals
import ReactiveSignals

/// Contracts 2 and 7 for an operator with a model: its values are those of the model.
extension ContractCheck {
    static let model = [
        ContractCheck(2, rule: "the values are those of the model", for: .modeled, values),
        ContractCheck(2, 7, rule: "they are so for each start, whatever the starts before were", for: .modeled, starts),
    ]

    /// All sequences of up to three numbers that are 1 or 2, some longer sequences, and some that a generator makes.
    private static let inputs: [[Int]] = {
        var inputs: [[Int]] = [[]]
        for length in 1...3 {
            inputs += inputs.filter { $0.count == length - 1 }.flatMap { [$0 + [1], $0 + [2]] }
        }
        inputs += [Array(1...9), (1...9).reversed(), [5, 5, 5, 6, 6], [0, -1, 7, -1]]
        var random: UInt64 = 1
        for length in 10..<20 {
            inputs.append(
                (0..<length).map { _ in
                    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return Int(random >> 61)
                })
        }
        return inputs
    }()

    private static func inputs(_ trial: ContractTrial) -> [[Int]] {
        inputs.filter { !trial.traits.failsAtFour || !$0.contains(4) }
    }

    private static func values(_ trial: ContractTrial) {
        for values in inputs(trial) where !trial.isGivenUp {
            let (source, input) = Numbers.pipe()
            let recorder = trial.record(trial.apply(source))
            for value in values { input.sendNext(value) }
            input.sendCompleted()
            recorder.ended.wait()
            trial.expect(recorder, modeledBy: values, "\(values) and a completion are sent")
            trial.progress()
        }
    }

    private static func starts(_ trial: ContractTrial) {
        guard trial.contract.applyCold != nil, !trial.traits.sharesStarts, !trial.traits.isEager else { return }
        let current = Locked<[Int]>([])
        let producer = trial.applyCold(
            Cold { observer, _ in
                for value in current.withLock({ $0 }) { observer.sendNext(value) }
                observer.sendCompleted()
            })
        for values in inputs(trial) where !trial.isGivenUp {
            current.withLock { $0 = values }
            let recorder = trial.recorder()
            producer.start { recorder.record($0) }
            recorder.ended.wait()
            trial.expect(recorder, modeledBy: values, "a source sends \(values) in a start that is not the first")
            trial.progress()
        }
    }
}

extension ContractTrial {
    fileprivate func expect(
        _ recorder: ContractRecorder, modeledBy input: [Int], _ circumstances: @autoclosure () -> String
    ) {
        guard let model = traits.model else { return }
        let (values, expected) = (recorder.values, model(input))
        expectOneEnd(recorder, circumstances())
        if traits.mayCoalesce {
            var rest = expected[...]
            let isPart = values.allSatisfy { value in
                guard let place = rest.firstIndex(of: value) else { return false }
                rest = rest[(place + 1)...]
                return true
            }
            expect(isPart, "\(circumstances()): \(values) comes out, which is not part of the model's \(expected)")
        } else {
            expect(values, is: expected, "\(circumstances()): the values, and those of the model")
        }
    }
}
