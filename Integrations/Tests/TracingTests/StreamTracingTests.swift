import InMemoryTracing
import IntegrationsTestSupport
import ReactiveSignals
import ReactiveSignalsTracing
import Testing
import Tracing

private struct Trouble: Error {}

@Suite("Spans as a tap", .patient)
struct StreamTracingTests {
    private let tracer = InMemoryTracer()

    private func tap(_ name: String? = nil) -> StreamTracing { StreamTracing(name, tracer: tracer) }

    /// The finished span of this name.
    private func span(_ name: String) throws -> FinishedInMemorySpan {
        try #require(tracer.finishedSpans.first { $0.operationName == name })
    }

    @Test("makes a span of each start, with the outcome and the number of values")
    func start() throws {
        let producer = SignalProducer<Int, Never>(1...3).named("orders").tapped(by: tap("load"))
        #expect(tracer.finishedSpans.isEmpty)
        producer.start()
        producer.start()
        #expect(tracer.finishedSpans.count == 2)
        #expect(tracer.activeSpans.isEmpty)
        let span = try span("load")
        #expect(span.status?.code == .ok)
        #expect(span.attributes["stream.outcome"]?.toSpanAttribute() == .string("completed"))
        #expect(span.attributes["stream.values"]?.toSpanAttribute() == .int64(3))
        #expect(span.parentSpanID == nil)
    }

