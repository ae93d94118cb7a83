import Foundation
import Glibc
import TestSupport

/// An HTTP server on the loopback interface, with one thread for each connection.
final class LoopbackServer: Sendable {
    /// One connection, used only by its thread.
    struct Connection: Sendable {
        fileprivate let descriptor: Int32

        /// Reads up to the end of a request's head. Returns the path of the request, or `nil` if the client has closed
        /// the connection.
        func receive() -> String? {
            var head: [UInt8] = []
            var byte: UInt8 = 0
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
                head.append(byte)
            }
            return String(decoding: head, as: UTF8.self).split(separator: " ").dropFirst().first.map(String.init)
        }

        func send(_ text: String) {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return }
                rest = rest.dropFirst(count)
            }
        }

        /// Sends a whole response.
        func respond(_ body: String, status: String = "200 OK") {
            send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }

        /// Waits until the client closes the connection.
        func waitForClose() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }
    }

    let port: UInt16
    private let listener: Int32
    private let accepting: TestThread

    /// - Parameter serve: Called for each connection, on a thread of its own. The connection is closed afterwards.
    init(_ serve: @escaping @Sendable (Connection) -> Void) {
        let (listener, port) = Self.listen()
        (self.listener, self.port) = (listener, port)
        accepting = TestThread("the server accepts") {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                Thread.detachNewThread {
                    serve(Connection(descriptor: descriptor))
                    close(descriptor)
                }
            }
        }
    }

    /// Stops accepting.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        accepting.join()
        close(listener)
    }

    func url(_ path: String = "/") -> URL { Self.url(port, path) }

    static func url(_ port: UInt16, _ path: String = "/") -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { fatalError("not a URL: \(path)") }
        return url
    }

    /// A port on which nothing listens.
    static func unusedPort() -> UInt16 {
        let (listener, port) = listen()
        close(listener)
        return port
    }

    private static func listen() -> (descriptor: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                precondition(bind(listener, address, size) == 0 && Glibc.listen(listener, 512) == 0)
                precondition(getsockname(listener, address, &size) == 0)
            }
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }
}
