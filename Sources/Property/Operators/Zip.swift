public import HotSignals

extension PropertyProtocol {
    /// A property of pairs: the current values of this property and another, then the first change of each, then the
    /// second change of each, and so on.
    ///
    /// Changes of one property are queued, without a bound, until the other one changes. This happens as long as the
    /// result is referenced, whether it is observed or not.
    @_alwaysEmitIntoClient
    public func zip<Other: PropertyProtocol>(with other: Other) -> Property<(Value, Other.Value)> {
        Property<Never>.zip(self, other)
    }
}

extension Property where Value == Never {
    /// A property of the current values of all given properties, then of the first change of each, then of the second
    /// change of each, and so on.
    ///
    /// ```marbles
    /// a                     1--2--------3--|
    /// b                     x-----y-----------z--|
    /// Property.zip(a, b)    (1,x)-(2,y)-------(3,z)|
    /// ```
    ///
    /// Completes when one of the properties has completed and all of its changes have been used. Changes of one
    /// property are queued, without a bound, until the others change. This happens as long as the result is referenced,
    /// whether it is observed or not. Without properties, the result is constant.
    @_alwaysEmitIntoClient
    public static func zip<each Input: PropertyProtocol>(
        _ inputs: repeat each Input
    ) -> Property<(repeat (each Input).Value)> {
        let properties = (repeat (each inputs).origin)
        defer { withExtendedLifetime(properties) {} }
        let nodes = (repeat (each properties).node)
        var list: [PropertyNode] = []
        repeat list.append(each nodes)
        if list.isEmpty { return Property<(repeat (each Input).Value)>(value: (repeat (each nodes).latest)) }
        let queues = (repeat ChangeQueue(each nodes))
        var all: [NodeMemory] = []
        repeat all.append(each queues)
        let (node, tether) = ValueNode<(repeat (each Input).Value)>.kept(
            .joining("+zip:"), from: list, ending: .computed, initial: { (repeat (each nodes).latest) },
            memory: ZipMemory(all),
            next: { node in
                var round = ZipRound()
                repeat (each queues).collect(&round, for: node)
                let value = round.isIncomplete ? nil : (repeat (each queues).next(&round))
                if round.isLast { node.staged.isEnding = true }
                return value
            })
        return Property<(repeat (each Input).Value)>(node, tether)
    }
}

extension Property {
    /// A property of the current values of the given properties, in order, then of the first change of each, and so on.
    /// Without properties, it is constant.
    ///
    /// - Parameters:
    ///   - properties: The properties to combine.
    ///   - emptySentinel: The value if there are no properties.
    @_alwaysEmitIntoClient
    public static func zip<Input: PropertyProtocol<Value>>(
        _ properties: some Collection<Input>, emptySentinel: [Value] = []
    ) -> Property<[Value]> {
        let properties = properties.map { $0.origin }
        defer { withExtendedLifetime(properties) {} }
        let nodes = properties.map { $0.node }
        if nodes.isEmpty { return Property<[Value]>(value: emptySentinel) }
        let queues = nodes.map { ChangeQueue($0) }
        let (node, tether) = ValueNode<[Value]>.kept(
            .joining("+zip:"), from: nodes, ending: .computed, initial: { nodes.map { $0.latest } },
            memory: ZipMemory(queues),
            next: { node in
                var round = ZipRound()
                for queue in queues { queue.collect(&round, for: node) }
                let value = round.isIncomplete ? nil : queues.map { $0.next(&round) }
                if round.isLast { node.staged.isEnding = true }
                return value
            })
        return Property<[Value]>(node, tether)
    }
}

/// What the change queues report to one propagation, queue by queue.
@frozen @usableFromInline
struct ZipRound {
    /// Whether a queue is empty.
    @usableFromInline var isIncomplete = false
    /// Whether a queue is empty, or has given its last change, and receives no more.
    @usableFromInline var isLast = false

    @_alwaysEmitIntoClient
    init() {}
}

/// The changes of a node that wait for changes of the other nodes. A part of the memory of the zip.
@usableFromInline
@_fixed_layout
final class ChangeQueue<Value: Sendable>: NodeMemory, @unchecked Sendable {
    // Sendable: for the same reason as the base class.
    @usableFromInline let node: ValueNode<Value>
    @exclusivity(unchecked) @usableFromInline var changes = Queue<Value>()
    /// Whether there are no further changes to come.
    @exclusivity(unchecked) @usableFromInline var hasEnded = false
    /// Whether the last computation has added a change, and the change that it has taken.
    @exclusivity(unchecked) @usableFromInline var hasAdded = false
    @exclusivity(unchecked) @usableFromInline var taken: Value?

    @_alwaysEmitIntoClient
    init(_ node: ValueNode<Value>) {
        self.node = node
        super.init()
    }

    /// Queues the change of this propagation, if there is one.
    @_alwaysEmitIntoClient
    func collect(_ round: inout ZipRound, for zip: PropertyNode) {
        let isStaged = node.isStaged(for: zip)
        taken = nil
        hasAdded = isStaged && node.staged.hasNext
        if hasAdded { changes.append(node.given(nil)) }
        hasEnded = node.links.hasEnded || isStaged && node.staged.isEnding
        guard changes.isEmpty else { return }
        round.isIncomplete = true
        if hasEnded { round.isLast = true }
    }

    /// Takes the first change. There must be one.
    @_alwaysEmitIntoClient
    func next(_ round: inout ZipRound) -> Value {
        let first = changes.popFirst().unsafelyUnwrapped
        taken = first
        if changes.isEmpty, hasEnded { round.isLast = true }
        return first
    }

    @usableFromInline
    override func discard() {
        if let taken { changes.prepend(taken) }
        taken = nil
        if hasAdded { _ = changes.popLast() }
        hasAdded = false
    }

    @usableFromInline
    override func end() { (changes, taken) = (Queue(), nil) }
}

@usableFromInline
final class ZipMemory: NodeMemory, @unchecked Sendable {
    // Sendable: for the same reason as the base class.
    private let queues: [NodeMemory]

    @usableFromInline
    init(_ queues: [NodeMemory]) {
        self.queues = queues
        super.init()
    }

    @usableFromInline
    override func discard() { for queue in queues { queue.discard() } }

    @usableFromInline
    override func end() { for queue in queues { queue.end() } }
}
