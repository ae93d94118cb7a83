/// Notifies a tap of each event of a signal.
///
/// The gate keeps the events apart, and ``SignalCore/afterLeaving(_:)`` the end from them. So they need not be counted.
@frozen @usableFromInline
struct GateTapSink<Tap: StreamTap, Value: Sendable, Failure: Error>: OperatorSink {
    @usableFromInline let link: TapLink<Tap>
    /// That of the link, which is read once for each event.
    @usableFromInline let state: Tap.State
    @usableFromInline package let downstream: CoreSink<Value, Failure>

    @inlinable
    init(_ link: TapLink<Tap>, downstream: CoreSink<Value, Failure>) {
        self.link = link
        state = link.state
        self.downstream = downstream
    }

    @inlinable @inline(__always)
    package func next(_ value: Value) {
        downstream.core.deliver(value, after: { link.eventInGate(Event<Value, Failure>.next(value), in: state) })
    }

    @inlinable
    package func end(_ termination: Termination<Failure>) {
        link.eventInGate(termination.event(of: Value.self), in: state)
        downstream.end(termination)
    }
}
