import Foundation
import ReactiveClusterTesting

/// Checks whether the changes in a file are linearizable by key: `CheckHistory FILE`.
///
/// The file is a JSON array of compare-and-set operations: `{"key", "from", "to", "outcome", "start", "end"}`, with an
/// outcome of `done`, `refused` or `unknown`, and times in seconds. Each key begins with 1.
@main
enum CheckHistory {
    private struct Change: Decodable {
        var key: Int
        var from: Int
        var to: Int
        var outcome: String
        var start: Double
        var end: Double
    }

    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: CheckHistory FILE")
            exit(2)
        }
        let data = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
        let changes = try JSONDecoder().decode([Change].self, from: data)
        let model = RegisterModel(initial: 1)
        var histories: [Int: [HistoryOperation<RegisterModel<Int>.Call, RegisterModel<Int>.Answer>]] = [:]
        for change in changes {
            let call = RegisterModel<Int>.Call.compareAndSet(change.from, change.to)
            let start = Duration.seconds(change.start)
            let end = Duration.seconds(change.end)
            let operation: HistoryOperation<RegisterModel<Int>.Call, RegisterModel<Int>.Answer> =
                switch change.outcome {
                case "done": HistoryOperation(call, returned: .done, from: start, to: end)
                case "refused": HistoryOperation(call, returned: .refused, from: start, to: end)
                default: HistoryOperation(call, unknownSince: start)
                }
            histories[change.key, default: []].append(operation)
        }
        for (key, history) in histories.sorted(by: { $0.key < $1.key }) where !model.isLinearizable(history) {
            print("the changes of \(key) are not linearizable: \(history)")
            exit(1)
        }
        print("linearizable, \(histories.count) keys")
    }
}
