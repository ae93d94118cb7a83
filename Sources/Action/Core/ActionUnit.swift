/// A start of an action, as those see it who do not know its types.
@usableFromInline
protocol ActionUnit: AnyObject, Sendable {
    /// Begins the work of a unit that has been admitted, or refuses it if the action has been disabled meanwhile.
    ///
    /// - Parameter mayWait: False on a thread that disposes of the unit before this one, as a disposal never waits.
    func begin(mayWait: Bool)

    /// Begins one that has waited, in the context of its own start.
    func beginInTurn(mayWait: Bool)

    /// Interrupts the work, begun or not.
    func interruptWork()
}
