import Foundation

/// A raw connection, which can also break HTTP. Its methods block. Use it from one thread at a time.
public final class Wire: @unchecked Sendable {
    // Sendable, because tests pass it between threads, and never use it from two at once.

    /// Nothing was received before the timeout.
    public struct TimedOut: Error {
        /// Creates the error.
        public init() {}
    }

    /// The socket.
    public let descriptor: Int32
    private var pending: [UInt8] = []

    /// - Parameter receiveBuffer: The size of the socket's receive buffer.
    public init(port: Int, receiveBuffer: Int32? = nil) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Missing(what: "a socket: \(errno)") }
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var limit = timeval(tv_sec: Int(patience / .seconds(1)), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard Wire.connect(descriptor, port) == 0 else {
            let error = errno
            close(descriptor)
            throw Missing(what: "a connection: \(error)")
        }
        // Assigned last: from here on, `deinit` closes the descriptor, even if this initializer throws.
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    static func connect(_ descriptor: Int32, _ port: Int) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Sends all bytes. Returns false if the server has closed the connection.
    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends all bytes. Returns false if the server has closed the connection.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// Returns the next byte; nil at the end.
    public func byte() throws -> UInt8? {
        if pending.isEmpty {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN { throw TimedOut() }
            // A reset also counts as the end.
            if count <= 0 { return nil }
            pending = buffer[..<count].reversed()
        }
        return pending.popLast()
    }

    /// Returns all bytes up to the end.
    public func rest() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let byte = try byte() { bytes.append(byte) }
        return bytes
    }

    /// Returns the next bytes, fewer at the end.
    public func bytes(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, let byte = try byte() { bytes.append(byte) }
        return bytes
    }

    /// Returns a line without its line break; nil at the end.
    public func line() throws -> String? {
        var bytes: [UInt8] = []
        while let byte = try byte() {
            if byte == 0x0A {
                if bytes.last == 0x0D { bytes.removeLast() }
                return String(decoding: bytes, as: UTF8.self)
            }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

/// A response of the server.
public struct Answer: Sendable {
    /// The code of the status.
    public let status: Int
    /// By name, in lower case.
    public let headers: [String: String]
    /// The body as text; empty in a response to HEAD.
    public var body = ""

    /// Reads the head of a response; nil at the end of the connection.
    public init?(headOf wire: Wire) throws {
        guard let first = try wire.line() else { return nil }
        let words = first.split(separator: " ")
        guard words.count > 1, words[0] == "HTTP/1.1", let status = Int(words[1]) else { throw Missing(what: first) }
        var headers: [String: String] = [:]
        while let line = try wire.line(), !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { throw Missing(what: line) }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        self.status = status
        self.headers = headers
    }

    /// Reads a response; nil at the end of the connection.
    public init?(_ wire: Wire, hasBody: Bool = true) throws {
        try self.init(headOf: wire)
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        if hasBody, status != 304 { body = String(decoding: try wire.bytes(length), as: UTF8.self) }
    }

    /// Sends a request on a connection of its own.
    public static func to(
        _ method: String, _ path: String, json: String? = nil, headers: [String: String] = [:], port: Int
    ) throws -> Answer {
        let wire = try Wire(port: port)
        wire.send(Self.request(method, path, json: json, headers: headers))
        guard let answer = try Answer(wire, hasBody: method != "HEAD") else { throw Missing(what: "an answer") }
        return answer
    }

    /// Sends requests on one connection, all at once, and reads a response to each.
    ///
    /// Throws if what follows a response is not the beginning of the next one: after HEAD, if there was a body.
    public static func exchange(_ requests: [String], port: Int) throws -> [Answer] {
        let wire = try Wire(port: port)
        wire.send(requests.joined())
        return try requests.map { request in
            guard let answer = try Answer(wire, hasBody: !request.hasPrefix("HEAD ")) else {
                throw Missing(what: "an answer")
            }
            return answer
        }
    }

    /// The text of a request, by default with `Host: localhost`, and with a content type if it has a body.
    public static func request(
        _ method: String, _ path: String, json: String? = nil, headers: [String: String] = [:]
    ) -> String {
        var text = "\(method) \(path) HTTP/1.1\r\n"
        var headers = headers
        if headers["Host"] == nil { headers["Host"] = "localhost" }
        if let json {
            headers["content-length"] = "\(json.utf8.count)"
            if headers["content-type"] == nil { headers["content-type"] = "application/json" }
        }
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        return text + "\r\n" + (json ?? "")
    }

    /// The body's JSON.
    public func decoded<Value: Decodable>(_: Value.Type) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(body.utf8))
    }

    /// The value of `error`.
    public var error: [String: Any] {
        let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        return object?["error"] as? [String: Any] ?? [:]
    }

    /// The code in `error`, or an empty text.
    public var code: String { error["code"] as? String ?? "" }
    /// The problem of each invalid field in `error`.
    public var fields: [String: String] { error["fields"] as? [String: String] ?? [:] }
}

/// Something that a test needs is missing.
public struct Missing: Error {
    /// What it is.
    public let what: String

    /// Creates the error.
    public init(what: String) { self.what = what }
}

/// Runs blocking code on its own thread, because the server needs the threads of tasks.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}
