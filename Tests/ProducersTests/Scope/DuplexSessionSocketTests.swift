import Foundation
import Glibc
import ReactiveServer
import ReactiveSignals
import TestSupport
import Testing

/// One end of a pair of sockets, for async code.
private struct Socket: Sendable {
    let descriptor: Int32

    /// Two connected sockets. The first one does not block.
    static func pair() -> (own: Socket, peer: Int32) {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (Socket(descriptor: ends[0]), ends[1])
    }

    /// Writes all bytes, and waits while they do not fit.
    func write(_ bytes: [UInt8]) async throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EAGAIN {
                throw SystemError(code: errno, operation: "write")
            } else if try await SignalProducer.writable(fileDescriptor: descriptor).first() == nil {
                throw SystemError(code: ECANCELED, operation: "write")
            }
        }
    }

    /// The bytes that arrive next, or `nil` at the end.
    func read() async throws(SystemError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count > 0 { return Array(bytes[..<count]) }
            if count == 0 { return nil }
            if errno != EAGAIN { throw SystemError(code: errno, operation: "read") }
            if try await SignalProducer.readable(fileDescriptor: descriptor).first() == nil { return nil }
        }
    }

    func endWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    func close() { _ = Glibc.close(descriptor) }

    /// Everything up to the end, read by a thread that blocks.
    static func readAll(_ descriptor: Int32) -> [UInt8] {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count <= 0 { return all }
            all += bytes[..<count]
        }
    }
}

@Suite("DuplexSession over a socket", .watched)
struct DuplexSessionSocketTests {
    private typealias Session = DuplexSession<[UInt8], [UInt8], SystemError>

    private func session<Failure>(in scope: SignalScope<Failure>, _ socket: Socket, _ closings: Counter) -> Session {
        Session(
            in: scope,
            reading: .unfold(()) { (_) async throws(SystemError) in
                guard let bytes = try await socket.read() else { return nil }
                return (bytes, ())
            },
            write: { bytes async throws(SystemError) in try await socket.write(bytes) },
            endWriting: { socket.endWriting() },
            close: {
                closings.increment()
                socket.close()
            })
    }

    @Test("writes more than the socket holds, ends the writing, and reads the answer")
    func halfClose() async throws {
        let (own, peer) = Socket.pair()
        let closings = Counter()
        let request = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        // Answers when it has seen the end of the request.
        let thread = TestThread("the peer") {
            let received = Socket.readAll(peer)
            expect(received == request, is: true)
            let answer = [UInt8](received.reversed())
            var sent = 0
            while sent < answer.count {
                sent += answer[sent...].withUnsafeBytes { Glibc.write(peer, $0.baseAddress, $0.count) }
            }
            // The session closes its end when both directions have ended.
            _ = shutdown(peer, Int32(SHUT_WR))
            expect(Socket.readAll(peer), is: [])
            Glibc.close(peer)
        }
        let answer = try await withSignalScope(throwing: SystemError.self) { (scope) throws(SystemError) in
            let session = session(in: scope, own, closings)
            for start in stride(from: 0, to: request.count, by: 10_000) {
                #expect(try await session.write(Array(request[start..<start + 10_000])))
            }
            #expect(try await session.endWriting())
            #expect(try await !session.write([1]))
            var answer: [UInt8] = []
            for try await bytes in session.inbound.values(buffering: .suspending(1)) { answer += bytes }
            return answer
        }
        expect(answer == request.reversed(), is: true)
        expect(closings.value, is: 1)
        thread.join()
    }

    @Test("the end of the scope ends a read and a write that wait for the peer, and closes the socket once")
    func scopeEnds() async {
        let (own, peer) = Socket.pair()
        let closings = Counter()
        let log = Log<String>()
        let writer = await withSignalScope { scope in
            let session = session(in: scope, own, closings)
            session.inbound.start { log.append("inbound \($0.text)") }
            let (writes, written) = AsyncStream<Void>.makeStream()
            // The peer reads nothing, so this does not end by itself.
            let writer = Task {
                do throws(SystemError) {
                    while try await session.write([UInt8](repeating: 1, count: 100_000)) { written.yield() }
                    return "false"
                } catch {
                    return "\(error.code == ECANCELED)"
                }
            }
            for await _ in writes { break }
            return writer
        }
        expect(log.all, is: ["inbound interrupted"])
        expect(closings.value, is: 1)
        let outcome = await writer.value
        #expect(["true", "false"].contains(outcome))
        _ = Socket.readAll(peer)  // returns, because the session has closed its end
        Glibc.close(peer)
    }

    @Test("a peer that goes away ends the reading, and fails the writing")
    func peerGoes() async {
        let (own, peer) = Socket.pair()
        let closings = Counter()
        await withSignalScope { scope in
            let session = session(in: scope, own, closings)
            Glibc.close(peer)
            var received = 0
            do throws(SystemError) {
                for try await _ in session.inbound.values(buffering: .suspending(1)) { received += 1 }
            } catch {
                Issue.record("\(error)")
            }
            expect(received, is: 0)
            await #expect(throws: SystemError(code: EPIPE, operation: "write")) {
                try await session.write([1, 2, 3])
            }
            await #expect(throws: SystemError(code: EPIPE, operation: "write")) {
                try await session.endWriting()
            }
            await scope.waitForAll()
            expect(closings.value, is: 1)
        }
        expect(closings.value, is: 1)
    }
}
