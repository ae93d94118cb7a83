import HotSignals

/// What an ``Action`` does with a start while a unit is running.
public struct ActionPolicy: Equatable, Sendable, CustomStringConvertible {
    enum Kind: Equatable, Sendable {
        case concurrent(limit: Int)
        case queue(limit: Int)
        case restart
    }

    let kind: Kind

    /// Refuses the start: it fails with ``ActionError/disabled``. One unit runs at a time.
    public static let refuse = ActionPolicy(kind: .concurrent(limit: 1))

    /// Queues the start. One unit runs at a time, in the order of the starts.
    ///
    /// The condition is checked, and the state captured, when the start is made. The unit begins when the previous one
    /// has ended, on the thread that ends it, or on the thread that is still beginning it. If the condition is false at
    /// that moment, the start fails with ``ActionError/disabled``. Disposing of a queued start removes it from the
    /// queue, in constant time.
    ///
    /// - Parameters:
    ///   - limit: How many starts can wait. Further starts are refused. Traps if negative.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public static func queue(limit: Int, file: StaticString = #fileID, line: UInt = #line) -> ActionPolicy {
        require(limit >= 0, "queue(limit: \(limit)): the limit must not be negative", file: file, line: line)
        return ActionPolicy(kind: .queue(limit: limit))
    }

    /// Interrupts the running unit, and begins the new one.
    public static let restart = ActionPolicy(kind: .restart)

    /// Runs up to `limit` units at the same time, and refuses further starts.
    ///
    /// - Parameters:
    ///   - limit: Traps unless positive.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public static func concurrent(limit: Int, file: StaticString = #fileID, line: UInt = #line) -> ActionPolicy {
        require(limit > 0, "concurrent(limit: \(limit)): the limit must be positive", file: file, line: line)
        return ActionPolicy(kind: .concurrent(limit: limit))
    }

    /// The policy as written in code, such as `.queue(limit: 2)`.
    public var description: String {
        switch kind {
        case .concurrent(1): ".refuse"
        case .concurrent(let limit): ".concurrent(limit: \(limit))"
        case .queue(let limit): ".queue(limit: \(limit))"
        case .restart: ".restart"
        }
    }
}
