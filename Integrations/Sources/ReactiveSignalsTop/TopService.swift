import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ReactiveDiagnostics
import ReactiveSignals
import TopProtocol

/// What the connections of a server share: the thread that takes snapshots, the clock and the settings.
final class TopService: Sendable {
    /// The maximum number of bytes of a request.
    static let requestLimit = 4_096
    /// The maximum number of viewers.
    static let viewerLimit = 16
    /// The maximum number of nodes of a snapshot.
    static let nodeLimit = 100_000

    let values: TopServer.Values
    private let recordings: TopServer.Recordings?
    private let pool = NIOThreadPool(numberOfThreads: 1)
    private let beginning = ContinuousClock.now
    private let viewers = NIOLockedValueBox(0)

    init(values: TopServer.Values, recordings: TopServer.Recordings?) {
        self.values = values
        self.recordings = recordings
        pool.start()
    }

    func close(_ done: @escaping @Sendable () -> Void) { pool.shutdownGracefully { _ in done() } }

    /// The time since the server was opened, in seconds.
    var time: Double { beginning.duration(to: .now) / .seconds(1) }

    var greeting: TopProtocol.Greeting {
        TopProtocol.Greeting(
            process: getpid(), program: ProcessInfo.processInfo.processName, hasValues: values.limit != nil,
            canRecord: recordings != nil)
    }

    /// Counts a viewer. Returns false if there are too many.
    func join() -> Bool {
        viewers.withLockedValue { viewers in
            if viewers == Self.viewerLimit { return false }
            viewers += 1
            return true
        }
    }

    func leave() { viewers.withLockedValue { $0 -= 1 } }

    /// Takes a snapshot, and encodes it.
    func snapshot(
        after former: StreamGraph.Snapshot?, on loop: any EventLoop
    ) -> EventLoopFuture<(StreamGraph.Snapshot, ByteBuffer)> {
        pool.runIfActive(eventLoop: loop) {
            let graph = StreamGraph.snapshot(after: former)
            let picture = TopProtocol.Picture(graph, time: self.time).cut(to: Self.nodeLimit)
            return (graph, ByteBuffer(bytes: try TopProtocol.encode(TopProtocol.Reply(snapshot: picture))))
        }
    }

    /// Looks for a stream, and observes it. That takes as long as a snapshot.
    func observe(
        _ node: UInt64, on loop: any EventLoop, _ action: @escaping @Sendable (Event<any Sendable, any Error>) -> Void
    ) -> EventLoopFuture<(any Disposable)?> {
        pool.runIfActive(eventLoop: loop) { StreamGraph.observe(node, action) }
    }

    private static let cannotRecord = TopProtocol.Reply(
        problem: .init(.recording, "the server has been opened without recordings"))

    func beginRecording(on loop: any EventLoop) -> EventLoopFuture<TopProtocol.Reply> {
        guard let recordings else { return loop.makeSucceededFuture(Self.cannotRecord) }
        return pool.runIfActive(eventLoop: loop) { recordings.begin() }
    }

    func endRecording(on loop: any EventLoop) -> EventLoopFuture<TopProtocol.Reply> {
        guard let recordings else { return loop.makeSucceededFuture(Self.cannotRecord) }
        return loop.makeFutureWithTask { await recordings.end() }
    }

    /// An event, as far as viewers may see it.
    func item(_ event: Event<any Sendable, any Error>) -> TopProtocol.Events.Item {
        func text(_ value: Any) -> String? { values.limit.map { String("\(value)".prefix($0)) } }
        return switch event {
        case .next(let value): .init(kind: .next, time: time, text: text(value))
        case .error(let error): .init(kind: .error, time: time, text: text(error))
        case .completed: .init(kind: .completed, time: time)
        case .interrupted: .init(kind: .interrupted, time: time)
        }
    }
}
