import LiveBoardKit
import NIOConcurrencyHelpers
import ReactiveSignals
import Testing

/// The log of a cluster, in memory. Its boards read it no further while it is held up.
private final class FakeLog: Sendable {
    let events = MutableProperty<[BoardEvent]>([])
    let isHeldUp = MutableProperty(false)
    let failure = MutableProperty<ClusterProblem?>(nil)
    let readFailure = MutableProperty<ClusterProblem?>(nil)
    /// Whether nobody answers how long the log is.
    let isSilent = MutableProperty(false)

    struct Member: BoardCluster {
        let log: FakeLog
        let watchers = Property(value: 0)

        func lastSequence() async throws(ClusterProblem) -> Int {
            _ = await log.isSilent.producer.filter { !$0 }.first()
            if let failure = log.readFailure.value { throw failure }
            return log.events.value.count
        }

        func confirmedSequence(probing event: BoardEvent) async throws(ClusterProblem) -> Int {
            if let failure = log.failure.value { throw failure }
            return log.events.value.count
        }

        func append(_ event: BoardEvent) async throws(ClusterProblem) {
            if let failure = log.failure.value { throw failure }
            let isNext = log.events.modify { events in
                let isNext = event.sequence == events.count + 1
                if isNext { events.append(event) }
                return isNext
            }
            if !isNext { throw .outdated }
        }

        func event(_ sequence: Int) async throws -> BoardEvent? {
            let events = log.events.value
            return events.indices.contains(sequence - 1) ? events[sequence - 1] : nil
        }

        func follow(after sequence: Int, _ take: (BoardEvent) async throws -> Void) async throws {
            var last = sequence
            let readable = log.events.combineLatest(with: log.isHeldUp).map { $1 ? [] : $0 }
            for await events in readable.producer.values(buffering: .newest(1)) {
                while last < events.count {
                    try await take(events[last])
                    last += 1
                }
            }
        }

        func show(watchers: Int) {}
        func close() async {}
    }
}

@Suite("Boards that share a log")
struct ClusterTests {
    private let folder: TemporaryFolder
    private let log = FakeLog()
    private let never = Property(value: false)
    private let draft = Draft(title: "Down", severity: "high", reporter: "Ann")

    init() throws { folder = try TemporaryFolder() }

    /// The state after all events of the log.
    private func state() -> BoardState {
        var state = BoardState()
        for event in log.events.value { state.apply(event) }
        return state
    }

    /// Runs boards that follow the log.
    private func withBoards(_ count: Int, _ body: ([Board]) async throws -> Void) async throws {
        let boards = try (0..<count).map { number in
            try Board(path: folder.path("\(number).sqlite"), cluster: FakeLog.Member(log: log))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for board in boards { group.addTask { try await board.follow() } }
            do {
                try await body(boards)
            } catch {
                group.cancelAll()
                throw error
            }
            for board in boards { try await board.close() }
            group.cancelAll()
        }
    }

    @Test("have the same events, whichever board was asked")
    func events() async throws {
        try await withBoards(2) { boards in
            for number in 0..<6 { _ = try await boards[number % 2].post.execute(draft) }
            for board in boards { _ = await board.state.producer.filter { $0.sequence == 6 }.first() }
            #expect(boards[0].state.value == boards[1].state.value)
            for board in boards {
                let history = try await board.history(after: 0, limit: 10)
                #expect(history == log.events.value)
            }
        }
    }

    @Test("decide again when another board was faster")
    func conflict() async throws {
        try await withBoards(2) { boards in
            _ = try await boards[0].post.execute(draft)
            async let first = boards[0].post.execute(draft)
            async let second = boards[1].post.execute(draft)
            let sequences = [try await first?.sequence, try await second?.sequence].compactMap { $0 }
            #expect(sequences.sorted() == [2, 3])
        }
    }

