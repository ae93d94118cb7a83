import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ReactiveDiagnostics
import ReactiveSignals
import TopProtocol

/// Shows what the streams of this process do to the program `signals-top`, through a Unix socket.
///
/// ```swift
/// let top = try TopServer.open()
/// ```
///
/// Open it at the beginning of the program, because `StreamGraph` records only what is created after that. Then run
/// `signals-top` as the same user on the same machine, at any time.
///
/// **Access**: the socket has mode 0600. By default it is `PID.socket` in `$XDG_RUNTIME_DIR/signals-top`, or in
/// `/tmp/signals-top-UID` if that variable is not set. That directory must belong to the user, and have mode 0700.
///
/// **What leaves the process**: names, places in the code, counts, ages and threads. Of the events of a stream that a
/// viewer follows, their kinds and times. Values and errors only with ``Values/described(limit:)``. With
/// ``Recordings``, a viewer can have events written to a file of this machine.
///
/// **Threads**: it has two threads of its own, so it answers also if the threads of the server are stuck. Only
/// observers of a stream that is followed run on the threads of the server: they append to a queue of 1,000 events, and
/// drop the oldest if the viewer is slow.
///
/// **Memory**: a viewer receives a snapshot only when it asks for one, and one at a time. A snapshot has at most
/// 100,000 nodes: if there are more, those that look wrong come first, and then the oldest.
///
/// **Cost**: that of `StreamGraph` while it records. Nothing more while there is no viewer.
public final class TopServer: Sendable {
    /// What viewers see of the values and errors of a stream that they follow.
    public struct Values: Sendable {
        let limit: Int?

        /// Nothing.
        public static let hidden = Values(limit: nil)

        /// Their descriptions.
        ///
        /// - Parameter limit: The maximum number of characters. Traps unless positive.
        public static func described(limit: Int = 200) -> Values {
            precondition(limit > 0, "TopServer.Values.described(limit: \(limit)): the limit must be positive")
            return Values(limit: limit)
        }
    }

    /// The path of the socket.
    public let path: String

    private let file: SocketFile
    private let channel: any Channel
    private let service: TopService
    private let group: MultiThreadedEventLoopGroup
    private let hasStartedRecording: Bool

    /// Opens the socket, and starts `StreamGraph`.
    ///
    /// Blocks the thread for less than a millisecond.
    ///
    /// - Parameters:
    ///   - path: The path of the socket, in a directory that exists. By default, see above.
    ///   - values: What viewers see of values.
    ///   - recordings: The recordings that viewers can begin and end. By default none.
    /// - Returns: The server. It stays open until you call ``close()``, also if you do not retain it.
    /// - Throws: A ``TopServerError``.
    @discardableResult
    public static func open(
        path: String? = nil, values: Values = .hidden, recordings: Recordings? = nil
    ) throws -> TopServer {
        if let path { return try TopServer(path: path, values, recordings) }
        let directory = TopLocation.directory()
        try prepare(directory)
        return try TopServer(path: TopLocation.path(in: directory, process: getpid()), values, recordings)
    }

    /// Creates the default directory, or checks it: see above.
    package static func prepare(_ directory: String) throws(TopServerError) { try SocketFile.prepare(directory) }

    private init(path: String, _ values: Values, _ recordings: Recordings?) throws {
        file = try SocketFile(path: path)
        self.path = path
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let service = TopService(values: values, recordings: recordings)
        self.service = service
        do {
            channel = try ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 16)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(
                            ByteToMessageHandler(LineDecoder(limit: TopService.requestLimit)),
                            TopConnection(service))
                    }
                }
                .childChannelOption(
                    .writeBufferWaterMark, value: ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: 256 << 10)
                )
                .withBoundSocket(file.descriptor).wait()
        } catch {
            file.remove()
            service.close { [group] in group.shutdownGracefully { _ in } }
            throw error
        }
        hasStartedRecording = !StreamGraph.isRecording
        StreamGraph.start()
        TopServer.openServers.withLockedValue { $0.append(self) }
    }

    private static let openServers = NIOLockedValueBox<[TopServer]>([])

    /// Closes the connections, and removes the socket. Stops `StreamGraph` if this server has started it.
    ///
    /// Returns at once. A second call does nothing. A program that ends need not call it: the next server removes what
    /// is left.
    public func close() {
        let isFirst = TopServer.openServers.withLockedValue { servers in
            let count = servers.count
            servers.removeAll { $0 === self }
            return servers.count < count
        }
        guard isFirst else { return }
        if hasStartedRecording { StreamGraph.stop() }
        file.remove()
        channel.close(promise: nil)
        service.close { [group] in group.shutdownGracefully { _ in } }
    }
}
