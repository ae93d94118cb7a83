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
    associatedtype Call: Equatable & Sendable
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
    /// and of different calls with an unknown outcome, so check a history separately for each key: see
    /// ``firstViolation(in:key:)``. Equal calls with an unknown outcome, such as those of retries, cost little.
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
            let (known, unknown) = successors(of: position, startedBy: limit)
            // The last one is tried first. What is known to have happened is rarely a detour.
            for next in unknown + known where visited.insert(next).inserted { stack.append(next) }
        }
        return false
    }

    /// The positions after one more operation, separately for operations with a known and an unknown outcome.
    private func successors(
        of position: Position, startedBy limit: Duration
    ) -> (known: [Position], unknown: [Position]) {
        var (known, unknown): ([Position], [Position]) = ([], [])
        var tried: [Model.Call] = []
        for (index, operation) in history.enumerated() where !isDone(index, position.done) {
            if operation.start > limit { break }
            // Of equal calls with an unknown outcome, the one that started first can take the place of any other.
            if operation.answer == nil, tried.contains(operation.call) { continue }
            var state = position.state
            let answer = model.perform(operation.call, on: &state)
            var done = position.done
            done[index / 64] |= 1 << UInt64(index % 64)
            if let expected = operation.answer {
                if answer == expected { known.append(Position(done: done, state: state)) }
            } else {
                tried.append(operation.call)
                // It need not happen, so it is left out where it changes nothing.
                if state != position.state { unknown.append(Position(done: done, state: state)) }
            }
        }
        return (known, unknown)
    }

    private func isDone(_ index: Int, _ done: [UInt64]) -> Bool { done[index / 64] >> UInt64(index % 64) & 1 == 1 }
}
