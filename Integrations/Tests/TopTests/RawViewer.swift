import Foundation
import IntegrationsTestSupport
import TopProtocol

/// A connection to a server that sends what a viewer would not.
final class RawViewer: Sendable {
    private let descriptor: Int32

    struct Failure: Error {
        let code: Int32
    }

    init(path: String) throws {
        guard let address = UnixAddress(path) else { throw Failure(code: ENAMETOOLONG) }
        descriptor = UnixAddress.socket(isBlocking: true)
        // A test that goes wrong fails, and does not hang.
        var limit = timeval(tv_sec: Int(patience / .seconds(1)), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard address.connect(descriptor) == 0 else { throw Failure(code: errno) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        _ = text.withCString { Foundation.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }

    /// The next line. `nil` if the connection is closed.
    func line() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }
}

/// A directory that is removed in the end.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        // Short, because a path of a socket must be.
        path = "/tmp/top-\(getpid())-\(UInt32.random(in: 0 ..< .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        chmod(path, 0o700)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}

func mode(of path: String) -> UInt32 {
    var status = stat()
    return lstat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0
}
