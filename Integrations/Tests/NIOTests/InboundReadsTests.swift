import IntegrationsTestSupport
import NIOCore
import NIOEmbedded
import ReactiveSignals
import ReactiveSignalsNIO
import ReactiveSignalsTesting
import Testing

/// Makes messages of two bytes.
private struct PairDecoder: ByteToMessageDecoder {
    typealias InboundOut = String

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) -> DecodingState {
        guard let pair = buffer.readString(length: 2) else { return .needMoreData }
        context.fireChannelRead(wrapInboundOut(pair))
        return .continue
    }

    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) -> DecodingState { .needMoreData }
}

extension NIOTests {
    /// On a channel in memory, whose event loop the test runs.
    @Suite("The reads of a channel")
    struct InboundReadsTests {
        private func connected(
            decoding: Bool = false
        ) async throws -> (channel: NIOAsyncTestingChannel, reads: InboundReads<String>, counter: MutableProperty<Int>)
        {
            let counter = MutableProperty(0)
            let channel = NIOAsyncTestingChannel()
            let reads = try await channel.testingEventLoop.executeInContext {
                try channel.pipeline.syncOperations.addHandler(CountingReads(counter))
                if decoding { try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(PairDecoder())) }
                return try InboundReads(of: String.self, from: channel)
            }
            try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
            return (channel, reads, counter)
        }

        @Test("reads once each time a consumer asks and nothing is left")
        func byDemand() async throws {
            let (channel, reads, counter) = try await connected()
            #expect(counter.value == 0)
            var iterator = reads.makeAsyncIterator()
            async let first = reads.first { _ in true }
            #expect(await eventually { counter.value == 1 })
            try await channel.writeInbound("a")
            #expect(try await first == "a")
            #expect(counter.value == 1)
            // What arrives without having been asked for waits, and is no reason to read.
            try await channel.writeInbound("b")
            try await channel.writeInbound("c")
            #expect(try await iterator.next() == "b")
            #expect(try await iterator.next() == "c")
            #expect(counter.value == 1)
            _ = try await channel.finish()
        }

        @Test("reads again if a read has brought less than a message")
        func partial() async throws {
            let (channel, reads, counter) = try await connected(decoding: true)
            async let first = reads.first { _ in true }
            #expect(await eventually { counter.value == 1 })
            try await channel.writeInbound(ByteBuffer(string: "a"))
            #expect(await eventually { counter.value == 2 })
            try await channel.writeInbound(ByteBuffer(string: "bcdef"))
            #expect(try await first == "ab")
            #expect(try await reads.first { _ in true } == "cd")
            _ = try await channel.finish()
        }

        @Test("asks before the channel is active, and reads when it is")
        func early() async throws {
            let channel = NIOAsyncTestingChannel()
            let reads = try await channel.testingEventLoop.executeInContext {
                try InboundReads(of: String.self, from: channel)
            }
            async let first = reads.first { _ in true }
            try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
            try await channel.writeInbound("a")
            #expect(try await first == "a")
            _ = try await channel.finish()
        }

        @Test("completes when the channel becomes inactive, after the messages that it has received")
        func inactive() async throws {
            let (channel, reads, _) = try await connected()
            for message in ["a", "b"] { try await channel.writeInbound(message) }
            _ = try await channel.finish()
            #expect(try await reads.producer.collectAll() == ["a", "b"])
            // And again for who comes later.
            #expect(try await reads.producer.collectAll() == [])
        }

