import Dispatch
import ExamplesKit
import Glibc
import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@testable import LineCountKit

@Suite("Counting with producers")
struct LineCountTests {
    /// Runs the counting to its end, and returns the last tally.
    private func tally(_ counting: Counting, _ batches: some Sequence<Batch> & Sendable) -> Tally {
        let last = Locked(Tally())
        let ended = DispatchSemaphore(value: 0)
        counting.tallies(of: batches).start { event in
            if let tally = event.value { last.withLock { $0 = tally } }
            if event.isTerminating { ended.signal() }
        }
        ended.wait()
        return last.withLock { $0 }
    }

    private func counting(limit: Int = 2, read: @escaping ReadFile) -> Counting {
        Counting(
            counter: FileCounter(table: .standard, read: read), limit: limit, retries: 3, retryInterval: .zero)
    }

    private func batches(_ count: Int, files: Int = 1) -> [Batch] {
        let language = LanguageTable.standard.index(named: "C")
        return (0..<count).map { number in
            var batch = Batch()
            for file in 0..<files { batch.add(SourceFile(path: "\(number)-\(file).c", size: 4, language: language)) }
            return batch
        }
    }

    // MARK: Totals

    @Test("has the totals of a sequential pass over a tree with many edge cases", arguments: [1, 2, 5])
    func totals(_ limit: Int) throws {
        let tree = try OddTree()
        let tally = tally(Counting(limit: limit), Walk(root: tree.path, table: .standard))
        let expected = try tree.sequentialPass()
        for (suffix, language) in ["c": "C", "swift": "Swift", "py": "Python", "": "Shell"] {
            let index = try #require(LanguageTable.standard.index(named: language))
            let sum = try #require(tally.languages[index])
            let totals = OddTree.Totals(
                files: sum.files, blank: sum.lines.blank, comment: sum.lines.comment, code: sum.lines.code)
            expect(totals, is: expected[suffix], "\(language)")
        }
        expect(tally.languages.count, is: 4)
        expect(tally.all.files, is: expected.values.reduce(0) { $0 + $1.files })
        expect(tally.all.lines.total, is: expected.values.reduce(0) { $0 + $1.blank + $1.comment + $1.code })
        let reasons = tally.skippedInOrder.map { ($0.path.dropFirst(tree.path.count + 1), $0.reason.description) }
        expect(Dictionary(uniqueKeysWithValues: reasons.map { (String($0), $1) }), is: tree.skipped)
        expect(tally.unknown, is: 2)
        expect(tally.duplicates, is: 2)
    }

    @Test("returns the same batches in each walk, none of them too large")
    func walk() throws {
        let tree = try OddTree()
        let walk = Walk(root: tree.path, table: .standard)
        expect(Array(walk), is: Array(walk))
        #expect(Array(walk).count > 3)
        #expect(walk.allSatisfy { $0.files.count <= Batch.mostFiles && !$0.isEmpty })
    }

    @Test("counts a single file, and nothing in an empty directory")
    func smallest() throws {
        let directory = try TemporaryDirectory()
        expect(tally(Counting(limit: 2), Walk(root: directory.path, table: .standard)), is: Tally())
        try directory.write("x\n", to: "a.c")
        let file = tally(Counting(limit: 2), Walk(root: directory.path + "/a.c", table: .standard))
        expect(file.all, is: Tally.Sum(files: 1, lines: Lines(code: 1)))
    }

    @Test("skips a file that grows too large")
    func tooLarge() throws {
        var batch = Batch()
        batch.add(SourceFile(path: "a.c", size: FileCounter.largestSize + 1, language: 0))
        let skipped = tally(counting { _, _ in [] }, [batch]).skippedInOrder
        expect(skipped, is: [SkippedFile(path: "a.c", reason: .tooLarge)])
        let directory = try TemporaryDirectory()
        try directory.write("12345", to: "a.c")
        #expect(throws: System.Failure.self) { try System.bytes(of: directory.path + "/a.c", size: 0, limit: 2) }
        #expect(try System.bytes(of: directory.path + "/a.c", size: 0, limit: 9) == Array("12345".utf8))
    }

    // MARK: The limit

