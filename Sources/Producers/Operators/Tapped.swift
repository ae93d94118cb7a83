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
    @inlinable
    public func tapped(by tap: some StreamTap, file: StaticString = #fileID, line: UInt = #line) -> SignalProducer {
        tapped("", by: tap, CodeLocation(file, line))
    }

    /// - Parameter name: The operator as it is printed. Empty if the result is the same stream.
    @inlinable
    func tapped<Tap: StreamTap>(_ name: StaticString, by tap: Tap, _ location: CodeLocation?) -> SignalProducer {
        SignalProducer(
            derivedName(name), contention: contention, isSuspendable: isSuspendable
        ) { run, downstream in
            if run.isOver { return downstream.finish(.interrupted) }
            begin(run, downstream, tappedBy: TapLink(tap, TappedStream(.start, streamName, location)))
        }
    }

    /// Begins the work of a run. Notifies a tap of the beginning, and of the events on their way to `sink`.
    @inlinable
    func begin<Tap: StreamTap>(_ run: Run, _ sink: ProducerSink<Value, Failure>, tappedBy link: TapLink<Tap>) {
        // Added before the work, so called after everything that the work has added.
        run.observeEnded { link.end() }
        let tapped = TapStage(link, downstream: sink)
        link.run {
            // The events of a handler come through a core, which sends to the tap itself.
            guard case .handler(let handler) = work else { return begin(run, tapped.erased) }
            if let core = Core.head(of: tapped, run, contention: contention) {
                handler(Signal<Value, Failure>.Observer(core: core), run)
            }
        }
    }
}

extension ProducerSink {
    /// Notifies a tap of the beginning, and calls `begin` with a sink that notifies it of the events on their way to
    /// this one.
    @inlinable
    package func tapped(
        by tap: some StreamTap, _ stream: TappedStream, _ begin: (_ sink: ProducerSink) -> Void
    ) {
        tapped(by: TapLink(tap, stream), begin)
    }

    /// Calls `begin` with a sink that notifies a tap of the events on their way to this one.
    @inlinable
    package func tapped<Tap: StreamTap>(by link: TapLink<Tap>, _ begin: (_ sink: ProducerSink) -> Void) {
        // Added before the work, so called after everything that the work has added.
        run.observeEnded { link.end() }
        let sink = TapStage(link, downstream: self).erased
        link.run { begin(sink) }
    }
}

/// Notifies a tap of each event of a start, from any thread.
// A class, because a closure that captures one reference is called with fewer instructions.
@usableFromInline
@_fixed_layout
final class TapStage<Tap: StreamTap, Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let link: TapLink<Tap>
    @usableFromInline let downstream: ProducerSink<Value, Failure>

    @inlinable
    init(_ link: TapLink<Tap>, downstream: ProducerSink<Value, Failure>) {
        self.link = link
        self.downstream = downstream
    }

    @inlinable @inline(__always)
    func next(_ value: Value) { forward(.next(value)) }

    /// Forwards a value.
    // The event is in memory before the tap is called, and `downstream` is read after that: neither takes a register
    // that has to be saved.
    @inlinable @inline(__always)
    func forward(_ event: Event<Value, Failure>) {
        link.event(event)
        withUnsafePointer(to: event) { downstream.receive($0) }
    }

    /// Sends a terminal event in the way that ``ProducerSink/end(_:)`` does.
    @inlinable
    func end(_ termination: Termination<Failure>) {
        let run = downstream.run
        if !run.hasPassedEnd { notifyAndEnd(run.isCancelled ? .interrupted : termination) }
    }

    @inlinable @inline(__always)
    var hasEnded: Bool { downstream.hasEnded }

    /// This sink, type-erased.
    @inlinable @inline(__always)
    var erased: ProducerSink<Value, Failure> {
        ProducerSink(downstream.run) { [self] event in
            switch event.pointee {
            case .next(let value): next(value)
            case .error(let error): notifyAndEnd(.error(error))
            case .completed: notifyAndEnd(.completed)
            case .interrupted: notifyAndEnd(.interrupted)
            }
        }
    }

    // Out of line, so that values need fewer registers.
    @inlinable @inline(never)
    func notifyAndEnd(_ termination: Termination<Failure>) {
        link.event(termination.event(of: Value.self))
        downstream.end(termination)
    }
}
