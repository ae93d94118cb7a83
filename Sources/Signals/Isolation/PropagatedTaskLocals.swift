/// The task-locals that a scheduler carries from the code that schedules an action to the action.
///
/// They are named one by one, as there is no public way to copy all that are in force.
struct PropagatedTaskLocals: Sendable {
    /// Each takes the value of one task-local at the moment of the call.
    private let captures: [@Sendable () -> any CapturedTaskLocal]

    /// None.
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

    /// The action with the values that are in force now in force while it runs.
    func carried(by action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        var carried = action
        for capture in captures.reversed() {
            let captured = capture()
            carried = { [inner = carried] in captured.inForce(inner) }
        }
        return carried
    }
}

/// A task-local and its value at some moment, whatever its type.
private protocol CapturedTaskLocal: Sendable {
    func inForce(_ body: () -> Void)
}

private struct Captured<Value: Sendable>: CapturedTaskLocal {
    let local: TaskLocal<Value>
    let value: Value

    func inForce(_ body: () -> Void) { local.withValue(value, operation: body) }
}
