package import HotSignals

/// A stream that an operator makes of some values of its source: a window or a group.
///
/// It needs the source until it ends, or until nobody can observe it any more: its producer has been released, and all
/// starts of it have ended.
@usableFromInline
@_fixed_layout
package final class InnerStream<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let hub: ReplayHub<Value, Failure>
    @usableFromInline let name: StreamName
    @usableFromInline let users: SourceUsers
    @usableFromInline let hasLeft = AtomicFlag()

    /// - Parameters:
    ///   - name: The kind of stream.
    ///   - capacity: The maximum number of values that are stored until the first start.
    ///   - core: The core of the operator. A sender that finds the stream busy with a start does the same as there.
    ///   - whenFull: What happens to a value that is one too many.
    ///   - overflowed: Called in case of `.fail`.
    @_alwaysEmitIntoClient
    package init(
        _ name: StaticString, in core: SignalCore, of users: SourceUsers, capacity: Int,
        whenFull: Overflow = .dropOldest, overflowed: (@Sendable () -> Void)? = nil
    ) {
        self.name = StreamName(name)
        self.users = users
        hub = ReplayHub(
            self.name, capacity: capacity, contention: core.gateContention, forgetsAtFirstJoin: true,
            whenFull: whenFull,
            overflowed: overflowed)
        users.add()
    }

    /// Creates the producer of the stream. Call once.
    @_alwaysEmitIntoClient
    package func makeProducer() -> SignalProducer<Value, Failure> {
        let holder = Holder(self)
        return SignalProducer(name, contention: hub.core.gateContention) { _, sink in
            sink.start.addCleanup { withExtendedLifetime(holder) {} }
            holder.stream.hub.join(sink)
        }
    }

    @_alwaysEmitIntoClient
    package func send(_ value: Value) { hub.send(.next(value)) }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) {
        hub.send(termination.event())
        leave()
    }

    @discardableResult
    @_alwaysEmitIntoClient
    func leave() -> Bool {
        guard hasLeft.raise() else { return false }
        users.remove()
        return true
    }

    /// Retained by the producer of a stream and by its starts.
    @usableFromInline
    @_fixed_layout
    final class Holder: Sendable {
        @usableFromInline let stream: InnerStream

        @_alwaysEmitIntoClient
        init(_ stream: InnerStream) { self.stream = stream }

        deinit { if stream.leave() { stream.hub.forget() } }
    }
}
