import HotSignals

/// The validation of a property that wraps another one, which other code can also set.
///
/// A proposed value is validated first, and then set together with the result, in one ``Propagation``. A value that
/// other code sets is validated in the same propagation. If a change of what the validator depends on makes the last
/// proposal valid, the next propagation sets it.
final class InnerValidation<Value: Sendable, ValidationError: Error>: Validation {
    typealias Decision = ValidatingProperty<Value, ValidationError>.Decision
    typealias Result = ValidatingProperty<Value, ValidationError>.Result

    let lifetime: Lifetime
    let result: Property<Result>
    private let inner: MutableProperty<Value>
    /// The result of the last proposal; `nil` if there was none.
    private let latestResult: RootNode<Result?>
    private let validate: @Sendable (Value) -> (Result, versions: UInt)
    private let memory: Memory

    /// State shared by the result and by the propagations that set a revalidated value.
    private final class Memory: NodeMemory, @unchecked Sendable {
        // Sendable: only propagations access the variables, and the constant has a lock.

        /// Whether the propagation sets a value that the result already reports.
        @exclusivity(unchecked) var isCommitting = false
        /// How often a propagation has computed the result.
        @exclusivity(unchecked) var changes = 0
        /// A value that is yet to be set, and the number of the computation that accepted it.
        let pending = Locked<(change: Int, value: Value)?>(nil)
        /// The state before the last computation.
        @exclusivity(unchecked) private var wasCommitting = false
        @exclusivity(unchecked) private var formerPending: (change: Int, value: Value)??

