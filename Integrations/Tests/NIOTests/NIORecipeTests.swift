import Foundation
import IntegrationsTestSupport
import NIOCore
import NIOPosix
import ReactiveSignals
import ReactiveSignalsNIO
import Testing

/// The recipes of the README.
private struct Backup: Sendable {
    let group: any EventLoopGroup
    let store: @Sendable (ByteBuffer) async throws -> Int

    /// Stores what a server sends, no faster than the disk. Sends the number of bytes of each piece.
    func download(from address: SocketAddress) async throws -> SignalProducer<Int, any Error> {
        let reads = try await connect(to: address)
        return SignalProducer(pulling: reads, maxConcurrent: 1) { buffer in
            SignalProducer<Int, any Error>.async { try await store(buffer) }
        }
        .on(disposed: { reads.channel.close(promise: nil) })
    }

    private func connect(to address: SocketAddress) async throws -> InboundReads<ByteBuffer> {
        try await ClientBootstrap(group: group).connect(to: address) { channel in
            channel.eventLoop.makeCompletedFuture {
                try InboundReads(of: ByteBuffer.self, from: channel)
            }
        }
    }

    /// Connects, also if the server is only just starting.
    func connectPatiently(to address: SocketAddress) -> SignalProducer<any Channel, any Error> {
        SignalProducer.deferred {
            ClientBootstrap(group: group).connect(to: address).producer
        }
        .retry(
            .exponential(from: .milliseconds(10), upTo: 8),
            on: EventLoopScheduler(group.next()))
    }
}

extension NIOTests {
    @Suite("The recipes")
    struct Recipes {
        @Test("a download stores everything, and closes the connection")
        func download() async throws {
            try await withEventLoop { loop in
                let isClosed = MutableProperty(false)
                let server = try await ServerBootstrap(group: loop)
                    .childChannelInitializer { channel in
                        channel.closeFuture.whenComplete { _ in isClosed.value = true }
                        channel.writeAndFlush(ByteBuffer(repeating: 7, count: 300_000)).whenComplete { _ in
                            channel.close(promise: nil)
                        }
                        return channel.eventLoop.makeSucceededVoidFuture()
                    }.bind(host: "127.0.0.1", port: 0).get()
                let backup = Backup(group: loop, store: { $0.readableBytes })
                let address = try #require(server.localAddress)
                let stored = try await backup.download(from: address).reduce(0, +).last()
                #expect(stored == 300_000)
                #expect(await eventually { isClosed.value })
            }
        }

        @Test("a client waits for a server that is only just starting")
        func patience() async throws {
            try await withEventLoop { loop in
                // A path, because a port that is free now can be taken by then.
                let address = try SocketAddress(unixDomainSocketPath: "/tmp/patience-\(UInt64.random(in: 0 ... .max))")
                let attempts = MutableProperty(0)
                let backup = Backup(group: loop, store: { _ in 0 })
                async let connection = backup.connectPatiently(to: address)
                    .on(started: { attempts.modify { $0 += 1 } }).first()
                let server = try await ServerBootstrap(group: loop).bind(to: address).get()
                defer { try? FileManager.default.removeItem(atPath: address.pathname ?? "") }
                let channel = try await connection
                #expect(channel?.isActive == true)
                try await channel?.close()
                try await server.close()
            }
        }
    }
}
