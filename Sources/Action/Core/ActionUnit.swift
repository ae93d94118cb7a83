/// A start of an action, as those see it who do not know its types.
@usableFromInline
protocol ActionUnit: AnyObject, Sendable {
    /// Begins the work: the unit has been admitted.
    func begin()

    /// Interrupts the work, begun or not.
    func interruptWork()
}
