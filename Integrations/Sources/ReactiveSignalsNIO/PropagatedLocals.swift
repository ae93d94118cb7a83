/// The task-locals that a scheduler carries from the code that schedules an action to the action.
///
/// They are listed individually, because there is no public way to copy all task-locals in force.
struct PropagatedLocals: Sendable {
    private typealias Work = @Sendable () -> Void

    /// Each closure captures the current value of one task-local, and returns work that runs under it.
    private var carriers: [@Sendable (@escaping Work) -> Work] = []

    init() {}

    var areNone: Bool { carriers.isEmpty }

    init<First: Sendable, each Other: Sendable>(_ first: TaskLocal<First>, _ others: repeat TaskLocal<each Other>) {
        carriers.append(Self.carrier(of: first))
        repeat carriers.append(Self.carrier(of: each others))
    }

    private static func carrier<Value: Sendable>(
        of local: TaskLocal<Value>
    ) -> @Sendable (@escaping Work) -> Work {
        { work in
            let value = local.get()
            return { local.withValue(value, operation: work) }
        }
    }

    /// Returns the action, wrapped so that the values in force now are in force while it runs.
    func carried(by action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        carriers.reversed().reduce(action) { action, carrier in carrier(action) }
    }
}
