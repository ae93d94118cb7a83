import HotSignals
import ReactiveProperties

/// Who is at work, and who may begin: the part of an action that does not depend on its types.
///
/// The roster is the truth, guarded by a lock; `isEnabled` and `isExecuting` are derived from it and from the user's condition. A start
/// owns the domain of `isEnabled` while it looks at the condition and takes its place. So the condition is, for everybody, what it was
/// found to be, until the unit has been admitted.
///
/// A unit that has been admitted begins later: after the events that report its admission, and after those before it in
/// a queue. So the condition is looked at again when it begins, in the same way: ``begin(mayWait:_:)``.
@usableFromInline
final class Admission: Sendable {
    private struct Roster {
        var running = 0
        /// The units that were admitted and have not begun.
        var waiting = WaitingLine<ObjectIdentifier, any ActionUnit>()
        /// The one that was admitted last, where the next one interrupts it.
        var latest: (any ActionUnit)?
    }

    /// What is to be done with a start.
    @usableFromInline
    enum Verdict {
        case begin(interrupting: (any ActionUnit)?)
        case wait
        case refuse
    }

    /// What came of an attempt to begin a unit.
    @usableFromInline
    enum Beginning {
        case begun
        /// The action is disabled.
        case refused
        /// Another thread is beginning a unit, and the caller must not wait.
        case busy
    }

    private let policy: ActionPolicy
    private let roster: Locked<Roster>
    private let condition: GuardedCondition?
    /// Set whenever the roster has changed.
    private let changes = RootNode((), name: StreamName("action"))
    /// Begins what has waited, one after the other: a unit that ends in its beginning does not begin the next one inside.
    private let starter = Gate(contention: .enqueue)
    let isEnabled: Property<Bool>
    let isExecuting: Property<Bool>

    /// - Parameter condition: What has to be true as well.
    init(_ policy: ActionPolicy, condition: Property<Bool>?) {
        self.policy = policy
        let roster = Locked(Roster())
        self.roster = roster
        self.condition = condition.map { GuardedCondition($0) }
        let condition = condition?.node
        @Sendable func hasRoom() -> Bool {
            roster.withLock { roster in
                switch policy.kind {
                case .concurrent(let limit): roster.running < limit
                case .queue(let limit): roster.running == 0 || roster.waiting.count < limit
                case .restart: true
                }
            }
        }
        // All end when the action does, whatever becomes of the condition.
        let enabled = ValueNode<Bool>.kept(
            .alone("isEnabled"), from: [changes] + (condition.map { [$0] } ?? []), ending: .with(0),
            initial: { (condition?.published ?? true) && hasRoom() },
            next: { node in
                let isEnabled = (condition?.given(to: node, nil) ?? true) && hasRoom()
                return isEnabled == node.value ? nil : isEnabled
            })
        // Derived from the other only to come after it: an action is disabled before it executes, and enabled before it ends.
        let executing = ValueNode<Bool>.kept(
            .alone("isExecuting"), from: [enabled.0, changes], ending: .with(1), initial: { false },
            next: { node in
                let isExecuting = roster.withLock { $0.running > 0 }
                return isExecuting == node.value ? nil : isExecuting
            })
        isEnabled = Property(enabled.0, enabled.1)
        isExecuting = Property(executing.0, executing.1)
    }

    /// Changes the roster, while nothing that `isEnabled` follows from changes.
    private func update<Result>(mayWait: Bool = true, _ body: () -> (new: Void?, result: Result)) -> Result {
        changes.update(owning: [isEnabled.node.domain], mayWait: mayWait, body)
    }

    /// To be called when the action goes.
    func end() { changes.end() }

    /// Decides on a start.
    ///
    /// - Parameter isAllowed: Says whether the condition is met. Calls nothing of a user's.
    @usableFromInline
    func admit(_ unit: any ActionUnit, if isAllowed: () -> Bool) -> Verdict {
        update {
            guard isAllowed() else { return (nil, .refuse) }
            let verdict = roster.withLock { roster -> Verdict in
                switch policy.kind {
                case .concurrent(let limit):
                    if roster.running == limit { return .refuse }
                    roster.running += 1
                    return .begin(interrupting: nil)
                case .queue(let limit):
                    if roster.running == 0 {
                        roster.running = 1
                        return .begin(interrupting: nil)
                    }
                    if roster.waiting.count == limit { return .refuse }
                    roster.waiting.append(unit, for: ObjectIdentifier(unit))
                    return .wait
                case .restart:
                    roster.running += 1
                    let former = roster.latest
                    roster.latest = unit
                    return .begin(interrupting: former)
                }
            }
            if case .refuse = verdict { return (nil, verdict) }
            return ((), verdict)
        }
    }

    /// Takes out one that waits, in constant time. Returns false if it does not, or no longer. Never waits.
    @usableFromInline
    func withdraw(_ unit: any ActionUnit) -> Bool {
        guard case .queue = policy.kind else { return false }
        return update(mayWait: false) {
            // The caller holds the unit, so this is not the last reference.
            let hasWaited = roster.withLock { $0.waiting.remove(ObjectIdentifier(unit)) } != nil
            return (hasWaited ? () : nil, hasWaited)
        }
    }

    /// Takes out one whose work has ended. Returns the one whose turn it is then.
    ///
    /// - Parameter mayWait: False for one that was disposed of, as a disposal never waits.
    @usableFromInline
    func leave(_ unit: any ActionUnit, mayWait: Bool) -> (any ActionUnit)? {
        update(mayWait: mayWait) {
            let next = roster.withLock { roster -> (any ActionUnit)? in
                if roster.latest === unit { roster.latest = nil }
                // The place is passed on, so that the action goes on executing.
                if let next = roster.waiting.popFirst() { return next }
                roster.running -= 1
                return nil
            }
            return ((), next)
        }
    }

    /// Whether a unit that starts now may have to wait for its turn.
    @usableFromInline
    var mayHaveToWait: Bool {
        guard case .queue = policy.kind else { return false }
        return roster.withLock { $0.running > 0 }
    }

    /// Begins one that has waited.
    @usableFromInline
    func begin(_ unit: any ActionUnit, mayWait: Bool) {
        starter.push(DeferredWork { unit.beginInTurn(mayWait: mayWait) })
    }

    /// Begins one for which ``begin(mayWait:_:)`` was busy. Never waits.
    @usableFromInline
    func beginAfterwards(_ unit: any ActionUnit) {
        condition?.afterwards { self.begin(unit, mayWait: false) }
    }

    /// Calls `body`, which makes the work of a unit, unless the action has been disabled since that was admitted.
    ///
    /// What disables the action meanwhile, on another thread, returns after `body` has.
    @usableFromInline
    func begin(mayWait: Bool, _ body: () -> Void) -> Beginning {
        guard let condition else {
            body()
            return .begun
        }
        return switch condition.act(mayWait: mayWait, body) {
        case .done: .begun
        case .unmet: .refused
        case .busy: .busy
        }
    }
}
