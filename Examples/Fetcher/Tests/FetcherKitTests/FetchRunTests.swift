import FetcherKit
import NIOCore
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

@Suite("A run and its interruption")
struct FetchRunTests {
    private let scheduler = TestScheduler()
    private let settings = FetchSettings.plain.with {
        $0.concurrency = 2
        $0.grace = .seconds(10)
        $0.timeout = .seconds(100)
    }

    private func run(
        _ targets: [FetchTarget], _ script: Script, into directory: Directory? = nil
    ) -> FetchRun {
        FetchRun(targets, settings, directory: directory, on: scheduler, transport: script.transport)
    }

    private static let urls = ["http://h/a", "http://h/b", "http://h/c"]

    @Test("completes when all targets have ended, with their results")
    func completion() {
        let script = Script(scheduler) { path, _, scheduler in
            path == "/b" ? SignalProducer(error: .status(404)) : .answer("four").after(1, on: scheduler)
        }
        let run = run(targets(Self.urls), script)
        let ledger = run.ledger.collected()
        #expect(ledger.all.isEmpty)
        #expect(run.fetch.isExecuting.value)
        scheduler.advance(by: .seconds(1))
        #expect(ledger.last?.stages == [.fetched, .failed(.status(404)), .fetched])
        #expect(ledger.last?.bytes == 8)
        #expect(!run.fetch.isExecuting.value)
    }

    @Test("the board shows running transfers only")
    func board() {
        let script = Script(scheduler) { path, number, scheduler in
            switch (path, number) {
            case ("/a", _): .answer("four")
            case ("/b", 1): SignalProducer(error: .status(503))
            default:
                SignalProducer([.head(status: 200, length: 10, location: nil), .body(ByteBuffer(string: "half!"))])
                    .concat(.never)
            }
        }
        let run = run(targets(Self.urls), script)
        run.ledger.start()
        let board = run.board.value
        #expect(board.fetched == 1)
        #expect(board.bytes == 9)
        #expect(board.transfers.map(\.stage) == [.pausing, .receiving])
        #expect(board.transfers.map(\.lastError) == [.status(503), nil])
        #expect(board.transfers.last?.bytes == 5)
        #expect(board.transfers.last?.length == 10)
    }

    @Test("news sends each update after the board has changed")
    func news() {
        let script = Script(scheduler) { _, _, _ in .answer("four") }
        let run = run(targets("http://h/a"), script)
        let seen = Collected<Int>()
        run.news.observeNext { [board = run.board] news in
            if news.update == .fetched {
                #expect(news.transfer.bytes == 4)
                seen.append(board.value.fetched)
            }
        }
        run.ledger.start()
        #expect(seen.all == [1])
    }

    @Test("after an interruption, running requests finish, and no new ones start")
    func graceful() {
        let script = Script(scheduler) { _, _, scheduler in .answer("four").after(5, on: scheduler) }
        let run = run(targets(Self.urls), script)
        let ledger = run.ledger.collected()
        scheduler.advance(by: .seconds(2))
        run.interrupt()
        #expect(ledger.all.isEmpty)
        #expect(run.phase.value == .stopping)
        scheduler.advance(by: .seconds(3))
        #expect(ledger.last?.stages == [.fetched, .fetched, .untouched])
        #expect(script.requests.count == 2)
    }

    @Test("after an interruption, targets that have not started do not count as failed")
    func stoppedIsNotFailed() {
        let script = Script(scheduler) { _, _, _ in .never }
        let run = run(targets(Self.urls), script)
        run.ledger.start()
        run.interrupt()
        #expect(run.board.value.failed == 0)
        #expect(run.board.value.transfers.map(\.stage) == [.requesting, .requesting])
    }

    @Test("after an interruption, it ends immediately if only delays are left")
    func pausing() {
        let script = Script(scheduler) { _, _, _ in SignalProducer(error: .status(503)) }
        let run = run(targets(Self.urls), script)
        let ledger = run.ledger.collected()
        run.interrupt()
        #expect(ledger.last?.stages == [.pausing, .pausing, .pausing])
        #expect(ledger.last?.transfers.map(\.lastError) == [.status(503), .status(503), .status(503)])
    }

    @Test("after an interruption, failures are not retried")
    func noRetry() {
        let script = Script(scheduler) { _, _, scheduler in
            Script.Answer(error: .status(503)).after(5, on: scheduler)
        }
        let run = run(targets(Self.urls), script)
        let ledger = run.ledger.collected()
        run.interrupt()
        scheduler.run()
        #expect(ledger.last?.stages == [.pausing, .pausing, .untouched])
        #expect(script.requests.count == 2)
    }

    @Test("after an interruption, it waits no longer than the grace period, and deletes partial files")
    func grace() throws {
        let directory = try TemporaryDirectory()
        let script = Script(scheduler) { _, _, _ in
            SignalProducer([.head(status: 200, length: 100, location: nil), .body(ByteBuffer(string: "half"))])
                .concat(.never)
        }
        let run = run(targets(Self.urls), script, into: try Directory(directory.path))
        let ledger = run.ledger.collected()
        scheduler.advance(by: .seconds(1))
        run.interrupt()
        scheduler.advance(by: .milliseconds(9999))
        #expect(ledger.all.isEmpty)
        #expect(directory.names.count == 2)
        scheduler.advance(by: .milliseconds(1))
        #expect(ledger.last?.stages == [.receiving, .receiving, .untouched])
        #expect(directory.names == [])
        #expect(script.active == 0)
    }

    @Test("after a second interruption, it ends immediately")
    func atOnce() {
        let script = Script(scheduler) { _, _, _ in .never }
        let run = run(targets(Self.urls), script)
        let ledger = run.ledger.collected()
        run.interrupt()
        #expect(ledger.all.isEmpty)
        run.interrupt()
        #expect(ledger.last?.stages == [.requesting, .requesting, .untouched])
        #expect(script.active == 0)
        #expect(!run.fetch.isEnabled.value)
    }

    @Test("fetches nothing if interrupted before the start")
    func stoppedBefore() {
        let script = Script(scheduler) { _, _, _ in .never }
        let run = run(targets(Self.urls), script)
        run.interrupt()
        #expect(run.ledger.collected().last?.stages == [.untouched, .untouched, .untouched])
        #expect(script.requests == [])
    }

    @Test("completes immediately if there is nothing to fetch")
    func nothing() {
        let script = Script(scheduler) { _, _, _ in .never }
        let ledger = run([], script).ledger.collected()
        #expect(ledger.last?.isComplete == true)
    }
}
