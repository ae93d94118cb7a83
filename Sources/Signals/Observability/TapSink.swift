/// Notifies a tap of each event.
@frozen @usableFromInline
package struct TapSink<Tap: StreamTap, Downstream: Sink>: OperatorSink {
    @usableFromInline let tap: Tap
    @usableFromInline let state: Tap.State
    @usableFromInline package let downstream: Downstream

    @inlinable
    package init(_ tap: Tap, _ state: Tap.State, downstream: Downstream) {
        self.tap = tap
        self.state = state
        self.downstream = downstream
    }

    @inlinable @inline(__always)
    package func next(_ value: Downstream.Value) {
        tap.event(Event<Downstream.Value, Downstream.Failure>.next(value), in: state)
        downstream.next(value)
    }

    @inlinable
    package func end(_ termination: Termination<Downstream.Failure>) {
        tap.event(termination.event(of: Downstream.Value.self), in: state)
        downstream.end(termination)
    }
}
