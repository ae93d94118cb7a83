import Foundation
import LiveBoardKit
import ReactiveSignals
import ServerKitTesting
import Testing

@Suite("Slow requests")
struct SlowRequestTests {
    /// Sends a byte at a time until the server closes the connection. Returns the number of bytes sent.
    private func trickle(_ port: Int, _ beginning: String, _ byte: String) async throws -> (sent: Int, rest: [UInt8]) {
        try await onThread {
            let wire = try Wire(port: port)
            wire.send(beginning)
            var sent = 0
            // Reading detects the end, and waits 20 ms between two bytes.
            var wait = timeval(tv_sec: 0, tv_usec: 20_000)
            setsockopt(wire.descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
            var rest: [UInt8] = []
            while sent < 3_000, wire.send(byte) {
                sent += 1
                do {
                    guard let byte = try wire.byte() else { break }
                    rest.append(byte)
                } catch is Wire.TimedOut {}
            }
            return (sent, rest)
        }
    }

    @Test("are closed if the head does not end, even if it trickles in steadily")
    func head() async throws {
        try await TestServer.run {
            $0.idleTime = .seconds(1)
        } _: { server in
            async let slow = trickle(server.port, "GET / HTTP/1.1\r\nX: ", "a")
            // Meanwhile, others are served.
            let other = try await server.request("GET", "/health")
            #expect(other.status == 200)
            #expect(try await slow.sent < 3_000)
        }
    }

    @Test("are closed if the body does not end, even if it trickles in steadily")
    func body() async throws {
        try await TestServer.run {
            $0.bodyTime = .seconds(1)
        } _: { server in
            async let slow = trickle(
                server.port,
                "POST /api/incidents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n",
                " ")
            #expect(try await server.request("POST", "/api/incidents", json: HTTPTests.draft).status == 201)
            let result = try await slow
            #expect(result.sent < 3_000)
            #expect(result.rest.isEmpty)
            #expect(server.board.state.value.sequence == 1)
        }
    }

    @Test("are closed if nothing is sent")
    func nothing() async throws {
        try await TestServer.run {
            $0.idleTime = .milliseconds(200)
        } _: { server in
            let answer = try await onThread { try Wire(port: server.port).rest() }
            #expect(answer == [])
        }
    }

    @Test("do not include streams, which can be silent for any time")
    func streams() async throws {
        try await TestServer.run {
            $0.idleTime = .milliseconds(500)
            $0.bodyTime = .milliseconds(500)
            $0.stallTime = .milliseconds(500)
        } _: { server in
            let stream = try await server.events()
            // An idle connection is closed while the stream stays open.
            for _ in 0..<3 { #expect(try await onThread { try Wire(port: server.port).rest() } == []) }
            #expect(try await onThread { try stream.next() }?.snapshot != nil)
            try await server.post(1)
            #expect(try await onThread { try stream.changes(1) } == [1])
        }
    }
}
