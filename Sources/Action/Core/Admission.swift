import HotSignals
import ReactiveProperties

/// Decides which units of an action may run: the part of an action that does not depend on its generic types.
///
/// The lock-guarded `units` are the source of truth, and the members of a group share them. `isEnabled` and
/// `isExecuting` are derived from the action's load and from the user's condition. A start owns the domain of the
/// condition while it checks that and adds its unit. So no thread sees the condition change between that check and the
/// admission.
///
/// An admitted unit begins, even if the events that report its admission make the condition false. Only a unit that has
/// waited in the queue checks the condition again when its turn comes, before it is reported.
///
/// The members of a group share no node of the property graph. Each publishes its own load. A member that has taken the
/// last place, or freed one, has the others publish theirs, when it owns nothing. So no thread owns the domains of two
/// members, which are in no order of their heights.
@usableFromInline
final class Admission: @unchecked Sendable {
    // Sendable: the lock of `units` guards the variables.

    /// The units of an action, or those of all members of a group.
    struct Units {
        /// The number of units that have begun.
        var running = 0
        /// Admitted units that have not begun.
        var waiting = WaitingLine<ObjectIdentifier, any ActionUnit>()
        /// Only for a group: queued units whose admission has not been published, and whether their turn has come.
        var unpublished: [ObjectIdentifier: Bool] = [:]
        /// The unit that was admitted last, if the policy is to interrupt it for the next one.
        var latest: (any ActionUnit)?
        /// The members of the group. Empty for an action without a group.
        var members: [Admission] = []
    }

    /// What the members of a group share. An action without a group has its own.
    struct Places: Sendable {
        let units = Locked(Units())
        /// The lane of the queued units if one unit runs at a time.
        let onlyLane: Gate?

        init(_ policy: ActionPolicy) {
            onlyLane = if case .concurrent(1, 1...) = policy.kind { Gate(contention: .enqueue) } else { nil }
        }
    }

    /// What the properties of an action are derived from.
    private struct Load: Sendable {
        /// The number of admitted units of this action, including those in the queue.
        var units = 0
        /// Whether there is neither a place nor room in the queue.
        var isFull = false
        /// Whether no further unit is admitted.
        var isDraining = false
        /// Set when the action has ended: `isEnabled` no longer changes then, although the condition may.
        var isFinallyEnabled: Bool?

        var hasRoom: Bool { !isFull && !isDraining }
    }

    /// The decision on a start.
    @usableFromInline
    enum Decision {
        case begin(interrupting: (any ActionUnit)?)
        /// The turn of the unit, which has been queued, has come already.
        case beginInTurn
        case wait
        case refuse
    }

    /// How many units may run at the same time, and how many starts may wait.
    private let (limit, capacity): (Int, Int)
    /// Whether a start interrupts the unit that was admitted last.
    private let restarts: Bool
    private let isMember: Bool
    private let units: Locked<Units>
    @exclusivity(unchecked) private var load = Load()
    /// The number of units of this action that are in the queue.
    @exclusivity(unchecked) private var waiting = 0
    /// Becomes true when the action has drained. `nil` until it is told to drain.
    @exclusivity(unchecked) private var isDrained: MutableProperty<Bool>?
    /// Twice the number of admitted units whose end has not been reported completely. The lowest bit is set when the
    /// action is told to drain. Units are added, and the bit is set, under the lock of `units`.
    private let unfinished = AtomicWord(0)
    /// The user's condition, in a domain of its own.
    private let condition: Property<Bool>?
    /// Publishes the load.
    private let root = RootNode(Load(), name: StreamName("action"))
    private let onlyLane: Gate?
    let isEnabled: Property<Bool>
    let isExecuting: Property<Bool>

