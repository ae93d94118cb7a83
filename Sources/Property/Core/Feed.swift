public import ColdProducers
public import HotSignals

/// Forwards the events of a stream to the root node of the property that follows it.
///
/// The node retains the stream's start, so the feed references the node weakly.
@usableFromInline
@_fixed_layout
final class Feed<Value: Sendable>: Sendable {
    @frozen @usableFromInline
    struct State {
        @usableFromInline weak var node: RootNode<Value>?
        @usableFromInline var isConnected = false
        /// The last value received before there was a node.
        @usableFromInline var first: Value?
        @usableFromInline var hasEnded = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())

    @_alwaysEmitIntoClient
    init() {}

    @_alwaysEmitIntoClient
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

    /// Takes the last value received before there was a node, if any. Call it again for values that arrive later.
    @_alwaysEmitIntoClient
    func takeFirst() -> Value? { state.withLock { $0.first.take() } }

    /// Forwards events to `node` from now on. Returns `false`, and does not connect, if a value has arrived that the
    /// node does not have.
    @_alwaysEmitIntoClient
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

extension PropertyProtocol {
    /// The producer, for a property that follows this one. A start sends the current value before it returns, unless
    /// waiting for the thread that delivers an event would close a cycle.
    @usableFromInline
    var promptProducer: SignalProducer<Value, Never> {
        let producer = producer
        // Usually the start waits.
        if producer.contention == .wait, !PassiveSection.isCurrent { return producer }
        let forwarded = (self as? any PropertyForwarding<Value>)?.forwarded
        guard let property = forwarded ?? self as? any NodeHolding<Value> else { return producer }
        return property.node.promptProducer(holding: property.signal)
    }
}

extension Property {
    /// Creates a property that has the values of a stream, which is started now.
    ///
    /// - Parameter otherwise: Returns the initial value if the stream has sent nothing when its start returns.
    @_alwaysEmitIntoClient
    package convenience init(
        _ name: StreamName, following stream: SignalProducer<Value, Never>, otherwise: () -> Value
    ) {
        let feed = Feed<Value>()
        // It lives as long as the property, and not as the work in which it may be made.
        let start = LibraryTask.withoutCounter { stream.start { feed.take($0) } }
        let root = RootNode(feed.takeFirst() ?? otherwise(), name: name, contention: stream.contention)
        root.feed = start
        while !feed.connect(root) {
            // Not a set, which would trap in a closure that computes. Nothing else refers to the node.
            if let value = feed.takeFirst() { root.value = value }
        }
        self.init(root, nil)
    }
}
