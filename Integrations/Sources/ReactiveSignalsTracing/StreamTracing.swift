public import ReactiveSignals
import Synchronization
public import Tracing

/// A tap that makes a span of each start, with swift-distributed-tracing.
///
/// ```swift
/// let order = SignalProducer.deferred { load(id).flatMap(.concat) { ship($0) } }
///     .tapped(by: StreamTracing("ship order"))
/// ```
///
/// The span begins before the work, and ends when everything that belongs to the start has been released. It is a child
/// of the span in whose context the producer is started. What the work starts runs in the context of this span, so its
/// spans are children of this one: tapped producers, tasks, and requests of a client that carries the context.
///
/// | the start | the span |
/// |---|---|
/// | completes | has the status `ok` |
/// | fails | has the status `error`, and the error is recorded |
/// | is interrupted, or is no longer needed | has no status |
///
/// The attribute `stream.outcome` is `completed`, `failed`, `interrupted` or `released`, and `stream.values` is the
/// number of values. `stream.name` and `stream.id` are those of the start.
///
/// **Starts and executions only.** A signal or a property is no piece of work: tapping it makes no span.
///
/// A value travels in the context of the work that sends it. So what an operator below `tapped(by:)` does with a value,
/// such as the tasks of `mapAsync`, is a child of the span that has sent the value.
///
/// **Context**: it is a task-local. Tasks, and schedulers that carry all task-locals, keep it. A dispatch queue or an
/// event loop drops it, unless you name it: `QueueScheduler(propagating: ServiceContext.$current)`.
///
/// **Cost**: per start, that of a span and an allocation. Per value, a counter.
public struct StreamTracing: StreamTap {
    /// What the tap stores for a start.
    public final class Record: Sendable {
        fileprivate let span: any Span
        fileprivate let values = Atomic(0)
        fileprivate let hasTerminated = Atomic(false)

        fileprivate init(_ span: any Span) { self.span = span }

        @usableFromInline
        func count() { values.add(1, ordering: .relaxed) }

        @usableFromInline
        func terminate(_ outcome: String, _ error: (any Error)? = nil) {
            hasTerminated.store(true, ordering: .releasing)
            span.attributes["stream.outcome"] = outcome
            if let error {
                span.recordError(error)
                span.setStatus(SpanStatus(code: .error, message: "\(error)"))
            } else if outcome == "completed" {
                span.setStatus(SpanStatus(code: .ok))
            }
        }
    }

    private let operationName: String?
    private let kind: SpanKind
    private let tracer: (any Tracer)?
    private let attributes: SpanAttributes

    /// Creates a tap.
    ///
    /// - Parameters:
    ///   - operationName: The name of the spans. By default, that of the producer: then give it a name without data,
    ///     with `named(_:)`.
    ///   - kind: The kind of the spans.
    ///   - attributes: More attributes of each span.
    ///   - tracer: Makes the spans. By default, that of `InstrumentationSystem` when a start begins.
    public init(
        _ operationName: String? = nil, ofKind kind: SpanKind = .internal, attributes: SpanAttributes = [:],
        tracer: (any Tracer)? = nil
    ) {
        self.operationName = operationName
        self.kind = kind
        self.attributes = attributes
        self.tracer = tracer
    }

    /// Begins a span.
    public func begin(_ stream: TappedStream) -> Record? {
        switch stream.kind {
        case .signal, .property: return nil
        case .start, .execution: break
        }
        let tracer = tracer ?? InstrumentationSystem.tracer
        let span: any Span = tracer.startSpan(
            operationName ?? stream.name, context: ServiceContext.current ?? .topLevel, ofKind: kind,
            function: "tapped(by:)", file: stream.fileID ?? #fileID, line: stream.line)
        if span.isRecording {
            span.updateAttributes { all in
                all["stream.name"] = stream.name
                all["stream.id"] = Int64(clamping: stream.id)
                all.merge(attributes)
            }
        }
        return Record(span)
    }

    /// Runs the beginning of the work in the context of the span.
    public func run(_ work: () -> Void, in state: Record?) {
        if let state { ServiceContext.withValue(state.span.context, operation: work) } else { work() }
    }

    /// Counts a value, or sets the status of the span.
    @inlinable
    public func event<Value, Failure>(_ event: Event<Value, Failure>, in state: Record?) {
        guard let state else { return }
        switch event {
        case .next: state.count()
        case .completed: state.terminate("completed")
        case .error(let error): state.terminate("failed", error)
        case .interrupted: state.terminate("interrupted")
        }
    }

    /// Returns an action that counts a value.
    public func valueAction(in state: Record?) -> (@Sendable () -> Void)? { { state?.count() } }

    /// Ends the span.
    public func end(_ state: Record?) {
        guard let state else { return }
        if !state.hasTerminated.load(ordering: .acquiring) { state.span.attributes["stream.outcome"] = "released" }
        state.span.attributes["stream.values"] = state.values.load(ordering: .relaxed)
        state.span.end()
    }
}
