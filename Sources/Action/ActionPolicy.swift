import HotSignals

/// What an ``Action`` does with a start while a unit is running.
public struct ActionPolicy: Equatable, Sendable, CustomStringConvertible {
    enum Kind: Equatable, Sendable {
        /// Up to `limit` units run, and up to `waiting` starts wait.
        case concurrent(limit: Int, waiting: Int)
        case restart
    }

    let kind: Kind
    /// The group, for an action that is a member of one.
    var group: ActionGroup?

    /// Refuses the start: it fails with ``ActionError/disabled``. One unit runs at a time.
    public static let refuse = ActionPolicy(kind: .concurrent(limit: 1, waiting: 0))

    /// Queues the start. One unit runs at a time, in the order of the starts.
    ///
    /// The condition is checked, and the state captured, when the start is made. The unit begins when the previous one
    /// has ended, on the thread that ends it, or on the thread that is still beginning it. If the condition is false at
    /// that moment, the start fails with ``ActionError/disabled``. Disposing of a queued start removes it from the
    /// queue, in constant time.
    ///
    /// - Parameter waiting: How many starts can wait. Further starts are refused. Traps if negative.
    public static func queue(waiting: Int) -> ActionPolicy {
        require(waiting >= 0, "queue(waiting: \(waiting)): the number of waiting starts must not be negative")
        return ActionPolicy(kind: .concurrent(limit: 1, waiting: waiting))
    }

    /// Interrupts the running unit, and begins the new one.
    public static let restart = ActionPolicy(kind: .restart)

    /// Runs up to `limit` units at the same time, and refuses further starts.
    ///
    /// - Parameter limit: Traps unless positive.
    public static func concurrent(limit: Int) -> ActionPolicy {
        require(limit > 0, "concurrent(limit: \(limit)): the limit must be positive")
        return ActionPolicy(kind: .concurrent(limit: limit, waiting: 0))
    }

    /// Runs up to `limit` units at the same time, queues up to `waiting` starts, and refuses further ones.
    ///
    /// Like ``queue(waiting:)``, with several units at a time: `.concurrent(limit: 1, waiting: n)` is
    /// `.queue(waiting: n)`, and `.concurrent(limit: n, waiting: 0)` is `.concurrent(limit: n)`. Queued starts begin in
    /// order, each in the place of a unit that has ended, on the thread that ends it. Disposing of a queued start
    /// removes it in constant time.
    ///
    /// - Parameters:
    ///   - limit: How many units run at the same time. Traps unless positive.
    ///   - waiting: How many starts can wait. Traps if negative.
    public static func concurrent(limit: Int, waiting: Int) -> ActionPolicy {
        require(limit > 0, "concurrent(limit: \(limit)): the limit must be positive")
        require(waiting >= 0, "concurrent(waiting: \(waiting)): the number of waiting starts must not be negative")
        return ActionPolicy(kind: .concurrent(limit: limit, waiting: waiting))
    }

    /// Does what the policy of a group says, which counts the units of all members: see ``ActionGroup``.
    ///
    /// - Parameter group: The group that the action belongs to. Retained by the action.
    public static func member(of group: ActionGroup) -> ActionPolicy {
        ActionPolicy(kind: group.policy.kind, group: group)
    }

    /// Whether both mean the same. Two memberships do if they are in the same group.
    public static func == (first: ActionPolicy, second: ActionPolicy) -> Bool {
        first.kind == second.kind && first.group === second.group
    }

    /// The policy as written in code, such as `.queue(waiting: 2)`: the shortest form that means the same.
    public var description: String {
        if let group { return ".member(of: ActionGroup(policy: \(group.policy)))" }
        return switch kind {
        case .concurrent(1, 0): ".refuse"
        case .concurrent(let limit, 0): ".concurrent(limit: \(limit))"
        case .concurrent(1, let waiting): ".queue(waiting: \(waiting))"
        case .concurrent(let limit, let waiting): ".concurrent(limit: \(limit), waiting: \(waiting))"
        case .restart: ".restart"
        }
    }
}

extension ActionPolicy {
    /// The former name of ``queue(waiting:)``.
    @_documentation(visibility: internal)
    @available(*, deprecated, renamed: "queue(waiting:)")
    public static func queue(limit: Int) -> ActionPolicy { queue(waiting: limit) }
}
