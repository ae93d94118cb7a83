import NIOCore
import NIOPosix
import ReactiveSignals
import Testing

/// The library does not know NIO. An event loop is a serial executor like any other.
@Suite("An event loop as a scheduler")
struct EventLoopTests {
    private enum Locals {
        @TaskLocal static var request = 0
    }

    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    @Test("delivers in order, on the loop's thread")
    func order() async {
        let (scheduler, loop) = (ExecutorScheduler(loop.executor), loop)
        let deliveries = await SignalProducer(1...1_000).observe(on: scheduler).map { ($0, loop.inEventLoop) }
            .collectAll()
        #expect(deliveries?.map(\.0) == Array(1...1_000))
        #expect(deliveries?.allSatisfy(\.1) == true)
    }

    @Test("runs an action with the task-local values of the code that scheduled it")
    func locals() async {
        let (scheduler, loop) = (ExecutorScheduler(loop.executor), loop)
        let found = await withCheckedContinuation { continuation in
            Locals.$request.withValue(7) {
                _ = scheduler.schedule { continuation.resume(returning: (Locals.request, loop.inEventLoop)) }
            }
        }
        #expect(found == (7, true))
    }
}
