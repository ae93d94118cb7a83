/// How a property of a random graph is derived from others.
enum NodeKind: Sendable {
    case root
    case map(add: Int)
    case filter(modulus: Int, initial: Int)
    case skipRepeats
    case skipRepeatsBy(Int)
    case uniqueValues
    case combinePrevious
    case negate, and, or, all, any
    case pair, three, six, collection
    case zip
}

/// A step performed on a random graph.
enum GraphStep: Sendable {
    case make(NodeKind, inputs: [Int])
    case set(root: Int, Int)
    /// The end of a root, after its last value.
    case end(root: Int)
    /// A value that was read.
    case read(node: Int, Int)
    /// Starts the next observer.
    case observe(node: Int)
    /// Disposes of an observer. During an event, this drops its pending events.
    case dispose(observer: Int, isInside: Bool)
}

/// A model of a random graph that recomputes everything, in the order of creation.
struct GraphModel {
    struct Node {
        let kind: NodeKind
        let inputs: [Int]
        var value: Int
        /// The maximum number of calls of the closure: one, and one per change of a root that it depends on.
        var calls = 1
        var hasEnded = false
        var hasChanged = false
        /// Whether a root that it depends on has changed.
        var isTouched = false
        /// The previous value of `combinePrevious`.
        var former = 0
        /// The values that `uniqueValues` has seen.
        var seen: Set<Int> = []
        /// The values that `zip` has queued.
        var queues: [[Int]] = []
    }

    struct Observer {
        let node: Int
        var events: [String]
        var isDone = false
        /// Whether pending events may be missing.
        var isCutOff = false

        /// Whether these are the events that the observer must receive.
        func agrees(with actual: [String]) -> Bool {
            if actual == events { return true }
            return isCutOff && actual.last == "interrupted" && events.starts(with: actual.dropLast())
        }
    }

    private(set) var nodes: [Node] = []
    private(set) var observers: [Observer] = []
    private(set) var mistakes: [String] = []

    /// Replays the steps.
    init(_ steps: [GraphStep]) {
        for (number, step) in steps.enumerated() {
            switch step {
            case .make(let kind, let inputs): make(kind, inputs)
            case .set(let root, let value): set(root, value)
            case .end(let root): end(root)
            case .read(let node, let value):
                if nodes[node].value != value {
                    mistakes.append("step \(number): node \(node) was \(value), not \(nodes[node].value)")
                }
            case .observe(let node):
                let events = ["\(nodes[node].value)"] + (nodes[node].hasEnded ? ["completed"] : [])
                observers.append(Observer(node: node, events: events, isDone: nodes[node].hasEnded))
            case .dispose(let observer, let isInside):
                if isInside { observers[observer].isCutOff = true }
                if observers[observer].isDone { continue }
                observers[observer].isDone = true
                observers[observer].events.append("interrupted")
            }
        }
    }

    private mutating func make(_ kind: NodeKind, _ inputs: [Int]) {
        let values = inputs.map { nodes[$0].value }
        var node = Node(kind: kind, inputs: inputs, value: 0)
        switch kind {
        case .root: break
        case .filter(let modulus, let initial): node.value = values[0] % modulus == 0 ? values[0] : initial
        case .skipRepeats, .skipRepeatsBy, .uniqueValues:
            node.value = values[0]
            node.seen = [values[0]]
        case .combinePrevious:
            node.value = values[0]
            node.former = values[0]
        case .zip:
            node.value = (values[0] * 10 + values[1]) % 6
            node.queues = inputs.map { _ in [] }
        default: node.value = Self.combine(kind, values)
        }
        switch kind {
        case .root: break
        case .zip: node.hasEnded = inputs.contains { nodes[$0].hasEnded }
        default: node.hasEnded = inputs.allSatisfy { nodes[$0].hasEnded }
        }
        nodes.append(node)
    }

    /// The value of a stateless node.
    private static func combine(_ kind: NodeKind, _ values: [Int]) -> Int {
        func flag(_ isTrue: Bool) -> Int { isTrue ? 1 : 0 }
        return switch kind {
        case .map(let add): (values[0] + add) % 6
        case .negate: flag(values[0] % 2 == 0)
        case .and, .all: flag(values.allSatisfy { $0 % 2 == 1 })
        case .or, .any: flag(values.contains { $0 % 2 == 1 })
        default: values.reduce(0) { ($0 * 3 + $1) % 6 }
        }
    }

    /// The next value of a node after a change of an input, or nil if the node does not change.
    private mutating func next(_ index: Int) -> Int? {
        let values = nodes[index].inputs.map { nodes[$0].value }
        switch nodes[index].kind {
        case .filter(let modulus, _): return values[0] % modulus == 0 ? values[0] : nil
        case .skipRepeats: return values[0] == nodes[index].value ? nil : values[0]
        case .skipRepeatsBy(let divisor):
            return values[0] / divisor == nodes[index].value / divisor ? nil : values[0]
        case .uniqueValues: return nodes[index].seen.insert(values[0]).inserted ? values[0] : nil
        case .combinePrevious:
            defer { nodes[index].former = values[0] }
            return (nodes[index].former * 10 + values[0]) % 6
        case .zip:
            for (place, input) in nodes[index].inputs.enumerated() where nodes[input].hasChanged {
                nodes[index].queues[place].append(values[place])
            }
            if nodes[index].queues.contains(where: \.isEmpty) { return nil }
            let firsts = nodes[index].queues.map { $0[0] }
            for place in firsts.indices { nodes[index].queues[place].removeFirst() }
            return (firsts[0] * 10 + firsts[1]) % 6
        default: return Self.combine(nodes[index].kind, values)
        }
    }

    private mutating func set(_ root: Int, _ value: Int) {
        for index in nodes.indices {
            nodes[index].hasChanged = false
            nodes[index].isTouched = index == root || nodes[index].inputs.contains { nodes[$0].isTouched }
            if nodes[index].isTouched { nodes[index].calls += 1 }
        }
        nodes[root].value = value
        nodes[root].hasChanged = true
        for index in nodes.indices
        where !nodes[index].hasEnded && nodes[index].inputs.contains(where: { nodes[$0].hasChanged }) {
            guard let next = next(index) else { continue }
            nodes[index].value = next
            nodes[index].hasChanged = true
        }
        for index in observers.indices where !observers[index].isDone && nodes[observers[index].node].hasChanged {
            observers[index].events.append("\(nodes[observers[index].node].value)")
        }
        // This may have sent the last pair of a `zip`.
        passEndsOn()
    }

    private mutating func end(_ root: Int) {
        nodes[root].hasEnded = true
        passEndsOn()
    }

    private mutating func passEndsOn() {
        for index in nodes.indices where !nodes[index].inputs.isEmpty && !nodes[index].hasEnded {
            let inputs = nodes[index].inputs.map { nodes[$0].hasEnded }
            nodes[index].hasEnded =
                if case .zip = nodes[index].kind {
                    zip(inputs, nodes[index].queues).contains { $0 && $1.isEmpty }
                } else {
                    inputs.allSatisfy { $0 }
                }
        }
        for index in observers.indices where !observers[index].isDone && nodes[observers[index].node].hasEnded {
            observers[index].isDone = true
            observers[index].events.append("completed")
        }
    }
}
