import Testing

@testable import FetcherKit

@Suite("Output of a run")
struct RenderingTests {
    private let all = targets("http://h/a", "http://h/b", "http://h/c", "http://h/d")

    private func board(_ updates: (Int, FetchUpdate)...) -> Board {
        var board = Board(total: all.count)
        for (target, update) in updates { board.apply(TargetUpdate(all[target], update)) }
        return board
    }

    @Test("shows one line per transfer, and a total")
    func block() {
        let board = board(
            (0, .requested(all[0].address)), (0, .fetched),
            (1, .requested(all[1].address)), (1, .responded(length: 2048)), (1, .received(bytes: 512)),
            (2, .requested(all[2].address)), (2, .setBack(.status(503))),
            (3, .requested(all[3].address)), (3, .setBack(.status(503))), (3, .requested(all[3].address)))
        let lines = ProgressBlock.lines(board, isStopping: false, columns: 80, rows: 24)
        #expect(
            lines == [
                "  http://h/b  25% of 2.0 KiB", "  http://h/c  will retry: status 503",
                "  http://h/d  waiting for a response, attempt 2",
                "[######--------------------] 1 of 4, 512 B",
            ])
    }

    @Test(
        "progress is 100% when the response is complete, and never more",
        arguments: [(0, 0), (2047, 99), (2048, 100), (4096, 100)])
    func percentage(_ bytes: Int, _ expected: Int) {
        let board = board((0, .requested(all[0].address)), (0, .responded(length: 2048)), (0, .received(bytes: bytes)))
        let lines = ProgressBlock.lines(board, isStopping: false, columns: 80, rows: 24)
        #expect(lines[0] == "  http://h/a  \(expected)% of 2.0 KiB")
    }

    @Test("bytes of failed attempts do not count as progress")
    func lostBytes() {
        let begin: [(Int, FetchUpdate)] = [
            (0, .requested(all[0].address)), (0, .responded(length: 100)), (0, .received(bytes: 60)),
        ]
        var board = Board(total: 1)
        func apply(_ updates: [(Int, FetchUpdate)]) {
            for (target, update) in updates { board.apply(TargetUpdate(all[target], update)) }
        }
        apply(begin)
        #expect(board.bytes == 60)
        apply([(0, .setBack(.timedOut(.seconds(1))))])
        #expect(board.bytes == 0)
        apply(begin + [(0, .received(bytes: 40))])
        #expect(board.bytes == 100)
        apply([(0, .fetched)])
        #expect(board.bytes == 100)
        apply([(1, .requested(all[1].address)), (1, .responded(length: nil)), (1, .received(bytes: 7))])
        #expect(board.bytes == 107)
        apply([(1, .failed(.outOfTime(.seconds(1))))])
        #expect(board.bytes == 100)
    }

    @Test(
        "lines fit the width and the height of the terminal",
        arguments: [1, 2, 10, 20, 40, 200])
    func sizes(_ columns: Int) {
        let many = targets((0..<50).map { "http://host/\(String(repeating: "x", count: $0))" })
        var board = Board(total: 50)
        for target in many { board.apply(TargetUpdate(target, .requested(target.address))) }
        for rows in [1, 2, 3, 10, 100] {
            let lines = ProgressBlock.lines(board, isStopping: true, columns: columns, rows: rows)
            #expect(lines.allSatisfy { $0.count < max(2, columns) })
            #expect(lines.count <= max(2, rows))
        }
    }

    @Test("counts the transfers that do not fit")
    func more() {
        let many = targets((0..<10).map { "http://host/\($0)" })
        var board = Board(total: 10)
        for target in many { board.apply(TargetUpdate(target, .requested(target.address))) }
        let lines = ProgressBlock.lines(board, isStopping: false, columns: 80, rows: 6)
        #expect(lines.count == 5)
        #expect(lines[3] == "  and 7 more")
    }

    @Test("redraws a block by moving up as many lines as it has")
    func redrawing() {
        #expect(RedrawnBlock.erasing(0) == "\r\u{1B}[J")
        #expect(RedrawnBlock.erasing(1) == "\r\u{1B}[J")
        #expect(RedrawnBlock.erasing(3) == "\r\u{1B}[2A\u{1B}[J")
    }

    @Test("shortens a long URL in its middle")
    func shortened() {
        #expect(ProgressBlock.shortened("0123456789", to: 10) == "0123456789")
        #expect(ProgressBlock.shortened("0123456789ABCDEF", to: 10) == "0123...DEF")
        #expect(ProgressBlock.shortened("0123456789", to: 3) == "012")
    }

    @Test(
        "numbers of bytes",
        arguments: [
            (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (1024 * 1024 - 1, "1.0 MiB"),
            (1 << 30, "1.0 GiB"), (Int.max, "8.0 EiB"),
        ])
    func bytes(_ bytes: Int, _ expected: String) {
        #expect(Format.bytes(bytes) == expected)
    }

    @Test(
        "times",
        arguments: [
            (Duration.seconds(2), "2 s"), (.milliseconds(1500), "1.5 s"), (.milliseconds(5), "0.005 s"), (.zero, "0 s"),
        ])
    func times(_ time: Duration, _ expected: String) {
        #expect(Format.seconds(time) == expected)
    }

    private var ledger: Ledger {
        var ledger = Ledger(all)
        for (target, update) in [
            (0, FetchUpdate.requested(all[0].address)), (0, .responded(length: 10)), (0, .received(bytes: 10)),
            (0, .fetched),
            (1, .requested(all[1].address)), (1, .failed(.status(404))),
            (2, .requested(all[2].address)), (2, .setBack(.timedOut(.seconds(3)))),
        ] {
            ledger.apply(TargetUpdate(all[target], update))
        }
        return ledger
    }

    @Test("the summary lists what was not fetched, and why")
    func summary() {
        let summary = Summary(ledger, directory: nil, isInterrupted: true, time: .milliseconds(1234))
        #expect(
            summary.text == """
                failed: http://h/b (status 404)
                unfinished: http://h/c (the server sent nothing for 3 s; --timeout sets this limit)
                not started: http://h/d
                1 of 4 fetched, 10 B in 1.234 s, interrupted

                """)
    }

    @Test("the summary as JSON")
    func json() {
        let summary = Summary(ledger, directory: "/tmp", isInterrupted: false, time: .milliseconds(1234))
        #expect(
            summary.json == #"{"bytes":10,"fetched":1,"interrupted":false,"milliseconds":1234,"targets":["#
                + #"{"attempts":1,"bytes":10,"file":"h_a","outcome":"fetched","url":"http://h/a"},"#
                + #"{"attempts":1,"error":"status 404","outcome":"failed","url":"http://h/b"},"#
                + #"{"attempts":1,"error":"the server sent nothing for 3 s; --timeout sets this limit","#
                + #""outcome":"unfinished","url":"http://h/c"},"#
                + #"{"attempts":0,"outcome":"not started","url":"http://h/d"}],"total":4}"# + "\n")
    }

    @Test("plain lines report results and retries only")
    func plain() {
        var transfer = Transfer(all[0])
        func line(_ update: FetchUpdate, hasFailures: Bool = false) -> String? {
            transfer.apply(update)
            return PlainLines.line(transfer, update, hasFailures: hasFailures)
        }
        #expect(line(.requested(all[0].address)) == nil)
        #expect(line(.setBack(.status(503))) == "http://h/a: attempt 1 failed, will retry: status 503")
        #expect(line(.requested(all[0].address)) == nil)
        #expect(line(.responded(length: 5)) == nil)
        #expect(line(.received(bytes: 5)) == nil)
        #expect(line(.fetched) == "http://h/a: 5 B")
        // The summary lists failures, unless it is JSON.
        #expect(line(.failed(.status(404))) == nil)
        #expect(line(.failed(.status(404)), hasFailures: true) == "http://h/a: failed: status 404")
    }

    @Test("progress counts failures")
    func progress() {
        var board = board((0, .requested(all[0].address)), (0, .failed(.status(404))), (1, .requested(all[1].address)))
        #expect(PlainLines.progress(board) == "1 of 4 done, 1 failed, 1 running, 0 B")
        board = self.board((1, .requested(all[1].address)))
        #expect(PlainLines.progress(board) == "0 of 4 done, 1 running, 0 B")
    }
}
