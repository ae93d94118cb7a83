import InMemoryTracing
import IntegrationsTestSupport
import ReactiveSignals
import ReactiveSignalsTracing
import Testing
import Tracing

/// The recipe of the README.
private struct Orders: Sendable {
    let tracer: any Tracer
    let ship: @Sendable (Int) -> SignalProducer<Int, Never>
    let database = QueueScheduler(propagating: ServiceContext.$current)

    private var shipping: StreamTracing { StreamTracing("ship order", tracer: tracer) }

    func shipAll(_ orders: [Int]) -> SignalProducer<Int, Never> {
        SignalProducer(orders)
            .flatMap(.concurrent(limit: 4)) { order in
                ship(order).start(on: database).tapped(by: shipping)
            }
            .tapped(by: StreamTracing("ship orders", tracer: tracer))
    }
}

@Suite("The recipe for traces", .patient)
struct TracingRecipeTests {
    @Test("shows one tree for a request, across a queue and tasks")
    func orders() async throws {
        let tracer = InMemoryTracer()
        let orders = Orders(tracer: tracer) { order in
            SignalProducer.async {
                await Task.yield()
                return tracer.withSpan("write \(order)") { _ in order }
            }
        }
        await tracer.withSpan("request") { _ in _ = await orders.shipAll([1, 2]).collectAll() }
        #expect(await eventually { tracer.activeSpans.isEmpty })
        let spans = Dictionary(uniqueKeysWithValues: tracer.finishedSpans.map { ($0.spanID, $0) })
        var paths: [String] = []
        for span in tracer.finishedSpans {
            var (path, ancestor) = (span.operationName, span.parentSpanID.flatMap { spans[$0] })
            while let parent = ancestor {
                path = "\(parent.operationName) > \(path)"
                ancestor = parent.parentSpanID.flatMap { spans[$0] }
            }
            paths.append(path)
        }
        #expect(
            paths.sorted() == [
                "request", "request > ship orders", "request > ship orders > ship order",
                "request > ship orders > ship order", "request > ship orders > ship order > write 1",
                "request > ship orders > ship order > write 2",
            ])
    }
}
