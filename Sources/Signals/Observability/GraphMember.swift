/// An object that the module ReactiveDiagnostics shows: see ``GraphHook``.
@usableFromInline
package protocol GraphMember: AnyObject, Sendable {
    /// What it is now, or `nil` if it has ended. Called without a lock, on any thread.
    var graphEntry: GraphEntry? { get }

    /// What to observe, if that is what the member consists of.
    var graphCore: SignalCore? { get }
}

extension GraphMember {
    @usableFromInline package var graphCore: SignalCore? { nil }
}

/// What an object is at one time.
@usableFromInline
package struct GraphEntry {
    package enum Kind: String, Sendable {
        case signal, `operator`, start, property, action, buffer
        /// Has no node of its own. Its only parent is what it observes.
        case observer
    }

    package let kind: Kind
    package let name: GraphName
    /// What it is derived from or belongs to.
    package let parents: [AnyObject]
    /// What is a part of it, and has no node of its own.
    package var parts: [AnyObject] = []
    /// What belongs to it without knowing it.
    package var children: [AnyObject] = []
    /// Its own gate.
    package var gate: Gate?
    /// The number of its observers. `nil` for what cannot be observed.
    package var observers: Int?
    /// How often it has been set. Only for a property that is set.
    package var changes: UInt64?
    /// How much is in the queue, and how much there may be. Only for a buffer.
    package var buffer: (depth: Int, limit: Int?)?
    /// How many executions run and wait. Only for an action.
    package var executions: (running: Int, waiting: Int)?

    package init(_ kind: Kind, _ name: GraphName = GraphName(""), parents: [AnyObject] = []) {
        (self.kind, self.name, self.parents) = (kind, name, parents)
    }

    /// Creates that of a queue.
    package init(buffer name: GraphName, depth: Int, limit: Int?, parents: [AnyObject] = []) {
        self.init(.buffer, name, parents: parents)
        buffer = (depth, limit)
    }
}
