/// The task-locals that a scheduler carries from the code that schedules an action to the action.
///
/// They are listed individually, because there is no public way to copy all task-locals in force.
struct PropagatedTaskLocals: Sendable {
    /// Captures the current value of one task-local. The result runs a closure with it.
    private typealias Capture = @Sendable () -> @Sendable (() -> Void) -> Void

    private let captures: [Capture]

    /// Creates an empty set.
    init() { captures = [] }

    var areNone: Bool { captures.isEmpty }

    init<First: Sendable, each Other: Sendable>(_ first: TaskLocal<First>, _ others: repeat TaskLocal<each Other>) {
        var captures = [Self.capture(of: first)]
        repeat captures.append(Self.capture(of: each others))
        self.captures = captures
    }

    private static func capture<Value: Sendable>(of local: TaskLocal<Value>) -> Capture {
        { { [value = local.get()] in local.withValue(value, operation: $0) } }
    }

    /// Returns the action, wrapped so that the values in force now are in force while it runs.
    func carried(by action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        var carried = action
        for capture in captures.reversed() {
            carried = { [run = capture(), inner = carried] in run(inner) }
        }
        return carried
    }
}
