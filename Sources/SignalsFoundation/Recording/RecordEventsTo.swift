public import ColdProducers
public import HotSignals

extension Signal where Value: Encodable, Failure: Encodable {
    /// Records the events in a file while a recorder is on, and forwards them unchanged.
    ///
    /// ```swift
    /// let recorder = EventRecorder()
    /// let (orders, input) = Signal<String, Never>.pipe()
    /// let recorded = orders.named("orders").recordEvents(to: recorder)
    /// ```
    ///
    /// Each event is recorded once, before it is sent downstream, on the thread of its sender, as long as the resulting
    /// signal is retained or observed. The recording names the stream as this signal is named when this method is
    /// called.
    ///
    /// **Errors** must be `Codable`, as `Never` is. Others can be replaced before: `mapError { CodableError($0) }`.
    ///
    /// While the recorder is off, an event costs one atomic load.
    ///
    /// - Parameter recorder: Where to record. Retained by the resulting signal.
    /// - SeeAlso: ``ColdProducers/SignalProducer/replaying(contentsOf:as:stream:)``
    @_alwaysEmitIntoClient
    public func recordEvents(to recorder: EventRecorder) -> Signal {
        let source = RecordingSource(name)
        return derive("") { RecordingSink(recorder, source, downstream: $0) }
    }
}

extension SignalProducer where Value: Encodable, Failure: Encodable {
    /// Records the events of each start in a file while a recorder is on, and forwards them unchanged.
    ///
    /// ```swift
    /// let recorder = EventRecorder()
    /// let load = SignalProducer<Int, Never>([1, 2]).named("load").recordEvents(to: recorder)
    /// ```
    ///
    /// Each start is a stream of its own in the recording, with the name of this producer. Otherwise like
    /// ``HotSignals/Signal/recordEvents(to:)`` of signals.
    ///
    /// - Parameter recorder: Where to record. Retained by the resulting producer.
    /// - SeeAlso: ``replaying(contentsOf:as:stream:)``
    @_alwaysEmitIntoClient
    public func recordEvents(to recorder: EventRecorder) -> SignalProducer {
        let name = name
        return derive("") { RecordingSink(recorder, RecordingSource(name), downstream: $0) }
    }
}

/// Records events on their way to the sink downstream.
@frozen @usableFromInline
struct RecordingSink<Downstream: Sink>: OperatorSink where Downstream.Value: Encodable, Downstream.Failure: Encodable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure

    @usableFromInline let recorder: EventRecorder
    @usableFromInline let source: RecordingSource
    @usableFromInline let downstream: Downstream

    @_alwaysEmitIntoClient
    init(_ recorder: EventRecorder, _ source: RecordingSource, downstream: Downstream) {
        self.recorder = recorder
        self.source = source
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    func next(_ value: Downstream.Value) {
        if recorder.isRecording { recorder.record(Event<Value, Failure>.next(value), of: source) }
        downstream.next(value)
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Downstream.Failure>) {
        if recorder.isRecording { recorder.record(termination.event(of: Value.self), of: source) }
        downstream.end(termination)
    }
}
