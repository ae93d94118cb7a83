/// One start of a producer that several starts share.
///
/// It is cancelled when it is released: the ones who share it hold it.
@usableFromInline
@_fixed_layout
package final class ReplaySource<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let producer: SignalProducer<Value, Failure>
    @usableFromInline let hub: ReplayHub<Value, Failure>
    @usableFromInline let run = Run()
    @usableFromInline let hasBegun = AtomicFlag()

    @inlinable
    package init(_ producer: SignalProducer<Value, Failure>, _ name: StreamName, capacity: Int) {
        self.producer = producer
        hub = ReplayHub(name, capacity: capacity, contention: producer.contention)
    }

    @inlinable
    deinit { run.dispose() }

    /// Begins the work, unless it has begun. Returns what cancels it.
    ///
    /// - Parameter willEnd: Called with the end, before those that share it know.
    @inlinable @discardableResult
    package func begin(willEnd: (@Sendable () -> Void)? = nil) -> any Disposable {
        guard hasBegun.raise() else { return run }
        // They hold the hub, not this.
        let (hub, run) = (self.hub, self.run)
        let sink = ProducerSink<Value, Failure>(run) { event in
            if case .next = event {
                if !run.isOver { hub.send(event) }
            } else if run.raiseEnd() {
                willEnd?()
                hub.send(event)
                run.finish()
            }
        }
        // It may go on for others when the scope has ended in which it began.
        LibraryTask.withoutTally { producer.begin(run, sink) }
        return run
    }

    /// Begins the work for a start that has joined, unless that is over already.
    @inlinable
    package func begin(for start: Run, willEnd: (@Sendable () -> Void)? = nil) {
        if !start.isOver { begin(willEnd: willEnd) }
    }

    /// Has a start join, which holds this until it has ended.
    @inlinable
    package func join(_ sink: ProducerSink<Value, Failure>) {
        sink.run.cleanUp { withExtendedLifetime(self) {} }
        hub.join(sink)
    }
}
