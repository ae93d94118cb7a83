/// An operation on one object, as the process that called it has seen it.
public struct HistoryOperation<Call: Sendable, Answer: Equatable & Sendable>: Sendable {
    /// What was called.
    public let call: Call
    /// What was returned. `nil` if that is unknown: then it may have taken effect at any time after the start, or never.
    public let answer: Answer?
    /// When it was called, by a clock that all processes share.
    public let start: Duration
    /// When it returned. Ignored if there is no answer.
    public let end: Duration

    /// Creates an operation that has returned.
    public init(_ call: Call, returned answer: Answer, from start: Duration, to end: Duration) {
        self.call = call
        self.answer = answer
        self.start = start
        self.end = end
    }

    /// Creates an operation whose outcome is unknown.
    public init(_ call: Call, unknownSince start: Duration) {
        self.call = call
        answer = nil
        self.start = start
        end = start
    }
}

/// What an object does if its operations run one after another.
public protocol SequentialModel: Sendable {
    /// The state of the object.
    associatedtype State: Hashable
    /// An operation with its arguments.
    associatedtype Call: Sendable
    /// What an operation returns.
    associatedtype Answer: Equatable & Sendable

    /// The state before the first operation.
    var initial: State { get }

    /// Performs an operation.
    func perform(_ call: Call, on state: inout State) -> Answer
}

extension SequentialModel {
    /// Whether the operations could have run one after another, each at an instant between its call and its return, with
    /// the answers that they had.
    ///
    /// ```swift
    /// RegisterModel<Int>(initial: 0).isLinearizable([
    ///     HistoryOperation(.write(1), returned: .done, from: .seconds(0), to: .seconds(1)),
    ///     HistoryOperation(.read, returned: .value(0), from: .seconds(2), to: .seconds(3)),  // stale: false
    /// ])
    /// ```
    ///
    /// A search with memory (Wing and Gong, Lowe). Its time grows quickly with the number of operations at the same time,
    /// so check a history separately for each key: see ``firstViolation(in:key:)``.
    public func isLinearizable(_ history: [HistoryOperation<Call, Answer>]) -> Bool {
        var search = LinearizationSearch(self, history)
        return search.run()
    }

    /// Checks the history of several objects, each separately.
    ///
    /// - Returns: The first key, in the order of the history, whose operations are not linearizable.
    public func firstViolation<Key: Hashable>(
        in history: [HistoryOperation<Call, Answer>], key: (Call) -> Key
    ) -> Key? {
        var keys: [Key] = []
        var histories: [Key: [HistoryOperation<Call, Answer>]] = [:]
        for operation in history {
            let key = key(operation.call)
            if histories[key] == nil { keys.append(key) }
            histories[key, default: []].append(operation)
        }
        return keys.first { !isLinearizable(histories[$0] ?? []) }
    }
}

/// Tries the operations in every order that their times allow.
private struct LinearizationSearch<Model: SequentialModel> {
    private struct Position: Hashable {
        let done: [UInt64]
        let state: Model.State
    }

    private let model: Model
    /// In the order of their starts.
    private let history: [HistoryOperation<Model.Call, Model.Answer>]
    private var visited: Set<Position> = []

    init(_ model: Model, _ history: [HistoryOperation<Model.Call, Model.Answer>]) {
        self.model = model
        self.history = history.sorted { $0.start < $1.start }
    }

    mutating func run() -> Bool {
        var stack = [Position(done: [UInt64](repeating: 0, count: history.count / 64 + 1), state: model.initial)]
        while let position = stack.popLast() {
            // An operation may be next if no other one has returned before it was called.
            var limit: Duration?
            for (index, operation) in history.enumerated()
            where operation.answer != nil && !isDone(index, position.done) {
                limit = min(limit ?? operation.end, operation.end)
            }
            guard let limit else { return true }
            for (index, operation) in history.enumerated() where !isDone(index, position.done) {
                if operation.start > limit { break }
                var state = position.state
                let answer = model.perform(operation.call, on: &state)
                if let expected = operation.answer, answer != expected { continue }
                var done = position.done
                done[index / 64] |= 1 << UInt64(index % 64)
                let next = Position(done: done, state: state)
                if visited.insert(next).inserted { stack.append(next) }
            }
        }
        return false
    }

    private func isDone(_ index: Int, _ done: [UInt64]) -> Bool { done[index / 64] >> UInt64(index % 64) & 1 == 1 }
}