    @Test("counts the values as the tap of all starts with a name")
    func hook() throws {
        StreamHooks.tap = tap()
        SignalProducer<Int, Trouble> { observer, _ in
            [1, 2].forEach(observer.sendNext)
            observer.sendError(Trouble())
        }
        .named("hooked").start()
        SignalProducer<Int, Never>(1...3).named("hooked sequence").start()
        StreamHooks.tap = nil
        let spans = try ["hooked", "hooked sequence"].map(span)
        #expect(spans.map { $0.attributes["stream.values"]?.toSpanAttribute() } == [.int64(2), .int64(3)])
        #expect(
            spans.map { $0.attributes["stream.outcome"]?.toSpanAttribute() } == [
                .string("failed"), .string("completed"),
            ])
    }

    @Test("sets the status by the end")
    func outcomes() throws {
        SignalProducer<Int, Trouble>(error: Trouble()).tapped(by: tap("failed")).start()
        SignalProducer<Int, Never>.never.tapped(by: tap("interrupted")).start().dispose()
        SignalProducer<Int, Never>(1...9).tapped(by: tap("released")).take(first: 1).start()
        for outcome in ["failed", "interrupted", "released"] {
            #expect(try span(outcome).attributes["stream.outcome"]?.toSpanAttribute() == .string(outcome))
        }
        #expect(try span("failed").status?.code == .error)
        #expect(try span("failed").errors.first?.error is Trouble)
        #expect(try span("interrupted").status == nil)
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test("the span is the parent of what the work does, however deep, and a child of the caller's")
    func parents() throws {
        let inner = SignalProducer<Int, Never>(value: 1).tapped(by: tap("inner"))
        let middle = SignalProducer<Int, Never>(1...2).flatMap(.concat) { _ in inner }.tapped(by: tap("middle"))
        let outer = SignalProducer<Int, Never>.deferred { middle }.tapped(by: tap("outer"))
        tracer.withSpan("request") { _ in _ = outer.start() }
        let (request, outerSpan, middleSpan) = (try span("request"), try span("outer"), try span("middle"))
        #expect(outerSpan.parentSpanID == request.spanID)
        #expect(middleSpan.parentSpanID == outerSpan.spanID)
        let inners = tracer.finishedSpans.filter { $0.operationName == "inner" }
        #expect(inners.count == 2)
        #expect(inners.allSatisfy { $0.parentSpanID == middleSpan.spanID && $0.traceID == request.traceID })
    }

    @Test("work that goes on in tasks stays in the context of its span")
    func tasks() async throws {
        let tracer = tracer
        let work = SignalProducer<Int, Never>(1...3)
            .mapAsync(maxConcurrent: 2) { number in
                await Task.yield()
                return tracer.withSpan("query \(number)") { _ in number }
            }.tapped(by: tap("load"))
        #expect(await work.collectAll() == [1, 2, 3])
        #expect(await eventually { tracer.finishedSpans.count == 4 })
        let load = try span("load")
        for number in 1...3 { #expect(try span("query \(number)").parentSpanID == load.spanID) }
    }

    @Test("concurrent requests do not share a context", arguments: [1, 4])
    func isolation(threads: Int) async throws {
        let tracer = tracer
        let work = SignalProducer.async {
            await Task.yield()
            tracer.withSpan("query") { _ in }
        }.tapped(by: tap("load"))
        await withTaskGroup { group in
            for _ in 0..<threads {
                group.addTask {
                    for _ in 0..<200 { await tracer.withSpan("request") { _ in _ = await work.first() } }
                }
            }
        }
        #expect(await eventually { tracer.activeSpans.isEmpty })
        let spans = tracer.finishedSpans
        for name in ["request", "load", "query"] {
            #expect(spans.count { $0.operationName == name } == 200 * threads)
        }
        let byID = Dictionary(uniqueKeysWithValues: spans.map { ($0.spanID, $0) })
        for span in spans where span.operationName != "request" {
            let parent = span.parentSpanID.flatMap { byID[$0] }
            #expect(parent?.operationName == (span.operationName == "load" ? "request" : "load"))
        }
        // One tree a request, with one span of each kind.
        #expect(Dictionary(grouping: spans, by: \.traceID).values.allSatisfy { $0.count == 3 })
    }

    @Test("the context crosses a dispatch queue that is told to carry it")
    func queues() async throws {
        let (carrying, dropping) = (QueueScheduler(propagating: ServiceContext.$current), QueueScheduler())
        for (name, queue) in [("carried", carrying), ("dropped", dropping)] {
            let inner = SignalProducer<Int, Never>(value: 1).tapped(by: tap(name))
            _ = await inner.start(on: queue).tapped(by: tap("outer \(name)")).collectAll()
        }
        #expect(try span("carried").parentSpanID == span("outer carried").spanID)
        #expect(try span("dropped").parentSpanID == nil)
    }

    @Test("an observer does not run in the context of the work, but in its sender's")
    func observers() throws {
        let tracer = tracer
        let seen = MutableProperty<[String?]>([])
        let (numbers, input) = Signal<Int, Never>.pipe()
        SignalProducer(numbers).tapped(by: tap("load")).startWithNext { _ in
            seen.modify { $0.append(ServiceContext.current?.inMemorySpanContext?.spanID) }
        }
        input.sendNext(1)
        tracer.withSpan("sender") { span in
            input.sendNext(2)
            #expect(seen.value == [nil, span.spanID])
        }
        input.sendCompleted()
    }

    @Test("an execution that waits begins its span when it is asked for, and works in its context")
    func executions() throws {
        let tracer = tracer
        let (gate, opening) = Signal<Void, Never>.pipe()
        let action = Action<Int, Int, Never>(policy: .queue(waiting: 2)) { number in
            SignalProducer.deferred {
                tracer.withSpan("work \(number)") { _ in }
                return SignalProducer(gate).take(first: 1).map { _ in number }
            }
        }
        action.tapped(by: tap("save"))
        tracer.withSpan("first") { _ in _ = action.apply(1).start() }
        tracer.withSpan("second") { _ in _ = action.apply(2).start() }
        #expect(tracer.activeSpans.count == 2)
        opening.sendNext(())
        opening.sendNext(())
        opening.sendCompleted()
        let saves = tracer.finishedSpans.filter { $0.operationName == "save" }
        #expect(saves.count == 2)
        #expect(saves.map(\.parentSpanID) == [try span("first").spanID, try span("second").spanID])
        #expect(try span("work 1").parentSpanID == saves[0].spanID)
        #expect(try span("work 2").parentSpanID == saves[1].spanID)
    }

    @Test("uses the name of the producer, and the caller's kind and attributes")
    func attributes() throws {
        let tap = StreamTracing(ofKind: .client, attributes: ["peer": "db"], tracer: tracer)
        SignalProducer<Int, Never>.empty.named("rows").tapped(by: tap).start()
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.operationName.contains("rows"))
        #expect(span.kind == .client)
        #expect(span.attributes["peer"]?.toSpanAttribute() == .string("db"))
    }

    @Test("makes no span of a signal or a property")
    func hotStreams() {
        let (numbers, input) = Signal<Int, Never>.pipe()
        numbers.tapped(by: tap("signal")).observeNext { _ in }
        input.sendNext(1)
        input.sendCompleted()
        _ = MutableProperty(1).tapped(by: tap("property"))
        #expect(tracer.finishedSpans.isEmpty)
        #expect(tracer.activeSpans.isEmpty)
    }
}
