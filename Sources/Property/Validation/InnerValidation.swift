import HotSignals

/// The validation of a property that others may set as well.
///
/// What is proposed is validated first, and then set together with the result, in one ``Turn``. What others set is validated in the turn in
/// which they do. Where a change of what it depends on makes the last proposal right, the turn after that sets it.
final class InnerValidation<Value: Sendable, ValidationError: Error>: Validation {
    typealias Decision = ValidatingProperty<Value, ValidationError>.Decision
    typealias Result = ValidatingProperty<Value, ValidationError>.Result

    let lifetime: Lifetime
    let result: Property<Result>
    private let inner: MutableProperty<Value>
    /// What has become of what was proposed last; nil if nothing was.
    private let verdict: RootNode<Result?>
    private let validate: @Sendable (Value) -> (Result, versions: UInt)
    private let others: [PropertyNode]
    private let memory: Memory

    /// What the result and the turns that set a revalidated value have to agree on.
    private final class Memory: @unchecked Sendable {
        // Sendable: the variables are for turns, and the constant has a lock.

        /// What the result was computed from last, as versions.
        @exclusivity(unchecked) var verdict: UInt
        @exclusivity(unchecked) var inner: UInt
        @exclusivity(unchecked) var others: UInt
        /// Whether the turn sets what the result has already.
        @exclusivity(unchecked) var isCommitting = false
        /// The version of a result whose value is to be set.
        let pending = Locked<UInt?>(nil)

        init() { (verdict, inner, others) = (0, 0, 0) }

        /// Lock. Notes what the first result is computed from.
        func begin(_ verdict: PropertyNode, _ inner: PropertyNode, _ others: [PropertyNode]) {
            (self.verdict, self.inner, self.others) = (verdict.version, inner.version, others.versions)
        }

        /// Turn. Notes what the result is computed from. Returns what of it has changed.
        func note(
            _ verdict: PropertyNode, _ inner: PropertyNode, _ others: [PropertyNode]
        ) -> (verdict: Bool, inner: Bool, others: Bool) {
            func version(_ node: PropertyNode) -> UInt { node.version &+ (node.hasNext ? 1 : 0) }
            let now = (version(verdict), version(inner), others.reduce(0) { $0 &+ version($1) })
            defer { (self.verdict, self.inner, self.others) = now }
            return (now.0 != self.verdict, now.1 != self.inner, now.2 != self.others)
        }
    }

    init<Other: Sendable>(
        _ inner: MutableProperty<Value>, _ other: ValueNode<Other>?,
        _ validator: @escaping @Sendable (Value, Other?) -> Decision
    ) {
        self.inner = inner
        others = other.map { [$0] } ?? []
        let (root, memory, others) = (inner.root, Memory(), others)
        self.memory = memory
        Graph.join(root.origin, other?.origin ?? root.origin)
        validate = { value in
            let (seen, versions) = root.origin.withLock { _ in (other?.value, others.versions) }
            return (Result(value, validator(value, seen)), versions)
        }
        let verdict = RootNode(Result?.none, name: StreamName("verdict"))
        self.verdict = verdict
        lifetime = verdict.core.makeLifetime()
        let (node, signal) = ValueNode<Result>.derived(
            StreamName("result"), from: [verdict, root] + others,
            snapshot: {
                memory.begin(verdict, root, others)
                return (root.value, other?.value)
            },
            initial: { Result($0, validator($0, $1)) },
            recompute: { node in
                let changes = memory.note(verdict, root, others)
                func validated(_ value: Value) -> Result { Result(value, validator(value, other?.current)) }
                if changes.verdict, let result = verdict.current {
                    // What was proposed where the graph could not be entered, and what it depends on, may have changed since.
                    if verdict.isCatchingUp { return validated(result.isInvalid ? result.proposed : root.current) }
                    return changes.others ? validated(result.proposed) : result
                }
                if changes.inner {
                    let isCommitted = memory.isCommitting && !changes.others
                    memory.isCommitting = false
                    return isCommitted ? nil : validated(root.current)
                }
                if !changes.others { return nil }
                let result = validated(node.value.proposed)
                let version = node.version &+ 1
                memory.pending.withLock { $0 = version }
                return result
            }, ending: .with(0))
        root.origin.withLock { _ in node.isHerald = true }
        result = Property(node, signal)
        guard other != nil else { return }
        let gate = node.core.gate
        signal.observeNext { [weak self] _ in
            guard let self, memory.pending.withLock({ $0 != nil }) else { return }
            // When all have heard of the result.
            gate.push(DeferredWork { self.commitPending() })
        }
    }

    func end() { verdict.end() }

    // MARK: Proposals

    private enum Outcome { case computing, behind, retry, nothing }

    func propose(_ value: Value) {
        let thread = ThreadIdentity.current
        var isDone = false
        while !isDone {
            let (result, versions) = validate(value)
            switch inner.root.origin.enter(thread, mayWait: inner.root.core.gateContention == .wait) {
            case .entered(let graph): isDone = set(result, versions, graph, thread, leaves: true)
            case .inside(let graph): isDone = set(result, versions, graph, thread, leaves: false)
            case .busy(let gate):
                setAhead(result, gate)
                isDone = true
            }
        }
    }

    /// As the owner of the graph. Returns false if what the value was validated against has changed meanwhile.
    private func set(
        _ result: Result, _ versions: UInt, _ graph: Graph, _ thread: UInt, leaves: Bool
    ) -> Bool {
        let outcome = graph.withOwnLock { () -> Outcome in
            guard graph.isReady, others.versions == versions else { return .retry }
            if !inner.root.ahead.isEmpty || !verdict.ahead.isEmpty { return .behind }
            var nodes: [PropertyNode] = []
            verdict.stage(result, &nodes)
            if let value = result.value { inner.root.stage(value, &nodes) }
            graph.begin(with: nodes)
            return .computing
        }
        if outcome == .computing {
            graph.takeTurn(thread, leaves: leaves)
            return true
        }
        if outcome == .behind { setAhead(result, graph.gate) }
        if leaves { graph.gate.leave(thread) }
        return outcome == .behind
    }

    /// Where the graph cannot be entered: see ``RootNode``.
    private func setAhead(_ result: Result, _ gate: Gate) {
        if let value = result.value { inner.root.setAhead(value, gate) }
        verdict.setAhead(result, gate)
    }

    // MARK: Revalidated values

    /// Sets the value that a change of the other property has made right.
    private func commitPending() {
        let thread = ThreadIdentity.current
        switch inner.root.origin.enter(thread, mayWait: inner.root.core.gateContention == .wait) {
        case .entered(let graph): commitPending(graph, thread, leaves: true)
        case .inside(let graph): commitPending(graph, thread, leaves: false)
        case .busy(let gate): gate.push(DeferredWork { [weak self] in self?.commitPending() })
        }
    }

    private func commitPending(_ graph: Graph, _ thread: UInt, leaves: Bool) {
        let outcome = graph.withOwnLock { () -> Outcome in
            guard graph.isReady else { return .retry }
            let pending = memory.pending.withLock { $0.take() }
            // Not if it has been proposed or set anew.
            guard pending == result.node.version, let value = result.node.value.value, inner.root.ahead.isEmpty else {
                return .nothing
            }
            memory.isCommitting = true
            var nodes: [PropertyNode] = []
            inner.root.stage(value, &nodes)
            graph.begin(with: nodes)
            return .computing
        }
        if outcome == .computing { return graph.takeTurn(thread, leaves: leaves) }
        if leaves { graph.gate.leave(thread) }
        if outcome == .retry { commitPending() }
    }
}
