/// Notifies a tap of each event, from any thread.
@frozen @usableFromInline
package struct TapSink<Tap: StreamTap, Downstream: Sink>: OperatorSink {
    @usableFromInline let link: TapLink<Tap>
    @usableFromInline package let downstream: Downstream

    @inlinable
    package init(_ link: TapLink<Tap>, downstream: Downstream) {
        self.link = link
        self.downstream = downstream
    }

    @inlinable @inline(__always)
    package func next(_ value: Downstream.Value) {
        link.event(Event<Downstream.Value, Downstream.Failure>.next(value))
        downstream.next(value)
    }

    @inlinable
    package func end(_ termination: Termination<Downstream.Failure>) {
        link.event(termination.event(of: Downstream.Value.self))
        downstream.end(termination)
    }
}

/// Notifies a tap of each event of a signal.
///
/// The gate keeps the events apart, and ``SignalCore/afterLeaving(_:)`` the end from them. So they need not be counted.
@frozen @usableFromInline
struct GateTapSink<Tap: StreamTap, Downstream: Sink>: OperatorSink {
    @usableFromInline let link: TapLink<Tap>
    @usableFromInline package let downstream: Downstream

    @inlinable
    init(_ link: TapLink<Tap>, downstream: Downstream) {
        self.link = link
        self.downstream = downstream
    }

    @inlinable @inline(__always)
    package func next(_ value: Downstream.Value) {
        link.eventInGate(Event<Downstream.Value, Downstream.Failure>.next(value))
        downstream.next(value)
    }

    @inlinable
    package func end(_ termination: Termination<Downstream.Failure>) {
        link.eventInGate(termination.event(of: Downstream.Value.self))
        downstream.end(termination)
    }
}
