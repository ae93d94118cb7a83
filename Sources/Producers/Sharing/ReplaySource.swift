/// One start of a producer, shared by several starts.
///
/// It is cancelled when this object is released. The starts that share it retain this object.
@usableFromInline
@_fixed_layout
package final class ReplaySource<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let producer: SignalProducer<Value, Failure>
    @usableFromInline let hub: ReplayHub<Value, Failure>
    @usableFromInline package let start = Start()
    @usableFromInline let hasBegun = AtomicFlag()

    @_alwaysEmitIntoClient
    package init(_ producer: SignalProducer<Value, Failure>, _ name: StreamName, capacity: Int) {
        self.producer = producer
        hub = ReplayHub(name, capacity: capacity, contention: producer.contention)
    }

    /// - Parameter make: Returns the producer that sends into the hub.
    @_alwaysEmitIntoClient
    package init(
        _ name: StreamName, contention: Contention, capacity: Int,
        _ make: (ReplayHub<Value, Failure>) -> SignalProducer<Value, Failure>
    ) {
        hub = ReplayHub(name, capacity: capacity, contention: contention)
        producer = make(hub)
    }

    @inlinable
    deinit { start.dispose() }

    /// Begins the work, unless it has begun. Returns the disposable that cancels it.
    ///
    /// - Parameters:
    ///   - willSend: Called with each value before the starts that share the work receive it.
    ///   - willEnd: Called with the terminal event before they receive it.
    @_alwaysEmitIntoClient @discardableResult
    package func begin(
        willSend: (@Sendable (Value) -> Void)? = nil, willEnd: (@Sendable (Event<Value, Failure>) -> Void)? = nil
    ) -> any Disposable {
        guard hasBegun.raise() else { return start }
        // The sink captures the hub and the start, not `self`, so that the work does not keep this object alive.
        let (hub, start) = (self.hub, self.start)
        let sink = ProducerSink<Value, Failure>(start) { pointer in
            let event = pointer.pointee
            if case .next(let value) = event {
                if start.isOver { return }
                willSend?(value)
                hub.send(event)
            } else if start.raiseEnd() {
                willEnd?(event)
                hub.send(event)
                start.runCleanups()
            }
        }
        // Not counted by the scope in which it begins: it may continue for other starts after that scope has ended.
        LibraryTask.withoutCounter { producer.beginWork(of: start, into: sink) }
        return start
    }

    /// Adds a start, which retains this object until it has ended.
    @_alwaysEmitIntoClient
    package func join(_ sink: ProducerSink<Value, Failure>) {
        sink.start.addCleanup { withExtendedLifetime(self) {} }
        hub.join(sink)
    }
}
