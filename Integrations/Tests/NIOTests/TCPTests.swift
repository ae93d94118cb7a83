import IntegrationsTestSupport
import NIOCore
import NIOPosix
import ReactiveSignals
import ReactiveSignalsNIO
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A connection over loopback: the side that reads by demand, and the other one.
private struct Connection: Sendable {
    let reads: InboundReads<ByteBuffer>
    let peer: any Channel

    var channel: any Channel { reads.channel }
}

/// Bytes whose order a reader can check.
private enum Pattern {
    /// A prime, so that pieces of any usual size begin at different places.
    private static let period = 65_521
    private static let bytes = (0..<(2 * period)).map { UInt8(truncatingIfNeeded: ($0 % period) &* 2_654_435_761 >> 7) }

    /// At most `period` of the bytes.
    static func piece(from start: Int, count: Int) -> ArraySlice<UInt8> {
        bytes[(start % period)...].prefix(min(count, period))
    }

    static func buffer(from start: Int, count: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        while buffer.readableBytes < count {
            buffer.writeBytes(piece(from: start + buffer.readableBytes, count: count - buffer.readableBytes))
        }
        return buffer
    }
}

/// Checks that the bytes are those of the pattern, from its beginning.
private struct PatternReader: Sendable {
    var count = 0
    var mistakes = 0

    mutating func read(_ buffer: ByteBuffer) {
        if buffer != Pattern.buffer(from: count, count: buffer.readableBytes) { mistakes += 1 }
        count += buffer.readableBytes
    }
}

/// A peer that writes as much as the kernel takes, up to a limit that is far beyond the buffers of the kernel.
private final class Flood: Sendable {
    static let limit = 100_000_000
    /// More than the buffers of both kernels.
    static let kernel = 20_000_000

    let sent = MutableProperty(0)
    private let isOver = MutableProperty(false)

    /// Writes one piece after another, each when the kernel has taken the one before.
    func begin(on peer: any Channel) {
        guard !isOver.value, sent.value < Self.limit else { return }
        let piece = Pattern.buffer(from: sent.value, count: 50_000)
        peer.writeAndFlush(piece).whenSuccess {
            self.sent.modify { $0 += piece.readableBytes }
            self.begin(on: peer)
        }
    }

    func end() { isOver.value = true }

    /// Waits until the kernel takes nothing more. Returns how much it has taken.
    func stalls() async -> Int {
        var (seen, quiet) = (0, 0)
        // 300 ms without a change. If a busy machine pauses for as long, the test only sends less.
        while quiet < 30 {
            try? await Task.sleep(for: .milliseconds(10))
            let now = sent.value
            quiet = now == seen && now > 0 ? quiet + 1 : 0
            seen = now
        }
        return seen
    }
}

