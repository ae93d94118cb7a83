import Foundation
import LiveBoardKit
import ReactiveSignals
import ReactiveSignalsPrometheus
import ServerKitTesting
import Testing

@Suite("Event stream")
struct StreamTests {
    @Test("begins with the whole state, then sends each change")
    func conformance() async throws {
        try await TestServer.run { server in
            try await server.post(2)
            let reader = try await server.events()
            #expect(reader.head.status == 200)
            #expect(reader.head.headers["content-type"] == "text/event-stream; charset=utf-8")
            #expect(reader.head.headers["cache-control"] == "no-store")
            #expect(reader.head.headers["x-accel-buffering"] == "no")
            let greeting = try await onThread { try reader.nextOfAny() }
            #expect(greeting?.retry == "2000")
            let first = try await onThread { try reader.next() }
            #expect(first?.id == "2")
            #expect(first?.snapshot == Snapshot(server.board.state.value))
            try await server.board.acknowledge.execute(Change(id: 1, by: "Bob"))
            let second = try await onThread { try reader.next() }
            #expect(second?.id == "3")
            #expect(second?.change?.kind == .acknowledged)
            #expect(second?.change?.from == .open)
            #expect(second?.change?.incident == server.board.state.value.incident(1))
        }
    }

    @Test("resumes after the event that the client names, in the header or in the query", arguments: [true, false])
    func resumes(inHeader: Bool) async throws {
        try await TestServer.run { server in
            try await server.post(10)
            let reader =
                inHeader
                ? try await server.events(headers: ["Last-Event-ID": "4"]) : try await server.events("?after=4")
            #expect(try await onThread { try reader.changes(6) } == Array(5...10))
            try await server.post(1)
            #expect(try await onThread { try reader.changes(1) } == [11])
        }
    }

    @Test(
        "has the past from the database when it is not remembered any more", arguments: [0, 1, 300, 596, 597, 598, 600])
    func fromDatabase(after: Int) async throws {
        try await TestServer.run {
            $0.replay = 3
        } _: { server in
            try await server.post(600)
            let reader = try await server.events("?after=\(after)")
            try await server.post(1)
            #expect(try await onThread { try reader.changes(601 - after) } == Array((after + 1)...601))
        }
    }

