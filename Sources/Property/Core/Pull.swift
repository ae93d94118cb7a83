import HotSignals

/// How a value is computed outside of a propagation.
@frozen @usableFromInline
package struct Pull {
    /// Where to store the value, as a value of the node's type.
    @usableFromInline let result: UnsafeMutableRawPointer
    /// The values of the inputs; `nil` for the current ones.
    @usableFromInline let snapshot: Snapshot?

    @_alwaysEmitIntoClient
    init(_ result: UnsafeMutableRawPointer, snapshot: Snapshot? = nil) {
        (self.result, self.snapshot) = (result, snapshot)
    }
}

/// The values of a node and of what it is derived from, at one moment.
///
/// A node with many roots is read in this way, and another one if a root changes during each attempt to compute it.
/// Each node is looked at once, without recursion, because graphs can be deep. A value that has been computed before is
/// used again if those of the inputs are the same, which their versions show.
@usableFromInline
final class Snapshot: @unchecked Sendable {
    // Sendable: one thread uses it.

    private typealias Node = Unmanaged<PropertyNode>

    @exclusivity(unchecked) private var numbers: [ObjectIdentifier: Int] = [:]
    /// By the numbers of the nodes, as the versions.
    @exclusivity(unchecked) private var values: [(any Sendable)?] = []
    /// That of the node when it has the value; the maximum if it has another one.
    @exclusivity(unchecked) private var versions: [UInt] = []

    @usableFromInline
    init(of top: PropertyNode) {
        var failures = 0
        while true {
            let (leaves, others) = visit(top, isLast: failures > 3)
            values = Array(repeating: nil, count: numbers.count)
            versions = Array(repeating: .max, count: numbers.count)
            if failures > 3 ? collectAtOnce(leaves) : collect(leaves) {
                for node in others {
                    node._withUnsafeGuaranteedRef { node in _ = node.behavior.perform(node, .evaluate(self)) }
                }
                return
            }
            failures += 1
            PureSection.release(values)
            for leaf in leaves {
                let leaf = leaf.takeUnretainedValue()
                if leaf.domain.withLock({ leaf.isChangedInPlace($0) }) { leaf.awaitBody() }
            }
        }
    }

    /// The nodes whose values are known, and those that are computed from them, inputs first.
    ///
    /// - Parameter isLast: Whether only nodes count that nobody unlinks before their values are taken.
    private func visit(_ top: PropertyNode, isLast: Bool) -> (leaves: [Node], others: [Node]) {
        var (leaves, others): ([Node], [Node]) = ([], [])
        numbers = [ObjectIdentifier(top): 0]
        var path: [(node: Node, next: Int)] = []
        var current: (node: Node, next: Int)? = (.passUnretained(top), 0)
        while let (reference, next) = current {
            current = reference._withUnsafeGuaranteedRef { node in
                if next == 0, Self.isLeaf(node, isLast) {
                    leaves.append(reference)
                } else {
                    for place in next..<node.inputCount {
                        let input = ObjectIdentifier(node.input(place))
                        if numbers[input] != nil { continue }
                        numbers[input] = numbers.count
                        path.append((reference, place + 1))
                        return (.passUnretained(node.input(place)), 0)
                    }
                    others.append(reference)
                }
                return path.popLast()
            }
        }
        return (leaves, others)
    }

    private static func isLeaf(_ node: PropertyNode, _ isLast: Bool) -> Bool {
        node.isRoot || node.isKept || node.domain.withLock { isLast ? node.links.hasEnded : node.isLinked($0) }
    }

    /// Returns `false` if one of the leaves changes in the meantime. Otherwise they have had these values together at
    /// one moment: a propagation changes all of them under all locks.
    private func collect(_ leaves: [Node]) -> Bool {
        for leaf in leaves {
            let isKnown = leaf._withUnsafeGuaranteedRef { leaf in leaf.domain.withLock { add(leaf, $0) } }
            if !isKnown { return false }
        }
        return leaves.count == 1
            || leaves.allSatisfy { leaf in
                leaf._withUnsafeGuaranteedRef { leaf in
                    let version = version(of: leaf)
                    if leaf.isRoot { return leaf.changes == version }
                    return leaf.domain.withLock { leaf.isLinked($0) && leaf.changes == version }
                }
            }
    }

    private func collectAtOnce(_ leaves: [Node]) -> Bool {
        let leaves = leaves.map { $0.takeUnretainedValue() }
        return Domain.withLocks(leaves.map(\.domain)) { held in leaves.allSatisfy { add($0, held) } }
    }

    private func add(_ leaf: PropertyNode, _ held: borrowing HeldLock) -> Bool {
        guard leaf.isLinked(held), let value = leaf.visibleValue(held) else { return false }
        add(value, leaf.changes, of: leaf)
        return true
    }

    @usableFromInline
    func add(_ value: any Sendable, _ version: UInt?, of node: PropertyNode) {
        let number = number(of: node)
        values[number] = value
        versions[number] = version ?? .max
    }

    /// The maximum if the node has another value.
    @usableFromInline
    func version(of node: PropertyNode) -> UInt { versions[number(of: node)] }

    private func number(of node: PropertyNode) -> Int { numbers[ObjectIdentifier(node)].unsafelyUnwrapped }

    /// ``PropertyNode/changesOfInputs``; `nil` if an input has another value now.
    @usableFromInline
    func changesOfInputs(of node: PropertyNode) -> UInt? {
        var sum: UInt = 0
        var isKnown = true
        let add = { (input: PropertyNode) in
            let version = self.version(of: input)
            sum &+= version
            if version == .max { isKnown = false }
        }
        if node.hasRootsAsInputs {
            for root in node.sources { root._withUnsafeGuaranteedRef(add) }
        } else {
            node.forEachInput { _, input in add(input) }
        }
        return isKnown ? sum : nil
    }

    @usableFromInline
    func value<Value: Sendable>(of node: ValueNode<Value>) -> Value {
        values[number(of: node)].unsafelyUnwrapped as! Value
    }
}