extension NIOTests {
    @Suite("The reads of a TCP connection")
    struct TCPTests {
        private func withConnection(
            halfClosure: Bool = false, _ body: (Connection) async throws -> Void
        ) async throws {
            try await withEventLoop { loop in
                let accepted = MutableProperty<InboundReads<ByteBuffer>?>(nil)
                let server = try await ServerBootstrap(group: loop)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .childChannelOption(.allowRemoteHalfClosure, value: halfClosure)
                    .childChannelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            accepted.value = try InboundReads(of: ByteBuffer.self, from: channel)
                        }
                    }.bind(host: "127.0.0.1", port: 0).get()
                let address = try #require(server.localAddress)
                let peer = try await ClientBootstrap(group: loop)
                    .channelOption(.allowRemoteHalfClosure, value: halfClosure).connect(to: address).get()
                #expect(await eventually { accepted.value != nil })
                let reads = try #require(accepted.value)
                #expect(await eventually { reads.channel.isActive })
                do { try await body(Connection(reads: reads, peer: peer)) } catch { Issue.record(error) }
                for channel in [peer, reads.channel, server] { try? await channel.close() }
                accepted.value = nil
            }
        }

        @Test("turns the automatic reads of the channel off")
        func option() async throws {
            try await withConnection { connection in
                let isAutomatic = try await connection.channel.getOption(.autoRead).get()
                #expect(!isAutomatic)
            }
        }

        @Test("is interrupted if the channel closes before it was active")
        func neverActive() async throws {
            try await withEventLoop { loop in
                let reads = MutableProperty<InboundReads<ByteBuffer>?>(nil)
                // The address of a server that is gone.
                let server = try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
                let address = try #require(server.localAddress)
                try await server.close()
                let connecting = ClientBootstrap(group: loop)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            reads.value = try InboundReads(of: ByteBuffer.self, from: channel)
                        }
                    }.connect(to: address)
                await #expect(throws: (any Error).self) { _ = try await connecting.get() }
                let end = await reads.value?.producer.wait()
                if case .interrupted? = end {} else { Issue.record("not interrupted") }
            }
        }

        @Test("the peer has to wait while nobody asks, and goes on when somebody does")
        func backPressure() async throws {
            try await withConnection { connection in
                let flood = Flood()
                flood.begin(on: connection.peer)
                let stalledAt = await flood.stalls()
                #expect(stalledAt > 0)
                #expect(stalledAt < Flood.kernel)
                // A consumer takes a part of it by demand, and the rest of the buffer is not read either.
                let read = MutableProperty(PatternReader())
                let start = connection.reads.producer.on(next: { buffer in read.modify { $0.read(buffer) } })
                    .take(while: { _ in read.value.count < 4 * stalledAt }).start()
                #expect(await eventually { start.isDisposed })
                let stalledAgain = await flood.stalls()
                #expect(stalledAgain > 2 * stalledAt)
                #expect(stalledAgain - read.value.count < Flood.kernel)
                #expect(read.value.mistakes == 0)
                flood.end()
            }
        }

        @Test(
            "a consumer that does not return holds up the peer, and so does one that suspends",
            arguments: ["pulling", "suspending", "buffer"])
        func consumers(kind: String) async throws {
            try await withConnection { connection in
                let (gate, opening) = Signal<Void, Never>.pipe()
                let isOpen = MutableProperty(false)
                let read = MutableProperty(PatternReader())
                let taken = MutableProperty(0)
                @Sendable func take(_ buffer: ByteBuffer) {
                    read.modify { $0.read(buffer) }
                    taken.modify { $0 += 1 }
                }
                let work: any Disposable
                switch kind {
                case "pulling":
                    work = SignalProducer<ByteBuffer, any Error>(pulling: connection.reads, maxConcurrent: 2) {
                        buffer in
                        isOpen.producer.filter { $0 }.take(first: 1).map { _ in buffer }.promoteError((any Error).self)
                    }.start { event in
                        if case .next(let buffer) = event { take(buffer) }
                    }
                case "suspending":
                    let values = connection.reads.producer.values(buffering: .suspending(2))
                    let task = Task {
                        for try await buffer in values {
                            take(buffer)
                            if !isOpen.value { _ = await gate.first() }
                        }
                    }
                    work = AnyDisposable { task.cancel() }
                default:
                    let slow = QueueScheduler()
                    work = connection.reads.producer.buffer(upTo: 2, whenFull: .suspend, on: slow).start { event in
                        if case .next(let buffer) = event {
                            take(buffer)
                            while !isOpen.value { usleep(1_000) }
                        }
                    }
                }
                let flood = Flood()
                flood.begin(on: connection.peer)
                let stalledAt = await flood.stalls()
                #expect(stalledAt < Flood.kernel)
                #expect(taken.value <= 1)
                isOpen.value = true
                opening.sendNext(())
                #expect(await eventually { read.value.count > 4 * stalledAt })
                flood.end()
                work.dispose()
                #expect(kind == "pulling" || read.value.mistakes == 0)
            }
        }

        @Test("delivers every byte in order, and completes when the peer closes", arguments: [1, 100_000, 5_000_000])
        func complete(size: Int) async throws {
            try await withConnection { connection in
                let written = connection.peer.eventLoop.makePromise(of: Void.self)
                written.futureResult.whenComplete { _ in connection.peer.close(promise: nil) }
                connection.peer.writeAndFlush(Pattern.buffer(from: 0, count: size), promise: written)
                var reader = PatternReader()
                for try await buffer in connection.reads { reader.read(buffer) }
                #expect(reader.count == size)
                #expect(reader.mistakes == 0)
                #expect(await eventually { !connection.channel.isActive })
            }
        }

        @Test("what is in the kernel when the peer closes is delivered, although nobody has asked before")
        func closeBeforeDemand() async throws {
            try await withConnection { connection in
                try await connection.peer.writeAndFlush(ByteBuffer(repeating: 1, count: 100_000))
                try await connection.peer.close()
                #expect(await eventually { !connection.channel.isActive })
                let count = try await connection.reads.producer.reduce(0) { $0 + $1.readableBytes }.last()
                #expect(count == 100_000)
            }
        }

        @Test("completes when the peer has closed its half, and can still answer")
        func halfClosure() async throws {
            try await withConnection(halfClosure: true) { connection in
                try await connection.peer.writeAndFlush(ByteBuffer(string: "question"))
                try await connection.peer.close(mode: .output)
                let question = try await connection.reads.producer.map { String(buffer: $0) }.collectAll()
                #expect(question?.joined() == "question")
                #expect(connection.channel.isActive)
                try await connection.channel.writeAndFlush(ByteBuffer(string: "answer"))
            }
        }

        @Test("fails when the peer resets the connection")
        func reset() async throws {
            try await withConnection { connection in
                async let end = connection.reads.producer.wait()
                let options = try #require(connection.peer as? any SocketOptionProvider)
                try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
                try await connection.peer.close()
                switch await end {
                case .error(let error): #expect(error is IOError)
                default: Issue.record("the reset of the connection is lost")
                }
            }
        }

        @Test("a disposal leaves the connection open, and a later start continues at the same byte")
        func disposal() async throws {
            try await withConnection { connection in
                let flood = Flood()
                flood.begin(on: connection.peer)
                let read = MutableProperty(PatternReader())
                for round in 1...20 {
                    let start = connection.reads.producer.on(next: { buffer in read.modify { $0.read(buffer) } })
                        .take(while: { _ in read.value.count < round * 200_000 }).start()
                    #expect(await eventually { start.isDisposed })
                }
                #expect(read.value.count >= 4_000_000)
                #expect(read.value.mistakes == 0)
                #expect(connection.channel.isActive)
                flood.end()
            }
        }

        @Test("completes when the event loop shuts down")
        func shutDown() async throws {
            let reads = MutableProperty<InboundReads<ByteBuffer>?>(nil)
            let end = MutableProperty(false)
            try await withEventLoop { loop in
                let server = try await ServerBootstrap(group: loop)
                    .childChannelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            reads.value = try InboundReads(of: ByteBuffer.self, from: channel)
                        }
                    }.bind(host: "127.0.0.1", port: 0).get()
                let address = try #require(server.localAddress)
                _ = try await ClientBootstrap(group: loop).connect(to: address).get()
                #expect(await eventually { reads.value != nil })
                reads.value?.producer.start { event in end.value = event.isTerminating }
            }
            #expect(await eventually { end.value })
            // And later starts do not wait.
            let late = try #require(reads.value)
            #expect(try await late.producer.collectAll() == [])
        }

        @Test("leaves no descriptor behind, however the connections end")
        func descriptors() async throws {
            @Sendable func openSockets() -> Int {
                (0..<4_096).count { descriptor in
                    var status = stat()
                    return fstat(Int32(descriptor), &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
                }
            }
            let before = openSockets()
            for round in 0..<30 {
                try await withConnection { connection in
                    connection.peer.writeAndFlush(ByteBuffer(repeating: 1, count: 10_000), promise: nil)
                    let start = connection.reads.producer.start()
                    switch round % 3 {
                    case 0: start.dispose()
                    case 1: try await connection.peer.close()
                    default: try await connection.channel.close()
                    }
                }
            }
            #expect(await eventually { openSockets() <= before })
        }
    }
}
