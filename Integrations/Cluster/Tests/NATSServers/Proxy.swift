import Foundation
import Synchronization

/// Stands between a client and a server, and can be told to behave like a bad network.
///
/// Two threads per connection copy bytes, which suffices for tests.
public final class Proxy: Sendable {
    /// What happens to bytes.
    public enum Network: Sendable {
        /// They pass.
        case works
        /// They pass some time later.
        case slow(Duration)
        /// They wait, in both directions, without an error. New connections wait, too.
        case partitioned
        /// Connections are refused.
        case refuses
    }

    private struct State {
        var network = Network.works
        var files: Set<Int32> = []
        var isClosed = false
    }

    /// The address for clients.
    public var address: String { "nats://127.0.0.1:\(port)" }
    private let port: Int
    private let target: Int
    private let listener: Int32
    private let state = Mutex(State())

    /// Forwards to a server.
    public init(to server: NATSServer) throws {
        listener = try FreePorts.listen()
        port = Socket.port(of: listener)
        target = server.port
        let run: @Sendable (Proxy) -> Void = { $0.accept() }
        Thread.detachNewThread { [self] in run(self) }
    }

    /// Changes what happens to bytes from now on. What has waited passes when the network works again.
    public func set(_ network: Network) {
        let cut = state.withLock { state in
            state.network = network
            if case .refuses = network { return state.files }
            return []
        }
        for file in cut { shutdown(file, Int32(SHUT_RDWR)) }
    }

    /// Ends all connections, as a router that forgets them.
    public func cut() {
        for file in state.withLock({ $0.files }) { shutdown(file, Int32(SHUT_RDWR)) }
    }

    /// Ends the proxy.
    public func close() {
        state.withLock { $0.isClosed = true }
        shutdown(listener, Int32(SHUT_RDWR))
        cut()
    }

    private func accept() {
        while true {
            let client = Foundation.accept(listener, nil, nil)
            if client < 0 { break }
            if case .refuses = state.withLock({ $0.network }) {
                Foundation.close(client)
                continue
            }
            Thread.detachNewThread { [self] in serve(client) }
        }
        Foundation.close(listener)
    }

    private func serve(_ client: Int32) {
        guard waitForNetwork(), let server = Socket.connect(port: target) else {
            Foundation.close(client)
            return
        }
        state.withLock { $0.files.formUnion([client, server]) }
        let other = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            copy(server, client)
            other.signal()
        }
        copy(client, server)
        other.wait()
        state.withLock { $0.files.subtract([client, server]) }
        Foundation.close(client)
        Foundation.close(server)
    }

    private func copy(_ from: Int32, _ to: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(from, &buffer, buffer.count)
            if count <= 0 || !waitForNetwork() { break }
            var sent = 0
            while sent < count {
                let more = buffer.withUnsafeBytes { write(to, $0.baseAddress! + sent, count - sent) }
                if more <= 0 { break }
                sent += more
            }
            if sent < count { break }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
    }

    /// Waits as the network demands. Returns whether bytes may pass.
    private func waitForNetwork() -> Bool {
        while true {
            let (network, isClosed) = state.withLock { ($0.network, $0.isClosed) }
            if isClosed { return false }
            switch network {
            case .works: return true
            case .slow(let delay):
                usleep(UInt32(delay / .microseconds(1)))
                return true
            case .partitioned: usleep(5000)
            case .refuses: return false
            }
        }
    }
}
