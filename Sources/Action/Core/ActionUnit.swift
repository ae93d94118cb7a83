package import HotSignals

/// A start of an action, without the action's generic types.
@usableFromInline
protocol ActionUnit: AnyObject, Sendable {
    /// Decides on the units of its action.
    var admission: Admission { get }

    /// Where the unit began, and the next one in its place begins: `nil` for a unit that has not been queued. Set
    /// before the unit begins.
    var lane: Gate? { get set }

    /// Begins a queued unit in the context of its own start, or refuses it if the action has been disabled.
    ///
    /// - Parameter mayWait: `false` on a thread that disposes of the previous unit, because a disposal never waits.
    func beginInTurn(mayWait: Bool)

    /// Interrupts the work, whether it has begun or not.
    func interruptWork()
}