        @Test("fails with an error of the channel, after the messages, and passes it on")
        func errors() async throws {
            let (channel, reads, _) = try await connected()
            try await channel.writeInbound("a")
            try await channel.testingEventLoop.executeInContext { channel.pipeline.fireErrorCaught(Trouble()) }
            let values = MutableProperty<[String]>([])
            await #expect(throws: Trouble()) {
                _ = try await reads.producer.on(next: { value in values.modify { $0.append(value) } }).collectAll()
            }
            #expect(values.value == ["a"])
            #expect(channel.isActive)
            await #expect(throws: Trouble()) { try await channel.throwIfErrorCaught() }
            _ = try? await channel.finish()
        }

        @Test("completes at the end of the input, and leaves the channel open")
        func halfClosure() async throws {
            let (channel, reads, _) = try await connected()
            async let all = reads.producer.collectAll()
            try await channel.writeInbound("a")
            try await channel.testingEventLoop.executeInContext {
                channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            }
            #expect(try await all == ["a"])
            #expect(channel.isActive)
            _ = try await channel.finish()
        }

        @Test("a disposal neither closes the channel nor loses a message: the next start continues")
        func disposal() async throws {
            let (channel, reads, counter) = try await connected()
            let ends = MutableProperty(0)
            let start = reads.producer.start { event in
                if event.isTerminating { ends.modify { $0 += 1 } }
            }
            #expect(await eventually { counter.value == 1 })
            start.dispose()
            #expect(ends.value == 1)
            #expect(channel.isActive)
            // Asked for by the start that is gone.
            try await channel.writeInbound("a")
            #expect(try await reads.producer.first() == "a")
            _ = try await channel.finish()
        }

        @Test("a header can be read before the rest")
        func header() async throws {
            let (channel, reads, _) = try await connected()
            for message in ["header", "a", "b"] { try await channel.writeInbound(message) }
            #expect(try await reads.producer.first() == "header")
            _ = try await channel.finish()
            #expect(try await reads.producer.collectAll() == ["a", "b"])
        }

        @Test("gives each message to one consumer, the one that has waited longest")
        func severalConsumers() async throws {
            let (channel, reads, counter) = try await connected()
            let received = MutableProperty<[String]>([])
            let consumers = (0..<3).map { _ in
                Task {
                    if let message = try await reads.first(where: { _ in true }) {
                        received.modify { $0.append(message) }
                    }
                }
            }
            #expect(await eventually { counter.value == 1 })
            for message in ["a", "b", "c"] { try await channel.writeInbound(message) }
            for consumer in consumers { try await consumer.value }
            #expect(received.value.sorted() == ["a", "b", "c"])
            _ = try await channel.finish()
        }

        @Test("loses no message when tasks that wait for one are cancelled", arguments: 0..<20)
        func cancellationRace(round: Int) async throws {
            let (channel, reads, _) = try await connected()
            let received = MutableProperty<[Int]>([])
            let stop = MutableProperty(false)
            let consumer = Task {
                // Each task is cancelled at a time of its own.
                while !stop.value {
                    let task = Task {
                        var iterator = reads.makeAsyncIterator()
                        if let message = try await iterator.next(), let number = Int(message) {
                            received.modify { $0.append(number) }
                        }
                    }
                    for _ in 0..<(round % 3) { await Task.yield() }
                    task.cancel()
                    _ = await task.result
                }
            }
            for number in 0..<200 { try await channel.writeInbound("\(number)") }
            #expect(await eventually { received.value.count == 200 })
            stop.value = true
            await consumer.value
            #expect(received.value == Array(0..<200))
            _ = try await channel.finish()
        }

        @Test("cannot be created on a closed channel, and says so")
        func closed() async throws {
            let channel = NIOAsyncTestingChannel()
            _ = try await channel.finish(acceptAlreadyClosed: true)
            await #expect(throws: ChannelError.self) {
                _ = try await channel.testingEventLoop.executeInContext {
                    try InboundReads(of: String.self, from: channel)
                }
            }
        }
    }
}

/// Counts the reads that reach the channel.
private final class CountingReads: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = Never
    private let count: MutableProperty<Int>

    init(_ count: MutableProperty<Int>) { self.count = count }

    func read(context: ChannelHandlerContext) {
        count.modify { $0 += 1 }
        context.read()
    }
}