    @Test(
        "reads as many files concurrently as the limit allows, and never more", .watched,
        arguments: [1, 2, 4])
    func limit(_ limit: Int) {
        struct Progress {
            var current = 0
            var most = 0
        }
        let progress = Locked(Progress())
        let limitReached = DispatchSemaphore(value: 0)
        let counting = counting(limit: limit) { _, _ in
            progress.withLock { progress in
                progress.current += 1
                progress.most = max(progress.most, progress.current)
            }
            // No thread continues until the limit has been reached.
            if progress.withLock({ $0.most }) == limit { limitReached.signal() }
            limitReached.wait()
            limitReached.signal()
            progress.withLock { $0.current -= 1 }
            return Array("x\n".utf8)
        }
        expect(tally(counting, batches(40, files: 3)).all, is: Tally.Sum(files: 120, lines: Lines(code: 120)))
        expect(progress.withLock { $0.most }, is: limit)
    }

    // MARK: Retrying

    @Test("retries after a temporary failure", arguments: [EINTR, EAGAIN, EMFILE, ENFILE])
    func retries(_ code: Int32) {
        let attempts = Locked<[String: Int]>([:])
        let counting = counting { path, _ throws(System.Failure) in
            let attempt = attempts.withLock { attempts in
                attempts[path, default: 0] += 1
                return attempts[path, default: 0]
            }
            if path.hasSuffix("1.c"), attempt < 4 { throw System.Failure(code: code) }
            return Array("x\n".utf8)
        }
        let tally = tally(counting, batches(3, files: 3))
        expect(tally.all, is: Tally.Sum(files: 9, lines: Lines(code: 9)))
        #expect(tally.skipped.isEmpty)
        expect(attempts.withLock { $0.values.sorted() }, is: [1, 1, 1, 1, 1, 1, 4, 4, 4])
    }

    @Test("gives up after several attempts, skips the file, and counts the others")
    func givesUp() {
        let attempts = Locked(0)
        let counting = counting { path, _ throws(System.Failure) in
            guard path == "0-1.c" else { return Array("x\n".utf8) }
            attempts.withLock { $0 += 1 }
            throw System.Failure(code: EAGAIN)
        }
        let tally = tally(counting, batches(2, files: 3))
        expect(tally.all.files, is: 5)
        expect(tally.handled, is: 6)
        let reason = SkippedFile.Reason.unreadable("Resource temporarily unavailable")
        expect(tally.skippedInOrder, is: [SkippedFile(path: "0-1.c", reason: reason)])
        expect(attempts.withLock { $0 }, is: 4)
    }

    @Test("does not retry after a permanent failure")
    func permanent() {
        let attempts = Locked(0)
        let counting = counting { _, _ throws(System.Failure) in
            attempts.withLock { $0 += 1 }
            throw System.Failure(code: EACCES)
        }
        let skipped = tally(counting, batches(1)).skippedInOrder
        expect(skipped, is: [SkippedFile(path: "0-0.c", reason: .unreadable("Permission denied"))])
        expect(attempts.withLock { $0 }, is: 1)
    }

    // MARK: Disposing

    @Test("ends immediately on disposal, even while a file is being read, and keeps its results", .watched)
    func disposal() {
        let (reached, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let reads = Locked(0)
        let counting = counting(limit: 1) { path, _ in
            reads.withLock { $0 += 1 }
            if path == "2-0.c" {
                reached.signal()
                released.wait()
            }
            return Array("x\n".utf8)
        }
        let events = Locked<[Event<Int, Never>]>([])
        let work = counting.tallies(of: batches(9, files: 3)).map(\.all.files).start { event in
            events.withLock { $0.append(event) }
        }
        reached.wait()
        work.dispose()
        let seen = events.withLock { $0 }
        expect(seen, is: [.next(3), .next(6), .interrupted])
        released.signal()
        expect(reads.withLock { $0 }, is: 7, "nothing more is begun")
    }

    // MARK: Showing

    @Test(
        "draws a bar that fits the terminal",
        arguments: [
            (0, 0, 60, "[--------------------] 0 of 0 files, 0%"),
            (1, 4, 60, "[#####---------------] 1 of 4 files, 25%"),
            (4, 4, 60, "[####################] 4 of 4 files, 100%"), (1, 4, 20, "1 of 4 files, 25%"), (1, 4, 5, "1 of"),
            (1, 4, 0, ""), (0, 1, 60, "[--------------------] 0 of 1 file, 0%"),
        ])
    func bar(_ handled: Int, _ found: Int, _ columns: Int, _ expected: String) {
        expect(ProgressBar.text(handled: handled, found: found, columns: columns), is: expected)
    }
}