    @Test("replays events of an earlier process")
    func afterRestart() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("board.sqlite")
        try await TestServer.run(database: path) { server in try await server.post(5) }
        try await TestServer.run(database: path) { server in
            let reader = try await server.events("?after=2")
            #expect(try await onThread { try reader.changes(3) } == [3, 4, 5])
        }
    }

    @Test("sends the whole state to a client with an unknown event number", arguments: ["99", "-1", "x", ""])
    func anotherBoard(id: String) async throws {
        try await TestServer.run { server in
            try await server.post(3)
            let reader = try await server.events(headers: ["Last-Event-ID": id])
            #expect(try await onThread { try reader.next() }?.snapshot?.sequence == 3)
        }
    }

    @Test("refuses a query that is not a number")
    func malformed() async throws {
        try await TestServer.run { server in
            let word = try await server.request("GET", "/events?after=x")
            let negative = try await server.request("GET", "/events?after=-1")
            #expect(word.status == 400)
            #expect(negative.status == 400)
        }
    }

    @Test("has no gaps and no duplicates when clients reconnect while events are sent")
    func reconnecting() async throws {
        let total = 300
        try await TestServer.run {
            // Small, so that events come from memory, from the database and live.
            $0.replay = 5
            $0.buffer = 8
        } _: { server in
            let port = server.port
            async let posting: Void = server.post(total)
            try await withThrowingTaskGroup(of: [Int].self) { group in
                for client in 1...6 {
                    group.addTask {
                        try await onThread {
                            var seen: [Int] = []
                            var rounds = 0
                            while seen.count < total {
                                rounds += 1
                                let reader = try EventReader(port: port, query: "?after=\(seen.last ?? 0)")
                                // Disconnects after some events.
                                for _ in 0..<(client * 5 + rounds % 7) {
                                    guard seen.count < total, let change = try reader.next()?.change else { break }
                                    seen.append(change.sequence)
                                }
                            }
                            return seen
                        }
                    }
                }
                for try await seen in group { #expect(seen == Array(1...total)) }
            }
            try await posting
        }
    }

    @Test("sends heartbeats and the number of clients")
    func heartbeats() async throws {
        try await TestServer.run {
            $0.heartbeat = .milliseconds(20)
            // However late the server sends them.
            $0.buffer = 1_000_000
        } _: { server in
            let reader = try await server.events()
            try await onThread {
                var heartbeats = 0
                var watchers: [String] = []
                while heartbeats < 3 || watchers.isEmpty {
                    guard let message = try reader.nextOfAny() else { throw Missing(what: "a heartbeat") }
                    if message.comment == "heartbeat" { heartbeats += 1 }
                    if message.event == "watchers" { watchers.append(message.data ?? "") }
                }
                #expect(watchers == ["1"])
            }
        }
    }

    @Test("notices immediately that a client has disconnected")
    func disconnects() async throws {
        try await TestServer.run { server in
            var reader: EventReader? = try await server.events()
            let other = try await server.events()
            try await onThread { try other.readUntil(watchers: 2) }
            _ = reader
            reader = nil
            // No event or heartbeat is sent that could fail.
            try await onThread { try other.readUntil(watchers: 1) }
        }
    }

    @Test("tells a slow client to resync, delays nobody else, and loses no event")
    func slowClient() async throws {
        let total = 400
        let metrics = PrometheusMetrics()
        try await TestServer.run(metrics: metrics) {
            $0.buffer = 10
            // The buffer decides alone, however long the machine takes.
            $0.stallTime = .seconds(86_400)
            $0.heartbeat = .seconds(86_400)
        } _: { server in
            let slow = try await server.events(receiveBuffer: 4_096)
            #expect(try await onThread { try slow.next() }?.snapshot != nil)
            let quick = try await server.events("?after=0")
            // Two kilobytes per event: far more than all buffers on the way hold. The server waits for the quick client
            // before its buffer is full, so that it is quick enough on every machine.
            var received: [Int] = []
            for _ in 0..<total / 8 {
                try await server.post(8, description: String(repeating: "slow ", count: 390))
                received += try await onThread { try quick.changes(8) }
            }
            #expect(received == Array(1...total))

            // The slow client reads only now.
            let port = server.port
            let (seen, resync) = try await onThread {
                var seen: [Int] = []
                while let message = try slow.next() {
                    guard let change = message.change else { return (seen, Optional(message)) }
                    seen.append(change.sequence)
                }
                return (seen, nil)
            }
            #expect(seen == Array(1...seen.count))
            #expect(seen.count < total)
            #expect(resync?.event == "resync")
            #expect(resync?.data == #"{"after":\#(seen.count)}"#)
            #expect(try await onThread { try slow.nextOfAny() } == nil)
            // The end of the last chunk, and then of the connection.
            #expect(try await onThread { try slow.wire.rest() } == Array("\r\n".utf8))
            let rest = try await onThread {
                try EventReader(port: port, headers: ["Last-Event-ID": "\(seen.count)"]).changes(total - seen.count)
            }
            #expect(rest == Array((seen.count + 1)...total))
        }
        // Only its buffer was kept for it, besides what was already on its way.
        #expect(try #require(metrics.value("liveboard_events_dropped_total")) > 100)
    }

    @Test("closes the connection of a client that reads nothing at all")
    func stalled() async throws {
        try await TestServer.run {
            // Enough for the other client, which may read late.
            $0.stallTime = .seconds(10)
            $0.buffer = 1_000
        } _: { server in
            let other = try await server.events()
            let stalled = try await server.events(receiveBuffer: 4_096)
            try await onThread { try other.readUntil(watchers: 2) }
            async let gone: Void = onThread { try other.readUntil(watchers: 1) }
            try await server.post(300, description: String(repeating: "slow ", count: 390))
            // The client still thinks that it is connected; only the server knows better.
            try await gone
            withExtendedLifetime(stalled) {}
        }
    }
}