    /// - Parameter condition: Must be true as well for the action to be enabled.
    init(_ policy: ActionPolicy, condition: Property<Bool>?) {
        (limit, capacity) =
            switch policy.kind {
            case .concurrent(let limit, let waiting): (limit, waiting)
            case .restart: (.max, 0)
            }
        restarts = policy.kind == .restart
        isMember = policy.group != nil
        let places = policy.group?.places ?? Places(policy)
        (units, onlyLane) = (places.units, places.onlyLane)
        self.condition = condition?.inOwnDomain(named: "condition")
        let root = root
        let condition = self.condition?.node
        // Both properties end when the action does, whatever the condition does. They are computed when they are read,
        // or at each change while they are observed.
        let enabled = ValueNode<Bool>.pulledWithoutRepeats(
            .alone("isEnabled"), from: [root] + (condition.map { [$0] } ?? []), ending: .with(0)
        ) { node, pull in
            let load = root.given(to: node, pull)
            return load.isFinallyEnabled ?? (load.hasRoom && (condition?.given(to: node, pull) ?? true))
        }
        // Derived from `enabled` only to be computed after it: an action is disabled before it executes, and enabled
        // before it stops executing.
        let executing = ValueNode<Bool>.pulledWithoutRepeats(
            .alone("isExecuting"), from: [enabled, root], ending: .with(1)
        ) { node, pull in root.given(to: node, pull).units > 0 }
        isEnabled = Property(enabled)
        isExecuting = Property(executing)
        guard isMember else { return }
        units.withLock { $0.members.append(self) }
        follow(mayWait: false)
    }

    /// Whether there is neither a place nor room in the queue.
    private func isFull(_ units: borrowing Units) -> Bool {
        units.running >= limit && units.waiting.count >= capacity
    }

    /// Changes `units` and `load`, and publishes the load.
    ///
    /// - Parameters:
    ///   - ownsCondition: Whether the condition does not change meanwhile.
    ///   - body: Returns whether it has changed the load.
    private func update<Result>(
        mayWait: Bool = true, ownsCondition: Bool = true, _ body: () -> (hasChanged: Bool, result: Result)
    ) -> Result {
        root.update(
            owning: condition.flatMap { ownsCondition ? [$0.node.domain] : nil } ?? [], mayWait: mayWait,
            current: { units.withLock { _ in load } },
            publishLater: { taken in
                guard let taken else { return PureSection.afterwards { self.update(mayWait: false) { (true, ()) } } }
                taken.whenFree { mayWait in self.update(mayWait: mayWait) { (true, ()) } }
            }, body)
    }

    /// Publishes whether there is room.
    private func follow(mayWait: Bool) {
        update(mayWait: mayWait, ownsCondition: false) {
            units.withLock { units in
                let isFull = isFull(units)
                defer { load.isFull = isFull }
                return (isFull != load.isFull, ())
            }
        }
    }

    /// Has the other members of the group publish whether there is room, if that has changed.
    @inline(never)
    private func tellMembers(mayWait: Bool) {
        let others = units.withLock { units in
            units.members.filter { $0.load.isFull != isFull(units) }
        }
        for member in others { member.follow(mayWait: mayWait) }
    }

    /// Called when the action is released.
    func end() {
        if PureSection.isCurrent { return PureSection.afterwards { self.end() } }
        if isMember { units.withLock { $0.members.removeAll { $0 === self } } }
        if condition != nil {
            update(mayWait: false) {
                let isMet = isConditionMet
                units.withLock { _ in load.isFinallyEnabled = isMet && load.hasRoom }
                return (true, ())
            }
        }
        root.end()
    }

    /// Whether the condition, if there is one, is true.
    @usableFromInline
    var isConditionMet: Bool { condition?.node.latest ?? true }

    /// Decides on a start.
    ///
    /// - Parameters:
    ///   - prepareToWait: Called with no lock held if the unit has to wait, before another thread can begin it.
    ///   - isAllowed: Returns whether the condition is met. Must not call user code.
    @usableFromInline
    func admit(_ unit: any ActionUnit, prepareToWait: () -> Void, if isAllowed: () -> Bool) -> Decision {
        if let decision = decide(on: unit, canWait: false, if: isAllowed) { return decision }
        prepareToWait()
        return decide(on: unit, canWait: true, if: isAllowed).unsafelyUnwrapped
    }

