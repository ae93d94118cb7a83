import HotSignals
import ReactiveProperties

/// Decides which units of an action may run: the part of an action that does not depend on its generic types.
///
/// The lock-guarded `units` are the source of truth. `isEnabled` and `isExecuting` are derived from their load and from
/// the user's condition. A start owns the domain of the condition while it checks that and adds its unit. So no thread
/// sees the condition change between that check and the admission.
///
/// An admitted unit begins, even if the events that report its admission make the condition false. Only a unit that has
/// waited in the queue checks the condition again when its turn comes, before it is reported.
@usableFromInline
final class Admission: Sendable {
    private struct Units {
        var load = Load()
        /// Admitted units that have not begun.
        var waiting = WaitingLine<ObjectIdentifier, any ActionUnit>()
        /// The unit that was admitted last, if the policy is to interrupt it for the next one.
        var latest: (any ActionUnit)?
        /// Becomes true when the action has drained. `nil` until it is told to drain.
        var isDrained: MutableProperty<Bool>?
    }

    /// How many units there are, and whether the action drains or has ended: what the properties are derived from.
    fileprivate struct Load: Sendable {
        var running = 0
        var waiting = 0
        /// Whether no further unit is admitted.
        var isDraining = false
        /// Set when the action has ended: `isEnabled` no longer changes then, although the condition may.
        var isFinallyEnabled: Bool?
    }

    /// The decision on a start.
    @usableFromInline
    enum Decision {
        case begin(interrupting: (any ActionUnit)?)
        case wait
        case refuse
    }

    private let policy: ActionPolicy
    private let units: Locked<Units>
    /// Twice the number of units that have begun and whose end has not been reported completely. The lowest bit is set
    /// when the action is told to drain. Units are added, and the bit is set, under the lock of `units`.
    private let unfinished = AtomicWord(0)
    /// The user's condition, in a domain of its own.
    private let condition: Property<Bool>?
    /// The load of the units.
    private let load = RootNode(Load(), name: StreamName("action"))
    /// The lane of the queued units if one unit runs at a time.
    private let onlyLane: Gate?
    let isEnabled: Property<Bool>
    let isExecuting: Property<Bool>

    /// - Parameter condition: Must be true as well for the action to be enabled.
    init(_ policy: ActionPolicy, condition: Property<Bool>?) {
        self.policy = policy
        onlyLane = if case .concurrent(1, 1...) = policy.kind { Gate(contention: .enqueue) } else { nil }
        units = Locked(Units())
        self.condition = condition?.inOwnDomain(named: "condition")
        let load = load
        let condition = self.condition?.node
        // Both properties end when the action does, whatever the condition does. They are computed when they are read,
        // or at each change while they are observed.
        let enabled = ValueNode<Bool>.pulledWithoutRepeats(
            .alone("isEnabled"), from: [load] + (condition.map { [$0] } ?? []), ending: .with(0)
        ) { node, pull in
            let load = load.given(to: node, pull)
            return load.isFinallyEnabled
                ?? (policy.hasRoom(beside: load) && (condition?.given(to: node, pull) ?? true))
        }
        // Derived from `enabled` only to be computed after it: an action is disabled before it executes, and enabled
        // before it stops executing.
        let executing = ValueNode<Bool>.pulledWithoutRepeats(
            .alone("isExecuting"), from: [enabled, load], ending: .with(1)
        ) { node, pull in load.given(to: node, pull).running > 0 }
        isEnabled = Property(enabled)
        isExecuting = Property(executing)
    }

    /// Changes `units`, while the condition does not change.
    ///
    /// - Parameter body: Returns whether it has changed `units`.
    private func update<Result>(mayWait: Bool = true, _ body: () -> (hasChanged: Bool, result: Result)) -> Result {
        load.update(
            owning: condition.map { [$0.node.domain] } ?? [], mayWait: mayWait, current: { units.withLock { $0.load } },
            publishLater: { taken in
                guard let taken else { return PureSection.afterwards { self.update(mayWait: false) { (true, ()) } } }
                taken.whenFree { mayWait in self.update(mayWait: mayWait) { (true, ()) } }
            }, body)
    }

    /// Called when the action is released.
    func end() {
        if PureSection.isCurrent { return PureSection.afterwards { self.end() } }
        if condition != nil {
            update(mayWait: false) {
                let isMet = isConditionMet
                units.withLock { $0.load.isFinallyEnabled = isMet && policy.hasRoom(beside: $0.load) }
                return (true, ())
            }
        }
        load.end()
    }

    /// Whether the condition, if there is one, is true.
    @usableFromInline
    var isConditionMet: Bool { condition?.node.latest ?? true }

