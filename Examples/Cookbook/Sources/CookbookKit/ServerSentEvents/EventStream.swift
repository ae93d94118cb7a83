import HTTPTypes
package import Hummingbird
package import NIOCore
package import ReactiveSignals
import ServiceLifecycle

/// Sends the same events to every HTTP client that requests them.
package struct EventStream: Sendable {
    /// The number of connected clients.
    package let clients = MutableProperty(0)

    private let frames: SignalProducer<ByteBuffer, Never>
    private let keepAlives: SignalProducer<ByteBuffer, Never>
    private let capacity: Int

    /// - Parameters:
    ///   - frames: A signal, or a property, whose current value each client receives first. The stream does not retain
    ///     a `MutableProperty`.
    ///   - capacity: The number of frames that can wait for a slow client.
    ///   - interval: The time between two comments.
    package init(
        _ frames: some SignalProducerConvertible<ByteBuffer, Never>, capacity: Int = 64,
        keepAlive interval: Duration = .seconds(15), on scheduler: some DelayScheduler
    ) {
        self.frames = frames.producer
        // One timer for all clients, which runs only while there are clients.
        keepAlives = SignalProducer.timer(interval: interval, on: scheduler)
            .map { _ in ServerSentEvent.keepAlive }
            .share(while: .observed)
        self.capacity = capacity
    }

    package func response(to request: Request) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                let (connection, end) = Lifetime.make()
                try await withGracefulShutdownHandler {
                    try await request.body.consumeWithInboundCloseHandler { _ in
                        try await send(to: &writer, during: connection)
                    } onInboundClosed: {
                        end.dispose()
                    }
                } onGracefulShutdown: {
                    end.dispose()
                }
                try await writer.finish(nil)
            })
    }

    /// Sends frames until the source or the lifetime ends, or the client falls too far behind.
    package func send(
        to writer: inout any ResponseBodyWriter, during connection: Lifetime
    ) async throws {
        let items =
            frames
            // As values, so that the completion of the frames ends the merged
            // stream: the timer never completes.
            .materialize().merge(with: keepAlives.map { .next($0) }).dematerialize()
            .take(during: connection)
            .values(buffering: .oldest(capacity))
        // Observation begins here, so a client that has been counted misses nothing.
        var iterator = items.makeAsyncIterator()
        clients.modify { $0 += 1 }
        defer { clients.modify { $0 -= 1 } }
        while let frame = await iterator.next() {
            // Something is missing. The client reconnects by itself, and can then
            // start from a consistent state.
            if items.droppedCount > 0 { return }
            // What is buffered would make a stop wait for slow clients.
            if connection.hasEnded { return }
            try await writer.write(frame)
        }
    }
}
