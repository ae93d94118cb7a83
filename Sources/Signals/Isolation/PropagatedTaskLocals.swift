/// The task-locals that a scheduler carries from the code that schedules an action to the action.
///
/// They are listed individually, because there is no public way to copy all task-locals in force.
struct PropagatedTaskLocals: Sendable {
    /// Each closure captures the current value of one task-local.
    private let captures: [@Sendable () -> any CapturedTaskLocal]

    /// Creates an empty set.
    init() { captures = [] }

    var areNone: Bool { captures.isEmpty }

    init<First: Sendable, each Other: Sendable>(_ first: TaskLocal<First>, _ others: repeat TaskLocal<each Other>) {
        var captures = [Self.capture(of: first)]
        repeat captures.append(Self.capture(of: each others))
        self.captures = captures
    }

    private static func capture<Value: Sendable>(of local: TaskLocal<Value>) -> @Sendable () -> any CapturedTaskLocal {
        { Captured(local: local, value: local.get()) }
    }

    /// Returns the action, wrapped so that the values in force now are in force while it runs.
    func carried(by action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        var carried = action
        for capture in captures.reversed() {
            let captured = capture()
            carried = { [inner = carried] in captured.inForce(inner) }
        }
        return carried
    }
}

/// A task-local of any type, with a captured value.
private protocol CapturedTaskLocal: Sendable {
    func inForce(_ body: () -> Void)
}

private struct Captured<Value: Sendable>: CapturedTaskLocal {
    let local: TaskLocal<Value>
    let value: Value

    func inForce(_ body: () -> Void) { local.withValue(value, operation: body) }
}
