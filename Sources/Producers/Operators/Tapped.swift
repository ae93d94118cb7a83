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
            downstream.tapped(by: tap, TappedStream(.start, streamName, location)) { begin(run, $0) }
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
        let sink = TapSink(link, downstream: self)
        link.run { begin(ProducerSink(run) { sink.receive($0) }) }
    }
}