    /// - Returns: `nil` if the unit has to wait, but cannot. Then nothing has changed.
    private func decide(on unit: any ActionUnit, canWait: Bool, if isAllowed: () -> Bool) -> Decision? {
        let decision = update { () -> (hasChanged: Bool, result: Decision?) in
            guard isAllowed() else { return (false, .refuse) }
            let decision = units.withLock { units -> Decision? in
                if load.isDraining { return .refuse }
                var decision = Decision.wait
                if units.running < limit {
                    units.running += 1
                    decision = .begin(interrupting: restarts ? exchange(&units.latest, with: unit) : nil)
                } else if units.waiting.count < capacity {
                    if !canWait { return nil }
                    units.waiting.append(unit, for: ObjectIdentifier(unit))
                    if isMember { units.unpublished[ObjectIdentifier(unit)] = false }
                    waiting += 1
                } else {
                    return .refuse
                }
                load.units += 1
                load.isFull = isFull(units)
                _ = unfinished.acquire(adding: 2)
                return decision
            }
            switch decision {
            case nil, .refuse: return (false, decision)
            default: return (true, decision)
            }
        }
        if !isMember || decision == nil { return decision }
        tellMembers(mayWait: true)
        guard case .wait = decision else { return decision }
        let hasTurn = units.withLock { $0.unpublished.removeValue(forKey: ObjectIdentifier(unit)) == true }
        return hasTurn ? .beginInTurn : .wait
    }

    /// Removes a queued unit, in constant time. Returns `false` if it is not in the queue, or no longer. Never waits.
    ///
    /// The caller calls ``finish()`` when it has reported the end of the unit.
    @usableFromInline
    func withdraw(_ unit: any ActionUnit) -> Bool {
        capacity > 0 && withdrawQueued(unit)
    }

    @inline(never)
    private func withdrawQueued(_ unit: any ActionUnit) -> Bool {
        let hasWaited = update(mayWait: false) {
            // The caller retains the unit, so this does not release the last reference.
            let hasWaited = units.withLock { units in
                guard units.waiting.remove(ObjectIdentifier(unit)) != nil else { return false }
                waiting -= 1
                load.units -= 1
                load.isFull = false
                return true
            }
            return (hasWaited, hasWaited)
        }
        if isMember { tellMembers(mayWait: false) }
        return hasWaited
    }

    /// Removes a unit whose work has ended. Returns the queued unit that begins next, if any.
    ///
    /// - Parameter mayWait: `false` for a unit that was disposed of, because a disposal never waits.
    @usableFromInline
    func leave(_ unit: any ActionUnit, mayWait: Bool) -> (any ActionUnit)? {
        let next = update(mayWait: mayWait) {
            let next = units.withLock { units -> (any ActionUnit)? in
                if restarts, units.latest === unit { units.latest = nil }
                load.units -= 1
                load.isFull = false
                guard let next = units.waiting.popFirst() else {
                    units.running -= 1
                    return nil
                }
                // The place is passed on, also to another member.
                next.admission.waiting -= 1
                guard isMember, units.unpublished[ObjectIdentifier(next)] != nil else { return next }
                // The thread that starts it begins it, when its own action is executing.
                units.unpublished[ObjectIdentifier(next)] = true
                return nil
            }
            return (true, next)
        }
        if isMember { tellMembers(mayWait: mayWait) }
        return next
    }

    /// Called when the end of a unit that has left has been reported to everybody.
    @usableFromInline
    func finish() {
        // Of the last unit of an action that drains.
        guard unfinished.release(subtracting: 2) == 3 else { return }
        let isDrained = units.withLock { _ in self.isDrained }
        PureSection.afterwards { isDrained?.value = true }
    }

    /// Whether the action has been told to drain.
    var isDraining: Bool { units.withLock { _ in load.isDraining } }

    /// Refuses starts from now on.
    ///
    /// - Returns: Becomes true when all units have ended.
    func drain() -> MutableProperty<Bool> {
        // Set on a thread that ends a unit, which may be in a disposal, and so must not wait.
        let new = MutableProperty(false, contention: .enqueue)
        let (isDrained, isIdle) = update {
            let (isDrained, isFirst, isIdle) = units.withLock { _ in
                if let former = self.isDrained { return (former, false, false) }
                self.isDrained = new
                load.isDraining = true
                return (new, true, unfinished.set(1) == 0)
            }
            return (isFirst, (isDrained, isIdle))
        }
        if isIdle { PureSection.afterwards { isDrained.value = true } }
        return isDrained
    }

    /// Its properties, and how many of its units run and wait.
    var graphState: (properties: [AnyObject], running: Int, waiting: Int) {
        let (count, waiting, isDrained) = units.withLock { _ in (load.units, self.waiting, self.isDrained) }
        var properties: [AnyObject] = [root, isEnabled.node, isExecuting.node]
        if let isDrained { properties.append(isDrained.node) }
        return (properties, count - waiting, waiting)
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
