#if Explore
import InterleavingExplorer

/// Calls of a register, with the moments at which each began and returned.
///
/// The register is linearizable if the calls have one order in which each takes effect between its beginning and its
/// return, and finds the value that the previous one left.
///
/// It needs no lock, because one thread of an execution runs at a time.
final class History<Value: Hashable & Sendable>: @unchecked Sendable {
    /// One call of a register: the value it found, if it returns one, and the value it left, if it writes.
    struct Call {
        let found: Value?
        let left: Value?
        let begin: Int
        let end: Int
    }

    private(set) var calls: [Call] = []
    private let initial: Value
    private var moment = 0

    init(_ initial: Value) { self.initial = initial }

    private let state = Trial.State()

    private func tick() -> Int {
        state.touch()
        moment += 1
        return moment
    }

    /// Runs a call, and records it.
    private func note(_ body: () -> (found: Value?, left: Value?)) {
        let begin = tick()
        let (found, left) = body()
        calls.append(Call(found: found, left: left, begin: begin, end: tick()))
    }

    @discardableResult
    func read(_ body: () -> Value) -> Value {
        var value = initial
        note {
            value = body()
            return (value, nil)
        }
        return value
    }

    func write(_ value: Value, _ body: () -> Void) {
        note {
            body()
            return (nil, value)
        }
    }

    /// - Parameter body: Returns the value it found and the value it left.
    func update(_ body: () -> (found: Value, left: Value)) {
        note {
            let (found, left) = body()
            return (found, left)
        }
    }

    /// Adds a call with the given interval.
    func add(found: Value? = nil, left: Value? = nil, from begin: Int, to end: Int) {
        calls.append(Call(found: found, left: left, begin: begin, end: end))
    }

    // MARK: The search

    /// Whether some order explains all calls.
    ///
    /// - Parameter changes: If given, the values that were left, in order.
    func isLinearizable(changes: [Value]? = nil) -> Bool {
        if let changes, changes.count != calls.count(where: { $0.left != nil }) { return false }
        var visited: Set<State> = []
        return explains(State(value: initial, done: 0, writes: 0), changes, &visited)
    }

    private struct State: Hashable {
        var value: Value
        /// One bit per call.
        var done: UInt64
        var writes: Int
    }

    private func explains(_ state: State, _ changes: [Value]?, _ visited: inout Set<State>) -> Bool {
        let rest = calls.indices.filter { state.done & 1 << UInt64($0) == 0 }
        if rest.isEmpty { return true }
        if !visited.insert(state).inserted { return false }
        // A call that begins after another remaining one has returned cannot be next.
        let deadline = rest.map { calls[$0].end }.min()!
        return rest.contains { index in
            let call = calls[index]
            if call.begin > deadline { return false }
            if let found = call.found, found != state.value { return false }
            var next = state
            next.done |= 1 << UInt64(index)
            if let left = call.left {
                if let changes, changes[state.writes] != left { return false }
                next.value = left
                next.writes += 1
            }
            return explains(next, changes, &visited)
        }
    }
}

extension History: CustomStringConvertible {
    var description: String {
        calls.map { call in
            let found = call.found.map { "finds \($0) " } ?? ""
            let left = call.left.map { "leaves \($0) " } ?? ""
            return "\(call.begin)...\(call.end): \(found)\(left)"
        }.joined(separator: ", ")
    }
}
#endif
