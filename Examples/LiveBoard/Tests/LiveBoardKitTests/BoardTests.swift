import Foundation
import GRDB
import LiveBoardKit
import NIOConcurrencyHelpers
import ReactiveSignals
import ServerKitTesting
import Testing

@Suite("Board")
struct BoardTests {
    let folder: TemporaryFolder
    let path: String
    let draft = Draft(title: "Down", severity: "high", reporter: "Ann")

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("board.sqlite")
    }

    @Test("writes an event, applies it, sends it, and then completes the action")
    func order() async throws {
        let board = try Board(path: path)
        let path = path
        let log = NIOLockedValueBox<[String]>([])
        board.events.observeNext { event in
            let stored = (try? Self.stored(path)) ?? -1
            log.withLockedValue {
                $0.append("event \(event.sequence) of \(board.state.value.sequence), stored \(stored)")
            }
        }
        board.post.values.observeNext { event in log.withLockedValue { $0.append("value \(event.sequence)") } }
        let event = try await board.post.execute(draft)
        log.withLockedValue { $0.append("answer \(event?.sequence ?? 0)") }
        #expect(log.withLockedValue { $0 } == ["event 1 of 1, stored 1", "value 1", "answer 1"])
        try await board.close()
    }

    private static func stored(_ path: String) throws -> Int {
        try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM event") ?? 0 }
    }

    @Test("leaves everything in the database file alone when it is closed")
    func oneFile() async throws {
        let board = try Board(path: path)
        for _ in 0..<3 { _ = try await board.post.execute(draft) }
        try await board.close()
        let copy = folder.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        #expect(try Self.stored(copy) == 3)
        let other = try Board(path: copy)
        #expect(other.state.value == board.state.value)
        try await other.close()
    }

    @Test("explains in one line why a database cannot be opened")
    func unusable() throws {
        func problem(_ path: String) -> String? {
            do {
                _ = try Board(path: path)
                return nil
            } catch {
                return "\(error)"
            }
        }
        let missing = folder.path("none/board.sqlite")
        #expect(problem(missing) == "cannot open the database \(missing): No such file or directory")
        let directory = folder.path("directory")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        #expect(problem(directory) == "cannot open the database \(directory): unable to open database file")
        let text = folder.path("notes.txt")
        try "Not a database, but long enough to be looked at as one, page by page. ".write(
            toFile: text, atomically: true, encoding: .utf8)
        #expect(problem(text) == "cannot open the database \(text): file is not a database")
        let foreign = folder.path("foreign.sqlite")
        try DatabaseQueue(path: foreign).write { try $0.execute(sql: "CREATE TABLE event (other TEXT)") }
        #expect(problem(foreign)?.hasPrefix("cannot open the database \(foreign): ") == true)
    }

    @Test("synchronizes each commit to the disk")
    func durability() async throws {
        let store = try EventStore(path: path)
        let durability = try store.durability()
        #expect(durability.journal == "wal")
        // 2 is FULL.
        #expect(durability.synchronous == 2)
        try store.close()
    }

    @Test("has the same state after it is reopened")
    func reopens() async throws {
        var board = try Board(path: path)
        try await board.post.execute(draft)
        try await board.post.execute(draft)
        try await board.acknowledge.execute(Change(id: 1, by: "Bob"))
        try await board.resolve.execute(Change(id: 2, by: "Bob"))
        let before = board.state.value
        try await board.close()
        board = try Board(path: path)
        #expect(board.state.value == before)
        #expect(try await board.post.execute(draft)?.sequence == 5)
        try await board.close()
    }

    @Test("can be opened only once at a time")
    func oneAtATime() async throws {
        let board = try Board(path: path)
        #expect(throws: (any Error).self) { try Board(path: path) }
        try await board.close()
    }

    @Test("has a database that refuses to change or delete an event")
    func appendOnly() async throws {
        let board = try Board(path: path)
        try await board.post.execute(draft)
        try await board.close()
        let database = try DatabaseQueue(path: path)
        #expect(throws: DatabaseError.self) { try database.write { try $0.execute(sql: "UPDATE event SET at = 0") } }
        #expect(throws: DatabaseError.self) { try database.write { try $0.execute(sql: "DELETE FROM event") } }
        #expect(try Self.stored(path) == 1)
    }

    @Test("changes nothing and sends nothing if an event cannot be written")
    func storageFails() async throws {
        let board = try Board(path: path)
        // A foreign row with the number of the next event.
        try await DatabaseQueue(path: path).write {
            try $0.execute(sql: "INSERT INTO event VALUES (1, 0, 'posted', 1, '{}')")
        }
        let count = NIOLockedValueBox(0)
        board.events.observeNext { _ in count.withLockedValue { $0 += 1 } }
        let error = await #expect(throws: ActionError<BoardError>.self) { try await board.post.execute(draft) }
        guard case .producerError(.storage) = error else {
            throw Missing(what: "a storage error: \(String(describing: error))")
        }
        #expect(board.state.value == BoardState())
        #expect(count.withLockedValue { $0 } == 0)
        try await board.close()
    }

    @Test("never goes back in time, even if the clock does")
    func time() async throws {
        let times = NIOLockedValueBox([300, 100, 200])
        let board = try Board(path: path) { times.withLockedValue { $0.removeFirst() } }
        let first = try await board.post.execute(draft)
        let second = try await board.post.execute(draft)
        #expect([first?.at, second?.at] == [300, 300])
        try await board.close()
    }

    @Test("lets exactly one of many concurrent acknowledgements succeed")
    func oneWins() async throws {
        let board = try Board(path: path)
        try await board.post.execute(draft)
        let winners = await withTaskGroup(of: Bool.self) { group in
            for person in 0..<100 {
                group.addTask {
                    (try? await board.acknowledge.execute(Change(id: 1, by: "Person \(person)"))) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
        #expect(board.state.value.sequence == 2)
        try await board.close()
    }

    @Test("numbers the events of all actions without a gap, in the order of delivery")
    func sequence() async throws {
        let board = try Board(path: path)
        let told = NIOLockedValueBox<[Int]>([])
        board.events.observeNext { event in told.withLockedValue { $0.append(event.sequence) } }
        let draft = draft
        await withTaskGroup(of: Void.self) { group in
            for id in 1...40 {
                group.addTask { _ = try? await board.post.execute(draft) }
                group.addTask { _ = try? await board.acknowledge.execute(Change(id: id, by: "Bob")) }
                group.addTask { _ = try? await board.resolve.execute(Change(id: id, by: "Bob")) }
            }
        }
        let state = board.state.value
        #expect(told.withLockedValue { $0 } == Array(1...state.sequence))
        #expect(state.incidents.count == 40)
        #expect(state.counts == state.recounted)
        try await board.close()
    }

    @Test("finishes a commit whose caller has been cancelled")
    func cancellation() async throws {
        let board = try Board(path: path)
        let draft = draft
        for _ in 0..<50 {
            let task = Task { try await board.post.execute(draft) }
            task.cancel()
            _ = try? await task.value
        }
        let event = try await board.post.execute(draft)
        // Each event is complete or missing, and the state matches the database.
        #expect(event?.sequence == board.state.value.sequence)
        try await board.close()
        #expect(try Self.stored(path) == event?.sequence)
    }

    @Test("accepts no changes after it is closed, and completes its events")
    func close() async throws {
        let board = try Board(path: path)
        let hasEnded = NIOLockedValueBox(false)
        board.events.observeCompleted { hasEnded.withLockedValue { $0 = true } }
        try await board.close()
        await #expect(throws: ActionError<BoardError>.disabled) { try await board.post.execute(draft) }
        #expect(hasEnded.withLockedValue { $0 })
    }
}
