import Foundation
import Synchronization

#if canImport(Glibc)
private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
private let streamSocket = SOCK_STREAM
#endif

/// The calls for sockets on the loopback address.
enum Socket {
    /// Listens on a port, or on a free one for 0.
    static func listen(port: Int) -> Int32? {
        let file = socket(AF_INET, streamSocket, 0)
        guard file >= 0 else { return nil }
        var yes: Int32 = 1
        setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard withAddress(port, { bind(file, $0, $1) }) == 0, Foundation.listen(file, 64) == 0 else {
            close(file)
            return nil
        }
        return file
    }

    static func connect(port: Int) -> Int32? {
        let file = socket(AF_INET, streamSocket, 0)
        guard file >= 0 else { return nil }
        guard withAddress(port, { Foundation.connect(file, $0, $1) }) == 0 else {
            close(file)
            return nil
        }
        return file
    }

    static func port(of file: Int32) -> Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(file, $0, &size) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}

/// Ports that were free a moment ago. None is given out twice.
enum FreePorts {
    private static let given = Mutex<Set<Int>>([])

    static func next() throws -> Int {
        let file = try listen()
        defer { close(file) }
        return Socket.port(of: file)
    }

    /// Listens on a free port that has not been given to any server or proxy.
    static func listen() throws -> Int32 {
        while true {
            guard let file = Socket.listen(port: 0) else { throw ServerError("there is no free port") }
            if given.withLock({ $0.insert(Socket.port(of: file)).inserted }) { return file }
            close(file)
        }
    }
}

enum HTTP {
    /// The answer to a request, or `nil` if there is none.
    static func get(port: Int, path: String) -> String? {
        guard let file = Socket.connect(port: port) else { return nil }
        defer { close(file) }
        // check-waits: whoever has got no answer asks again.
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let request = Array("GET \(path) HTTP/1.0\r\n\r\n".utf8)
        guard write(file, request, request.count) == request.count else { return nil }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count <= 0 { break }
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
