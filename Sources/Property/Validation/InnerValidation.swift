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
            return (Result(value, validator(value, other?.latest)), versions)
        }
        isUnchanged = { $0 == versionsOfOther() }
        let latestResult = RootNode(Result?.none, name: StreamName("validation"))
        self.latestResult = latestResult
        lifetime = latestResult.core.makeLifetime()
        let (node, tether) = ValueNode<Result>.kept(
            .alone("result"), from: [latestResult, root] + (other.map { [$0] } ?? []), ending: .with(0),
            initial: {
                let value = root.latest
                return Result(value, validator(value, other?.latest))
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
            let isDone = propagate(thread, isTimely: { self.isUnchanged(versions) }) { beginning in
                beginning.latestResult = result
                beginning.inner = result.value
            }
            if isDone { return }
        }
    }

    func modify<BodyResult, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, _ body: (inout Value) throws(BodyFailure) -> BodyResult
    ) throws(BodyFailure) -> BodyResult {
        let thread = ThreadIdentity.current
        PureSection.refuseSet(of: inner.root, thread)
        while true {
            let root = inner.root.decider
            var entered = EnteredDomains()
            entered.enter([root.domain, latestResult.domain, result.node.domain], thread)
            guard root === inner.root.decider else {
                entered.leave(thread)
                continue
            }
            _ = root.beginBody(mayBeInPlace: false)
            var value = root.domain.withLock { root.value.unsafelyUnwrapped }
            let outcome = root.access(thread, &value, body)
            root.endBody()
            let sections = root.beginSection(thread)
            let result = validate(value).0
            root.endSection(thread, sections)
            finish(Beginning(latestResult: .some(result), inner: result.value), root, thread, &entered)
            return try outcome.get()
        }
    }

    func withValue<BodyResult, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, _ body: (Value) throws(BodyFailure) -> BodyResult
    ) throws(BodyFailure) -> BodyResult { try inner.withValue(body) }

    /// The values that a propagation begins with.
    private struct Beginning {
        var latestResult: Result??
        var inner: Value?
    }

    /// Sets the values that `prepare` provides in one propagation. Returns `false` if what they were derived from has
    /// changed.
    private func propagate(
        _ thread: UInt, isTimely: () -> Bool, _ prepare: (inout Beginning) -> Void
    ) -> Bool {
        while true {
            let root = inner.root.decider
            var entered = EnteredDomains()
            // Includes the gate of the result, so that what the result depends on does not change.
            entered.enter([root.domain, latestResult.domain, result.node.domain], thread)
            guard root === inner.root.decider else {
                entered.leave(thread)
                continue
            }
            guard isTimely() else {
                entered.leave(thread)
                return false
            }
            var beginning = Beginning()
            prepare(&beginning)
            finish(beginning, root, thread, &entered)
            return true
        }
    }

    /// Runs the propagation, leaves the gates, and delivers the events.
    private func finish(
        _ beginning: Beginning, _ root: RootNode<Value>, _ thread: UInt, _ entered: inout EnteredDomains
    ) {
        var roots: [PropertyNode] = []
        if beginning.latestResult != nil { roots.append(latestResult) }
        if beginning.inner != nil { roots.append(root) }
        let events = Propagation.take(roots, thread) { held in
            if let new = beginning.latestResult { latestResult.stage(new, held) }
            if let new = beginning.inner { root.stage(new, held) }
        }
        entered.leave(thread)
        events.deliver(thread, mayWait: inner.root.contention == .wait)
    }

    // MARK: Revalidated values

    /// Sets the value that a change of the other property has made valid.
    private func commitPending() {
        _ = propagate(ThreadIdentity.current, isTimely: { true }) { beginning in
            let change = memory.changes
            // Dropped if another value has been proposed or set in the meantime.
            let stale = memory.pending.withLock { $0?.change == change ? nil : $0.take() }
            withExtendedLifetime(stale) {}
            guard let pending = memory.pending.withLock({ $0 }) else { return }
            memory.isCommitting = true
            beginning.inner = pending.value
        }
    }
}
