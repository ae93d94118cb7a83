public import HotSignals

extension SignalProducer {
    /// Notifies a tap of each start: its beginning, its events and its end.
    ///
    /// ```swift
    /// request.named("request").tapped(by: requestLog).start()
    /// ```
    ///
    /// The tap is notified of each start separately: `StreamTap.begin(_:)`, then `StreamTap.run(_:in:)` with the work,
    /// then each event before it is sent downstream. `StreamTap.end(_:)` follows when the observer has received the
    /// terminal event, or an operator downstream needs no more, and the resources of the work have been released.
    ///
    /// - Parameters:
    ///   - tap: Is notified. Retained by the producer.
    ///   - file: The file that the tap sees.
    ///   - line: The line that the tap sees.
    /// - SeeAlso: ``on(starting:started:event:next:error:completed:interrupted:terminated:disposed:)``
    @_alwaysEmitIntoClient
    public func tapped(by tap: some StreamTap, file: StaticString = #fileID, line: UInt = #line) -> SignalProducer {
        tapped("", by: tap, CodeLocation(file, line))
    }

    /// - Parameter name: The operator as it is printed. Empty if the result is the same stream.
    @_alwaysEmitIntoClient
    func tapped<Tap: StreamTap>(_ name: StaticString, by tap: Tap, _ location: CodeLocation?) -> SignalProducer {
        tapped(derivedName(name)) { _ in
            tap
        } of: {
            TappedStream(.start, streamName, location)
        }
    }

    /// Notifies a tap of each start, if there is one when the start begins.
    @_alwaysEmitIntoClient
    func tapped<Tap: StreamTap>(
        _ name: StreamName, by tap: @escaping @Sendable (Start) -> Tap?,
        of stream: @escaping @Sendable () -> TappedStream
    ) -> SignalProducer {
        if case .handler(let handler) = work {
            let tapped = Work.handler { observer, start in
                guard let tap = tap(start) else { return handler(observer, start) }
                let link = TapLink(tap, stream())
                // Before the work, so that the end comes after everything that the work adds to the start.
                observer.beTapped(by: link, during: start)
                link.run { handler(observer, start) }
            }
            return SignalProducer(name, tapped, of: self)
        }
        return SignalProducer(name, of: self) { start, downstream in
            if start.isOver { return downstream.end(.interrupted) }
            guard let tap = tap(start) else { return beginWork(of: start, into: downstream) }
            downstream.tapped(by: TapLink(tap, stream())) { beginWork(of: start, into: $0) }
        }
    }
}

extension ProducerSink {
    /// Calls `begin` with a sink that notifies a tap of the events on their way to this one.
    @_alwaysEmitIntoClient
    package func tapped<Tap: StreamTap>(by link: TapLink<Tap>, _ begin: (_ sink: ProducerSink) -> Void) {
        // Added before the work, so called after everything that the work has added.
        start.observeEnded { link.end() }
        let sink =
            if let link = link.withValueAction {
                ActionStage(link, downstream: self).sink
            } else {
                TapStage(link, downstream: self).sink
            }
        link.run { begin(sink) }
    }

    /// Notifies a tap of a terminal event, and forwards the event.
    // Out of line, so that values need fewer registers.
    @inlinable @inline(never)
    func end<Tap: StreamTap>(_ event: UnsafePointer<Event<Value, Failure>>, tappedBy link: TapLink<Tap>) {
        link.event(event.pointee)
        if let termination = Termination(event.pointee) { end(termination) }
    }
}

/// Notifies a tap of each event of a start, from any thread.
// A class, because a closure that captures one reference is called with fewer instructions.
@usableFromInline
@_fixed_layout
final class TapStage<Tap: StreamTap, Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let link: TapLink<Tap>
    @usableFromInline let downstream: ProducerSink<Value, Failure>

    @_alwaysEmitIntoClient
    init(_ link: TapLink<Tap>, downstream: ProducerSink<Value, Failure>) {
        self.link = link
        self.downstream = downstream
    }

    /// What sends into this stage.
    @_alwaysEmitIntoClient @inline(__always)
    var sink: ProducerSink<Value, Failure> {
        ProducerSink(downstream.start) { [self] event in
            guard case .next = event.pointee else { return downstream.end(event, tappedBy: link) }
            link.event(event.pointee)
            downstream.receive(event)
        }
    }
}

/// Calls the value action of a tap for each value of a start, from any thread, and notifies the tap of the end.
///
/// The link does not count values, so the action can be called once more after another thread has ended the start. The
/// action is stored here, because one that is read through the link is retained for each call.
@usableFromInline
@_fixed_layout
final class ActionStage<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let action: @Sendable () -> Void
    @usableFromInline let downstream: ProducerSink<Value, Failure>
    @usableFromInline let link: TapLink<ErasedTap>

    @_alwaysEmitIntoClient
    init(_ link: TapLink<ErasedTap>, downstream: ProducerSink<Value, Failure>) {
        self.link = link
        action = link.state.valueAction
        self.downstream = downstream
    }

    /// What sends into this stage.
    @_alwaysEmitIntoClient @inline(__always)
    var sink: ProducerSink<Value, Failure> {
        ProducerSink(downstream.start) { [self] event in
            guard case .next = event.pointee else { return downstream.end(event, tappedBy: link) }
            action()
            downstream.receive(event)
        }
    }
}
