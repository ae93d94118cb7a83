import HotSignals

/// What an ``Action`` does with a start while it is executing.
public struct ActionPolicy: Equatable, Sendable, CustomStringConvertible {
    enum Kind: Equatable, Sendable {
        case concurrent(limit: Int)
        case queue(limit: Int)
        case restart
    }

    let kind: Kind

    /// Refuses it: one unit of work at a time, and a start meanwhile fails with ``ActionError/disabled``.
    public static let refuse = ActionPolicy(kind: .concurrent(limit: 1))

    /// Has it wait: one unit of work at a time, the others in the order of their starts.
    ///
    /// What waits was checked when it was started, and gets the state of that moment. It begins when the one before has ended, on the
    /// thread that ends it or is beginning it still. If the action's condition is false at that moment, it fails with
    /// ``ActionError/disabled`` instead. Disposing of it takes it out of the queue, in constant time.
    ///
    /// - Parameter limit: How many may wait; a start beyond that is refused. Traps if it is negative.
    public static func queue(limit: Int) -> ActionPolicy {
        require(limit >= 0, "queue(limit: \(limit)): the limit must not be negative")
        return ActionPolicy(kind: .queue(limit: limit))
    }

    /// Interrupts the unit of work in progress, and begins the new one.
    public static let restart = ActionPolicy(kind: .restart)

    /// Begins it beside the others, and refuses it when there are `limit` of them.
    ///
    /// - Parameter limit: Traps unless it is positive.
    public static func concurrent(limit: Int) -> ActionPolicy {
        require(limit > 0, "concurrent(limit: \(limit)): the limit must be positive")
        return ActionPolicy(kind: .concurrent(limit: limit))
    }

    /// The policy as it is written: `.queue(limit: 2)`.
    public var description: String {
        switch kind {
        case .concurrent(1): ".refuse"
        case .concurrent(let limit): ".concurrent(limit: \(limit))"
        case .queue(let limit): ".queue(limit: \(limit))"
        case .restart: ".restart"
        }
    }
}
