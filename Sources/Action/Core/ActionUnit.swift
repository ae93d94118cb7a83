package import HotSignals

/// A start of an action, without the action's generic types.
@usableFromInline
protocol ActionUnit: AnyObject, Sendable {
    /// Where the unit began, and the next one in its place begins: `nil` for a unit that has not been queued. Set
    /// before the unit begins.
    var lane: Gate? { get set }

    /// Begins the work of an admitted unit, or refuses it if the action has been disabled since its admission.
    ///
    /// - Parameter mayWait: `false` on a thread that disposes of the previous unit, because a disposal never waits.
    func begin(mayWait: Bool)

    /// Begins a queued unit in the context of its own start.
    func beginInTurn(mayWait: Bool)

    /// Interrupts the work, whether it has begun or not.
    func interruptWork()
}
