/// Notifies a tap of each event.
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
