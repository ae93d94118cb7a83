import Foundation
import LiveBoardKit
import ReactiveSignals
import ServerKitTesting
import ServiceLifecycle
import Testing

@Suite("Graceful shutdown")
struct ShutdownTests {
    @Test("ends every stream after all earlier events and a last comment")
    func streams() async throws {
        try await TestServer.run { server in
            var readers: [EventReader] = []
            for _ in 0..<20 { readers.append(try await server.events()) }
            try await server.post(50)
            await server.group.triggerGracefulShutdown()
            for reader in readers {
                let (changes, last) = try await onThread {
                    var changes: [Int] = []
                    var last: Message?
                    while let message = try reader.nextOfAny() {
                        last = message
                        // Earlier events are part of the snapshot.
                        if let snapshot = message.snapshot { changes += Array(0..<snapshot.sequence).map { $0 + 1 } }
                        if let change = message.change { changes.append(change.sequence) }
                    }
                    return (changes, last)
                }
                #expect(changes == Array(1...50))
                #expect(last?.comment == "the server is shutting down")
            }
        }
    }

    @Test("finishes running changes, loses no confirmed one, and accepts no more")
    func changes() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("board.sqlite")
        let acknowledged = try await TestServer.run(database: path) { server in
            let port = server.port
            return try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await onThread {
                            var done: [Int] = []
                            // Fails once the server is gone.
                            while let wire = try? Wire(port: port) {
                                wire.send(Answer.request("POST", "/api/incidents", json: HTTPTests.draft))
                                guard let answer = try Answer(wire) else { break }
                                if answer.status == 201 {
                                    done.append(try answer.decoded(BoardEvent.self).sequence)
                                } else {
                                    #expect(answer.status == 503)
                                }
                            }
                            return done
                        }
                    }
                }
                _ = await server.board.state.producer.filter { $0.sequence >= 40 }.first()
                await server.group.triggerGracefulShutdown()
                return try await group.reduce([], +)
            }
        }
        #expect(acknowledged.count >= 40)
        let board = try Board(path: path)
        // Exactly the changes that clients were told about.
        #expect(acknowledged.sorted() == Array(1...board.state.value.sequence))
        try await board.close()
    }

    @Test("waits for a request whose body is still arriving")
    func request() async throws {
        try await TestServer.run {
            // The body arrives however late the rest of the test is.
            $0.bodyTime = .seconds(86_400)
            $0.idleTime = .seconds(86_400)
        } _: { server in
            let port = server.port
            let text = Answer.request("POST", "/api/incidents", json: HTTPTests.draft)
            let wire = try await onThread {
                let wire = try Wire(port: port)
                wire.send(String(text.dropLast(5)))
                // Another response shows that the server has read this head.
                _ = try Answer.to("GET", "/health", port: port)
                return wire
            }
            let stream = try await server.events()
            await server.group.triggerGracefulShutdown()
            // When the stream has ended, the shutdown has begun.
            try await onThread { while try stream.nextOfAny() != nil {} }
            let answer = try await onThread {
                wire.send(String(text.suffix(5)))
                return try Answer(wire)
            }
            #expect(answer?.status == 201)
            #expect(server.board.state.value.sequence == 1)
        }
    }
}
