public import HotSignals

extension StreamGraph {
    /// Observes a stream of a snapshot, whatever its types, for a tool that shows what passes through.
    ///
    /// ```swift
    /// for node in StreamGraph.snapshot().nodes where node.name == "orders" {
    ///     StreamGraph.observe(node.id) { event in print(event) }
    /// }
    /// ```
    ///
    /// Observes signals, the signals of operators, properties, the values of actions, and starts whose work does not
    /// end before `start` returns. Finding the stream takes as long as a snapshot.
    ///
    /// Like every observer, it keeps the stream alive until it is disposed of, and runs on the thread that sends. So
    /// `action` must return quickly. It sees the values: a tool decides what of them to show, and to whom.
    ///
    /// - Parameters:
    ///   - id: The ``Node/id`` of a node.
    ///   - action: Called with every event that follows.
    /// - Returns: A disposable that removes the observer. `nil` if there is nothing to observe: the stream has ended,
    ///   it is a buffer, a property without an observer, or a start that sends on the thread that starts it.
    @discardableResult
    public static func observe(
        _ id: UInt64, _ action: @escaping @Sendable (Event<any Sendable, any Error>) -> Void
    ) -> (any Disposable)? {
        guard let core = core(of: id), !core.terminated.isRaised else { return nil }
        return core.observeErased(action)
    }

    private static func core(of id: UInt64) -> SignalCore? {
        var member: (any GraphMember)?
        GraphRegistry.visit { if $1.id == id { member = $0 } }
        guard let member else { return nil }
        if let core = member.graphCore { return core }
        // The head of a start knows the start, and not the other way round.
        let address = GraphHook.address(of: member)
        var head: SignalCore?
        GraphRegistry.visit { if $1.isStart, $1.partner == address { head = $0 as? SignalCore } }
        return head
    }
}
