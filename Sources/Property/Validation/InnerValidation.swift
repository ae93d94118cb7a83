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
    private let memory: Memory

    /// What the result and the turns that set a revalidated value have to agree on.
    private final class Memory: NodeMemory, @unchecked Sendable {
        // Sendable: the variables are for turns, and the constants have a lock.

        /// Whether the turn sets what the result has already.
        @exclusivity(unchecked) var isCommitting = false
        /// How often the result has changed.
        @exclusivity(unchecked) var changes = 0
        /// Which of these has a value that is to be set, and the value.
        let pending = Locked<(change: Int, value: Value)?>(nil)
        /// What these were before the last computation.
        @exclusivity(unchecked) private var wasCommitting = false
        @exclusivity(unchecked) private var formerPending: (change: Int, value: Value)??

        /// Begins a computation.
        func begin() {
            (wasCommitting, formerPending) = (isCommitting, nil)
            changes += 1
        }

        func setPending(_ value: Value?) {
            let change = changes
            formerPending = pending.withLock { pending in
                defer { pending = value.map { (change, $0) } }
                return .some(pending)
            }
        }

        override func discard() {
            changes -= 1
            isCommitting = wasCommitting
            guard let former = formerPending.take() else { return }
            let dropped = pending.withLock { pending in
                defer { pending = former }
                return pending
            }
            withExtendedLifetime(dropped) {}
        }
    }

    init<Other: Sendable>(
        _ inner: MutableProperty<Value>, _ other: ValueNode<Other>?,
        _ validator: @escaping @Sendable (Value, Other?) -> Decision
    ) {
        self.inner = inner
        let (root, memory) = (inner.root, Memory())
        self.memory = memory
        // That of the other's roots changes whenever the other does.
        @Sendable func versionsOfOther() -> UInt { other.map { $0.isRoot ? $0.version.load() : $0.versions } ?? 0 }
        validate = { value in
            let versions = versionsOfOther()
            return (Result(value, validator(value, other?.published)), versions)
        }
        isUnchanged = { $0 == versionsOfOther() }
        let verdict = RootNode(Result?.none, name: StreamName("verdict"))
        self.verdict = verdict
        lifetime = verdict.core.makeLifetime()
        let (node, tether) = ValueNode<Result>.kept(
            .alone("result"), from: [verdict, root] + (other.map { [$0] } ?? []), ending: .with(0),
            initial: {
                let value = root.published
                return Result(value, validator(value, other?.published))
            }, memory: memory,
            next: { node in
                func hasChanged(_ input: PropertyNode) -> Bool { input.isStaged(for: node) && input.staged.hasNext }
                func validated(_ value: Value) -> Result {
                    Result(value, validator(value, other?.given(to: node, nil)))
                }
                let hasOtherChanged = other.map(hasChanged) ?? false
                memory.begin()
                defer { memory.isCommitting = false }
                if hasChanged(verdict), let result = verdict.given(to: node, nil) {
                    // What was proposed where a gate was refused, and what it depends on, may have changed since.
                    if verdict.condition.isCatchingUp {
                        return validated(result.isInvalid ? result.proposed : root.given(to: node, nil))
                    }
                    return hasOtherChanged ? validated(result.proposed) : result
                }
                if hasChanged(root) {
                    let isCommitted = memory.isCommitting && !hasOtherChanged
                    return isCommitted ? nil : validated(root.given(to: node, nil))
                }
                if !hasOtherChanged { return nil }
                let result = validated(node.value.unsafelyUnwrapped.proposed)
                memory.setPending(result.value)
                return result
            })
        node.domain.withLock { node.links.isHerald = true }
        result = Property(node, tether)
        guard other != nil else { return }
        let gate = result.signal.core.gate
        result.signal.observeNext { [weak self] _ in
            guard let self, memory.pending.withLock({ $0 != nil }) else { return }
            // When all have heard of the result.
            gate.push(DeferredWork { self.commitPending() })
        }
    }

    private let isUnchanged: @Sendable (_ versions: UInt) -> Bool

    func end() { verdict.end() }

    // MARK: Proposals

    func propose(_ value: Value) {
        let thread = ThreadIdentity.current
        while true {
            let (result, versions) = validate(value)
            let outcome = takeTurn(thread, keepsNext: true, isTimely: { self.isUnchanged(versions) }) { turn in
                turn.verdict = result
                turn.inner = result.value
            }
            switch outcome {
            case .done: return
            case .untimely: continue
            case .refused(let gate):
                if let value = result.value { inner.root.decider.setAhead(value, gate) }
                return verdict.setAhead(result, gate)
            }
        }
    }

    private enum Outcome {
        /// The values are set, or ahead.
        case done
        case untimely
        /// Nothing has come of it.
        case refused(Gate)
    }

    /// What a turn begins with.
    private struct Beginning {
        var verdict: Result??
        var inner: Value?
    }

    /// Sets what `prepare` says, together, if what it follows from is still so.
    ///
    /// - Parameter keepsNext: Whether that is set ahead if the turn is refused a gate.
    private func takeTurn(
        _ thread: UInt, keepsNext: Bool, isTimely: () -> Bool, _ prepare: (inout Beginning) -> Void
    ) -> Outcome {
        while true {
            let root = inner.root.decider
            root.refuseAccess()
            var entrance = Entrance()
            let mayWait = inner.root.contention == .wait
            // With that of the result, so that what it depends on does not change.
            let refused =
                entrance.enter([root.domain, verdict.domain, result.node.domain], thread, mayWait: mayWait)
                ?? root.catchUp(thread, mayWait: mayWait) ?? verdict.catchUp(thread, mayWait: mayWait)
            if let refused {
                entrance.leave(thread)
                return .refused(refused)
            }
            guard root === inner.root.decider else {
                entrance.leave(thread)
                continue
            }
            guard isTimely() else {
                entrance.leave(thread)
                return .untimely
            }
            var beginning = Beginning()
            prepare(&beginning)
            var staged: [PropertyNode] = []
            if let new = beginning.verdict { staged.append(verdict.stage(new)) }
            if let new = beginning.inner { staged.append(root.stage(new)) }
            let (gate, events) = Turn.take(staged, thread, mayWait: mayWait, keepsNext: keepsNext)
            if gate != nil { memory.isCommitting = false }
            entrance.leave(thread)
            if let gate, !keepsNext { return .refused(gate) }
            gate?.settle()
            events.deliver(thread, mayWait: mayWait)
            return .done
        }
    }

    // MARK: Revalidated values

    /// Sets the value that a change of the other property has made right.
    private func commitPending() {
        var pending: (change: Int, value: Value)?
        let outcome = takeTurn(ThreadIdentity.current, keepsNext: false, isTimely: { true }) { beginning in
            pending = memory.pending.withLock { $0.take() }
            // Not if it has been proposed or set anew.
            guard let pending, pending.change == memory.changes else { return }
            memory.isCommitting = true
            beginning.inner = pending.value
        }
        guard case .refused(let gate) = outcome else { return }
        memory.pending.withLock { if $0 == nil { $0 = pending } }
        gate.push(DeferredWork { [weak self] in self?.commitPending() })
    }
}