    @Test("refuse a change only if they have read the whole log")
    func refusal() async throws {
        try await withBoards(2) { boards in
            _ = try await boards[0].post.execute(draft)
            _ = await boards[1].state.producer.filter { $0.sequence == 1 }.first()
            log.isHeldUp.value = true
            // The other board appends an event that nobody has read yet.
            let change = Change(id: 1, by: "Bob", version: 1)
            let acknowledged = try state().acknowledging(change, at: 1)
            log.events.value.append(acknowledged)
            // This board still has version 1.
            async let resolved = boards[1].resolve.execute(Change(id: 1, by: "Cay", version: 2))
            log.isHeldUp.value = false
            let sequence = try await resolved?.sequence
            #expect(sequence == 3)
        }
    }

    @Test("refuse nothing while the log does not answer")
    func unconfirmed() async throws {
        try await withBoards(1) { boards in
            log.failure.value = .unacknowledged("no servers")
            await #expect(throws: ActionError.producerError(BoardError.unacknowledged("no servers"))) {
                try await boards[0].post.execute(draft)
            }
            log.failure.value = nil
            _ = try await boards[0].post.execute(draft)
            log.failure.value = .unacknowledged("no servers")
            await #expect(throws: ActionError<BoardError>.self) {
                try await boards[0].resolve.execute(Change(id: 1, by: "Cay", version: 7))
            }
        }
    }

    @Test("resume after the last event in their database")
    func resume() async throws {
        try await withBoards(1) { boards in
            for _ in 0..<3 { _ = try await boards[0].post.execute(draft) }
        }
        let missed = try state().posting(draft, at: 1)
        log.events.value.append(missed)
        try await withBoards(1) { boards in
            _ = await boards[0].state.producer.filter { $0.sequence == 4 }.first()
            let history = try await boards[0].history(after: 0, limit: 10)
            #expect(history == log.events.value)
        }
    }

    @Test("do not follow a log with the database of another board")
    func foreignDatabase() async throws {
        let path = folder.path("other.sqlite")
        let alone = try Board(path: path)
        _ = try await alone.post.execute(Draft(title: "Other", severity: "low", reporter: "Dan"))
        try await alone.close()
        try await withBoards(1) { boards in _ = try await boards[0].post.execute(draft) }
        let board = try Board(path: path, cluster: FakeLog.Member(log: log))
        await #expect(throws: ClusterProblem.self) { try await board.follow() }
        try await board.close()
    }

    @Test("wait for an event that a client has seen on another board")
    func catchUp() async throws {
        try await withBoards(2) { boards in
            _ = try await boards[0].post.execute(draft)
            let found = await boards[1].catchUp(to: 1, until: never)
            #expect(found == .applied)
            let missing = await boards[1].catchUp(to: 2, until: never)
            #expect(missing == .noSuchEvent)
        }
    }

    @Test("stop waiting for an event when the server shuts down")
    func stoppedCatchUp() async throws {
        try await withBoards(2) { boards in
            log.isHeldUp.value = true
            log.events.value.append(try state().posting(draft, at: 1))
            let stop = MutableProperty(false)
            async let found = boards[1].catchUp(to: 1, until: Property(stop))
            stop.value = true
            let outcome = await found
            #expect(outcome == .behind)
        }
    }

    @Test("can be closed while the log does not answer")
    func closedWhileSilent() async throws {
        log.isSilent.value = true
        let board = try Board(path: folder.path("silent.sqlite"), cluster: FakeLog.Member(log: log))
        let following = Task { try await board.follow() }
        try await board.close()
        log.readFailure.value = .unacknowledged("cancelled")
        following.cancel()
        // Throws nothing: the board was closed.
        try await following.value
    }

    @Test("do not send a client back in time while the log does not answer")
    func unreachableLog() async throws {
        try await withBoards(1) { boards in
            _ = try await boards[0].post.execute(draft)
            log.readFailure.value = .unacknowledged("no servers")
            let failed = await boards[0].catchUp(to: 2, until: never)
            #expect(failed == .behind)
            // Also while it has not answered yet.
            log.readFailure.value = nil
            log.isSilent.value = true
            let stop = MutableProperty(false)
            async let found = boards[0].catchUp(to: 2, until: Property(stop))
            stop.value = true
            let outcome = await found
            #expect(outcome == .behind)
        }
    }
}
