import Foundation
import LiveBoardKit
import ReactiveSignals
import ServerKitTesting
import Testing

/// Tests of which one runs at a time. To start a program, Foundation lists the open descriptors of the process, and can
/// crash while there are thousands.
@Suite(.serialized)
struct DescriptorTests {}

extension DescriptorTests {
    @Suite("A thousand clients")
    struct SwarmTests {
        static let clients = 1_000
        static let events = 100

        /// Whether this process can open as many descriptors as clients and server need.
        static let mayOpenEnough: Bool = {
            var limit = rlimit()
            let wanted = rlim_t(2 * clients + 500)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            if limit.rlim_cur >= wanted { return true }
            limit.rlim_cur = min(wanted, limit.rlim_max)
            return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_cur >= wanted
        }()

        @Test(
            "each receive every event, in order",
            .enabled(if: mayOpenEnough, "the limit of open files cannot be raised to what 1,000 clients need"))
        func everyEventInOrder() async throws {
            try await TestServer.run { server in
                let port = server.port
                let swarm = try await onThread {
                    let swarm = try Swarm(Self.clients, port: port)
                    try swarm.run { $0.hasSnapshot }
                    return swarm
                }
                async let posting: Void = server.post(Self.events)
                try await onThread { try swarm.run { $0.numbers.count >= Self.events } }
                try await posting
                let expected = Array(1...Self.events)
                let wrong = swarm.clients.filter { $0.numbers != expected }
                #expect(wrong.isEmpty)
                #expect(swarm.clients.count == Self.clients)
            }
        }
    }
}

/// Many event streams on one thread.
private final class Swarm: @unchecked Sendable {
    // Sendable: as Wire is.
    struct Client {
        let wire: Wire
        var hasSnapshot = false
        /// The numbers of the received changes.
        var numbers: [Int] = []
        var line: [UInt8] = []
        var number: Int?

        /// Parses received bytes. Each message is in one chunk, and lines between chunks do not begin with a letter.
        mutating func take(_ bytes: some Sequence<UInt8>) {
            for byte in bytes {
                if byte == 0x0A {
                    endLine()
                    line.removeAll(keepingCapacity: true)
                } else if line.count < 40 {
                    line.append(byte)
                }
            }
        }

        private mutating func endLine() {
            guard line.first == UInt8(ascii: "i") || line.first == UInt8(ascii: "e") else { return }
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("id: ") { number = Int(text.dropFirst(4)) }
            if text == "event: snapshot" { hasSnapshot = true }
            if text == "event: change", let number { numbers.append(number) }
        }
    }

    var clients: [Client] = []

    init(_ count: Int, port: Int) throws {
        for _ in 0..<count {
            let wire = try Wire(port: port)
            wire.send(Answer.request("GET", "/events"))
            clients.append(Client(wire: wire))
        }
    }

    /// Reads until all clients have what they wait for.
    func run(until isContent: (Client) -> Bool) throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var waiting = clients.indices.filter { !isContent(clients[$0]) }
        while !waiting.isEmpty {
            var polls = waiting.map { pollfd(fd: clients[$0].wire.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&polls, nfds_t(polls.count), 60_000) > 0 else { throw Wire.TimedOut() }
            for (index, result) in zip(waiting, polls) where result.revents != 0 {
                let count = recv(result.fd, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                if count == 0 { throw Missing(what: "the rest of stream \(index)") }
                if count > 0 { clients[index].take(buffer[..<count]) }
            }
            waiting.removeAll { isContent(clients[$0]) }
        }
    }
}
