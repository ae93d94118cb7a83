public import ColdProducers
public import HotSignals

/// What sets the node of a property that follows a stream. The node holds the stream, so this does not hold the node.
@usableFromInline
@_fixed_layout
final class Feed<Value: Sendable>: Sendable {
    @frozen @usableFromInline
    struct State {
        @usableFromInline weak var node: RootNode<Value>?
        @usableFromInline var isConnected = false
        /// What has come before there was a node, the last of it.
        @usableFromInline var first: Value?
        @usableFromInline var hasEnded = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())

    @inlinable
    init() {}

    @inlinable
    func take(_ event: Event<Value, Never>) {
        var former: Value?
        let node = state.withLock { state -> RootNode<Value>? in
            if state.isConnected { return state.node }
            if case .next(let value) = event {
                former = state.first
                state.first = value
            } else {
                state.hasEnded = true
            }
            return nil
        }
        withExtendedLifetime(former) {}
        guard let node else { return }
        if case .next(let value) = event { node.set(value) } else { node.end() }
    }

    /// The value that has come, if any; to be asked again for what has come since.
    @inlinable
    func takeFirst() -> Value? { state.withLock { $0.first.take() } }

    /// Hands over to a node, unless there is a value that it does not have.
    @inlinable
    func connect(_ node: RootNode<Value>) -> Bool {
        let hasEnded = state.withLock { state -> Bool? in
            if state.first != nil { return nil }
            state.node = node
            state.isConnected = true
            return state.hasEnded
        }
        if hasEnded == true { node.end() }
        return hasEnded != nil
    }
}

extension Property {
    /// A property that has the values of a stream, which begins now.
    ///
    /// - Parameter otherwise: What it has if the stream has not sent anything when its start returns.
    @inlinable
    package convenience init(
        _ name: StreamName, following stream: SignalProducer<Value, Never>, otherwise: () -> Value
    ) {
        let feed = Feed<Value>()
        let run = stream.start { feed.take($0) }
        let root = RootNode(feed.takeFirst() ?? otherwise(), name: name, contention: stream.contention)
        root.feed = run
        while !feed.connect(root) {
            if let value = feed.takeFirst() { root.set(value) }
        }
        self.init(root, nil)
    }
}
