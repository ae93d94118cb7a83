import Foundation
import LiveBoardKit
import ReactiveSignals
import ReactiveSignalsFoundation
import ServerKitTesting
import Testing

/// The log of a cluster as a recording has it.
private struct RecordedLog: BoardCluster {
    let file: URL
    /// The number of the last event in the log.
    let last: Int
    let watchers = Property(value: 0)

    func follow(after sequence: Int, _ take: (BoardEvent) async throws -> Void) async throws {
        let log = SignalProducer.replaying(contentsOf: file, as: BoardEvent.self, stream: .named("log"))
        for event in try await log.collectAll() ?? [] where event.sequence > sequence { try await take(event) }
    }

    func lastSequence() async throws(ClusterProblem) -> Int { last }
    func confirmedSequence(probing event: BoardEvent) async throws(ClusterProblem) -> Int { last }
    func append(_ event: BoardEvent) async throws(ClusterProblem) { throw .outdated }
    func event(_ sequence: Int) async throws -> BoardEvent? { nil }
    func show(watchers: Int) {}
    func close() async {}
}

@Suite("Recordings of a board")
struct RecordingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The log of a board whose cluster has lost event 3 after it had acknowledged it, as the servers of NATS 2.9.10
    /// do: see README. The recording was made with a log in memory that lost the event on purpose.
    @Test("reproduce how a board ends that misses an event of its log")
    func lostEvent() async throws {
        let file = try #require(
            Bundle.module.url(forResource: "lost-event", withExtension: "jsonl", subdirectory: "Fixtures"))
        let board = try Board(path: folder.path("board.sqlite"), cluster: RecordedLog(file: file, last: 4))
        let sent = MutableProperty<[Int]>([])
        board.events.observeNext { event in sent.modify { $0.append(event.sequence) } }
        await #expect(throws: ClusterProblem.unusable("event 4 follows 2")) { try await board.follow() }
        // What came before the gap is kept, and nothing that came after it.
        #expect(sent.value == [1, 2])
        #expect(board.state.value.sequence == 2)
        #expect(board.counts.value == board.state.value.recounted)
        let stored = try await board.history(after: 0, limit: 10)
        #expect(stored.map(\.sequence) == [1, 2])
        // A browser that has seen event 4 elsewhere is not sent back in time.
        let caughtUp = await board.catchUp(to: 4, until: Property(value: false))
        #expect(caughtUp == .behind)
        try await board.close()
        // The recording also shows that the board that was recorded has sent no more than these.
        let recorded = SignalProducer.replaying(contentsOf: file, as: BoardEvent.self, stream: .named("events"))
        #expect(try await recorded.collectAll()?.map(\.sequence) == [1, 2])
    }

    @Test("have what the board has sent")
    func sent() async throws {
        let board = try Board(path: folder.path("board.sqlite"))
        let file = folder.path("events.jsonl")
        try board.recorder.start(writingTo: URL(filePath: file), upTo: .events(100))
        for number in 1...3 {
            try await board.post.execute(Draft(title: "\(number)", severity: "high", reporter: "Ann"))
        }
        try await board.acknowledge.execute(Change(id: 2, by: "Bob"))
        let history = try await board.history(after: 0, limit: 10)
        try await board.close()
        let replayed = SignalProducer.replaying(contentsOf: URL(filePath: file), as: BoardEvent.self)
        #expect(try await replayed.collectAll() == history)
        #expect(history.count == 4)
    }
}