        /// Saves the state before a computation.
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
        // The versions of its roots change whenever `other` does.
        @Sendable func versionsOfOther() -> UInt { other.map { $0.isRoot ? $0.version.load() : $0.versions } ?? 0 }
        validate = { value in
            let versions = versionsOfOther()
            return (Result(value, validator(value, other?.published)), versions)
        }
        isUnchanged = { $0 == versionsOfOther() }
        let latestResult = RootNode(Result?.none, name: StreamName("validation"))
        self.latestResult = latestResult
        lifetime = latestResult.core.makeLifetime()
        let (node, tether) = ValueNode<Result>.kept(
            .alone("result"), from: [latestResult, root] + (other.map { [$0] } ?? []), ending: .with(0),
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
                if hasChanged(latestResult), let result = latestResult.given(to: node, nil) {
                    // The proposal was set ahead because a gate was refused. The wrapped property, and what the
                    // validator depends on, may have changed since.
                    if latestResult.condition.isCatchingUp {
                        return validated(result.isInvalid ? result.proposed : root.given(to: node, nil))
                    }
                    return hasOtherChanged ? validated(result.proposed) : result
                }
                if hasChanged(root) {
                    if memory.isCommitting { memory.setPending(nil) }
                    let isCommitted = memory.isCommitting && !hasOtherChanged
                    return isCommitted ? nil : validated(root.given(to: node, nil))
                }
                if !hasOtherChanged { return nil }
                let former = node.value.unsafelyUnwrapped
                let result = validated(former.proposed)
                let isFormerSet = memory.pending.withLock { $0 == nil }
                memory.setPending(
                    result.valueToSet(after: former, isSet: isFormerSet, current: root.given(to: node, nil)))
                return result
            })
        node.domain.withLock { node.links.isDeliveredFirst = true }
        result = Property(node, tether)
        guard other != nil else { return }
        let gate = result.signal.core.gate
        result.signal.observeNext { [weak self] _ in
            guard let self, memory.pending.withLock({ $0 != nil }) else { return }
            // Runs when all observers have received the result.
            gate.push(DeferredWork { self.commitPending() })
        }
    }

    private let isUnchanged: @Sendable (_ versions: UInt) -> Bool

    func end() { latestResult.end() }

    // MARK: Proposals

    func propose(_ value: Value) {
        let thread = ThreadIdentity.current
        PureSection.refuseSet(of: inner.root, thread)
        while true {
            let sections = inner.root.beginSection(thread)
            let (result, versions) = validate(value)
            inner.root.endSection(thread, sections)
            let outcome = propagate(thread, keepsNext: true, isTimely: { self.isUnchanged(versions) }) { propagation in
                propagation.latestResult = result
                propagation.inner = result.value
            }
            switch outcome {
            case .done: return
            case .untimely: continue
            case .refused(let gate):
                if let value = result.value { inner.root.decider.setAhead(value, gate) }
                return latestResult.setAhead(result, gate)
            }
        }
    }

    func modify<BodyResult, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, _ body: (inout Value) throws(BodyFailure) -> BodyResult
    ) throws(BodyFailure) -> BodyResult {
        let thread = ThreadIdentity.current
        PureSection.refuseSet(of: inner.root, thread)
        while true {
            let root = inner.root.decider
            if root.accessor.loadRelaxed() != 0 { root.refuseAccess() }
            var entered = EnteredDomains()
            let domains = [root.domain, latestResult.domain, result.node.domain]
            if let gate = entered.enter(domains, thread, mayWait: true, toModify: true) {
                // Waiting would close a cycle: the owner of the gate waits for this thread.
                let outcome = modifyAhead(root, thread, gate, root.beginModifyingAhead(), body)
                gate.settle()
                return try outcome.get()
            }
            guard root === inner.root.decider else {
                entered.leave(thread)
                continue
            }
            var refused: Gate?
            repeat {
                // Values that other threads have set ahead come first.
                refused = root.catchUp(thread, mayWait: true) ?? latestResult.catchUp(thread, mayWait: true)
            } while refused == nil && root.beginBody(mayBeInPlace: false) == nil
            if let gate = refused {
                let outcome = modifyAhead(root, thread, gate, root.beginBodyAfterAhead(), body)
                entered.leave(thread)
                gate.settle()
                return try outcome.get()
            }
            var value = root.domain.withLock { root.value.unsafelyUnwrapped }
            let (result, outcome) = propose(root, thread, &value, body)
            root.endBody()
            let mayWait = inner.root.contention == .wait
            let beginning = Beginning(latestResult: .some(result), inner: result.value)
            finish(beginning, root, thread, &entered, mayWait: mayWait, keepsNext: true)
            return try outcome.get()
        }
    }

    /// Runs the body and the validator, in which the wrapped property must not be used.
    private func propose<BodyResult, BodyFailure: Error>(
        _ root: RootNode<Value>, _ thread: UInt, _ value: inout Value,
        _ body: (inout Value) throws(BodyFailure) -> BodyResult
    ) -> (Result, Swift.Result<BodyResult, BodyFailure>) {
        var result: Result?
        let outcome = root.access(thread, &value) { value throws(BodyFailure) in
            defer { result = validate(value).0 }
            return try body(&value)
        }
        return (result.unsafelyUnwrapped, outcome)
    }

    /// Sets ahead what the body makes of a value, if it is valid, and the result.
    private func modifyAhead<BodyResult, BodyFailure: Error>(
        _ root: RootNode<Value>, _ thread: UInt, _ gate: Gate, _ start: (value: Value, place: Int),
        _ body: (inout Value) throws(BodyFailure) -> BodyResult
    ) -> Swift.Result<BodyResult, BodyFailure> {
        var value = start.value
        let (result, outcome) = propose(root, thread, &value, body)
        root.endBodyAfterAhead(result.value ?? start.value, start.place, gate)
        latestResult.setAhead(result, gate)
        return outcome
    }

    func withValue<BodyResult, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, _ body: (Value) throws(BodyFailure) -> BodyResult
    ) throws(BodyFailure) -> BodyResult { try inner.withValue(body) }

    private enum Outcome {
        /// The values have been set, or set ahead.
        case done
        case untimely
        /// Nothing has been set.
        case refused(Gate)
    }

    /// The values that a propagation begins with.
    private struct Beginning {
        var latestResult: Result??
        var inner: Value?
    }

    /// Sets the values that `prepare` provides in one propagation, if what they were derived from has not changed.
    ///
    /// - Parameter keepsNext: Whether to set these values ahead if the propagation is refused a gate.
    private func propagate(
        _ thread: UInt, keepsNext: Bool, isTimely: () -> Bool, _ prepare: (inout Beginning) -> Void
    ) -> Outcome {
        while true {
            let root = inner.root.decider
            root.refuseAccess()
            var entered = EnteredDomains()
            let mayWait = inner.root.contention == .wait
            // Includes the gate of the result, so that what the result depends on does not change.
            let domains = [root.domain, latestResult.domain, result.node.domain]
            var refused = entered.enter(domains, thread, mayWait: mayWait)
            refused =
                refused ?? root.catchUp(thread, mayWait: mayWait) ?? latestResult.catchUp(thread, mayWait: mayWait)
            if let refused {
                entered.leave(thread)
                return .refused(refused)
            }
            guard root === inner.root.decider else {
                entered.leave(thread)
                continue
            }
            guard isTimely() else {
                entered.leave(thread)
                return .untimely
            }
            var beginning = Beginning()
            prepare(&beginning)
            let gate = finish(beginning, root, thread, &entered, mayWait: mayWait, keepsNext: keepsNext)
            return gate.map { .refused($0) } ?? .done
        }
    }

    /// Runs the propagation, leaves the gates, and delivers the events. Returns the gate that was refused, if nothing
    /// has been set.
    @discardableResult
    private func finish(
        _ beginning: Beginning, _ root: RootNode<Value>, _ thread: UInt, _ entered: inout EnteredDomains, mayWait: Bool,
        keepsNext: Bool
    ) -> Gate? {
        var roots: [PropertyNode] = []
        if beginning.latestResult != nil { roots.append(latestResult) }
        if beginning.inner != nil { roots.append(root) }
        let (gate, events) = Propagation.take(roots, thread, mayWait: mayWait, keepsNext: keepsNext) { held in
            if let new = beginning.latestResult { latestResult.stage(new, held) }
            if let new = beginning.inner { root.stage(new, held) }
        }
        if gate != nil { memory.isCommitting = false }
        entered.leave(thread)
        if let gate, !keepsNext { return gate }
        gate?.settle()
        events.deliver(thread, mayWait: mayWait)
        return nil
    }

    // MARK: Revalidated values

    /// Sets the value that a change of the other property has made valid.
    private func commitPending() {
        let outcome = propagate(ThreadIdentity.current, keepsNext: false, isTimely: { true }) { beginning in
            let change = memory.changes
            // Dropped if another value has been proposed or set in the meantime.
            let stale = memory.pending.withLock { $0?.change == change ? nil : $0.take() }
            withExtendedLifetime(stale) {}
            guard let pending = memory.pending.withLock({ $0 }) else { return }
            memory.isCommitting = true
            beginning.inner = pending.value
        }
        guard case .refused(let gate) = outcome else { return }
        gate.push(DeferredWork { [weak self] in self?.commitPending() })
    }
}