    /// Decides on a start.
    ///
    /// - Parameter isAllowed: Returns whether the condition is met. Must not call user code.
    @usableFromInline
    func admit(_ unit: any ActionUnit, if isAllowed: () -> Bool) -> Decision {
        update {
            guard isAllowed() else { return (false, .refuse) }
            let decision = units.withLock { units -> Decision in
                if units.load.isDraining { return .refuse }
                switch policy.kind {
                case .concurrent(let limit, let waiting):
                    if units.load.running < limit {
                        units.load.running += 1
                        _ = unfinished.acquire(adding: 2)
                        return .begin(interrupting: nil)
                    }
                    if units.load.waiting == waiting { return .refuse }
                    units.waiting.append(unit, for: ObjectIdentifier(unit))
                    units.load.waiting += 1
                    return .wait
                case .restart:
                    units.load.running += 1
                    _ = unfinished.acquire(adding: 2)
                    let former = units.latest
                    units.latest = unit
                    return .begin(interrupting: former)
                }
            }
            if case .refuse = decision { return (false, decision) }
            return (true, decision)
        }
    }

    /// Removes a queued unit, in constant time. Returns `false` if it is not in the queue, or no longer. Never waits.
    @usableFromInline
    func withdraw(_ unit: any ActionUnit) -> Bool {
        guard case .concurrent(_, 1...) = policy.kind else { return false }
        return update(mayWait: false) {
            // The caller retains the unit, so this does not release the last reference.
            let hasWaited = units.withLock { units in
                guard units.waiting.remove(ObjectIdentifier(unit)) != nil else { return false }
                units.load.waiting -= 1
                return true
            }
            return (hasWaited, hasWaited)
        }
    }

    /// Removes a unit whose work has ended. Returns the queued unit that begins next, if any.
    ///
    /// - Parameter mayWait: `false` for a unit that was disposed of, because a disposal never waits.
    @usableFromInline
    func leave(_ unit: any ActionUnit, mayWait: Bool) -> (any ActionUnit)? {
        update(mayWait: mayWait) {
            let next = units.withLock { units -> (any ActionUnit)? in
                if units.latest === unit { units.latest = nil }
                // The place is passed on, so that the action continues to execute.
                if let next = units.waiting.popFirst() {
                    units.load.waiting -= 1
                    _ = unfinished.acquire(adding: 2)
                    return next
                }
                units.load.running -= 1
                return nil
            }
            return (true, next)
        }
    }

    /// Called when the end of a unit that has left has been reported to everybody.
    @usableFromInline
    func finish() {
        // Of the last unit of an action that drains.
        guard unfinished.release(subtracting: 2) == 3 else { return }
        units.withLock { $0.isDrained }?.value = true
    }

    /// Whether the action has been told to drain.
    var isDraining: Bool { units.withLock { $0.load.isDraining } }

    /// Refuses starts from now on.
    ///
    /// - Returns: Becomes true when all units have ended.
    func drain() -> MutableProperty<Bool> {
        // Set on a thread that ends a unit, which may be in a disposal, and so must not wait.
        let new = MutableProperty(false, contention: .enqueue)
        let (isDrained, isIdle) = update {
            let (isDrained, isFirst, isIdle) = units.withLock { units in
                if let isDrained = units.isDrained { return (isDrained, false, false) }
                units.isDrained = new
                units.load.isDraining = true
                return (new, true, unfinished.set(1) == 0)
            }
            return (isFirst, (isDrained, isIdle))
        }
        if isIdle { PureSection.afterwards { isDrained.value = true } }
        return isDrained
    }

    /// Whether a unit that starts now may be queued.
    @usableFromInline
    var mayHaveToWait: Bool {
        guard case .concurrent(let limit, 1...) = policy.kind else { return false }
        return units.withLock { $0.load.running >= limit }
    }

    /// Its properties, and how many units run and wait.
    var graphState: (properties: [AnyObject], running: Int, waiting: Int) {
        let (state, isDrained) = units.withLock { ($0.load, $0.isDrained) }
        var properties: [AnyObject] = [load, isEnabled.node, isExecuting.node]
        if let isDrained { properties.append(isDrained.node) }
        return (properties, state.running, state.waiting)
    }

    /// Begins a queued unit in the place of one that has ended.
    ///
    /// The units of a place begin one after another in a lane: a unit that ends while it begins does not begin the next
    /// one recursively. Units of other places do not wait for them.
    @usableFromInline
    func begin(_ unit: any ActionUnit, after former: any ActionUnit, mayWait: Bool) {
        let lane = onlyLane ?? former.lane ?? Gate(contention: .enqueue)
        unit.lane = lane
        lane.push(DeferredWork { unit.beginInTurn(mayWait: mayWait) })
    }
}

extension ActionPolicy {
    /// Whether a start would begin or wait, if the condition of the action is true.
    fileprivate func hasRoom(beside load: Admission.Load) -> Bool {
        if load.isDraining { return false }
        return switch kind {
        case .concurrent(let limit, let waiting): load.running < limit || load.waiting < waiting
        case .restart: true
        }
    }
}
