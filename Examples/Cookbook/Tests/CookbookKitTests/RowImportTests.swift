import CookbookKit
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

private struct DiskFull: Error {}

/// Rows that are there at once, each of which counts when it is read.
private struct Rows: AsyncSequence, Sendable {
    let count: Int
    let read = MutableProperty(0)

    struct AsyncIterator: AsyncIteratorProtocol {
        let rows: Rows
        var last = 0

        mutating func next() async throws(DiskFull) -> Int? { try await next(isolation: nil) }

        mutating func next(isolation: isolated (any Actor)?) async throws(DiskFull) -> Int? {
            guard last < rows.count else { return nil }
            last += 1
            rows.read.value = last
            return last
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rows: self) }
}

@Suite("An import of rows", .patient)
struct RowImportTests {
    private let scheduler = TestScheduler()
    private let batches = MutableProperty<[[Int]]>([])

    @Test("saves full batches, and reads no faster than they are saved")
    func backPressure() async throws {
        let rows = Rows(count: 1_000)
        let count = try await scheduler.run { () async throws in
            async let count = importRows(from: rows, size: 100, delay: .seconds(1), on: scheduler) {
                [scheduler, batches] (batch) async throws(DiskFull) in
                try? await Task.sleep(for: .seconds(60), clock: scheduler)
                batches.modify { $0.append(batch) }
            }
            for minute in 1...10 {
                await scheduler.advance(by: .seconds(59))
                // One batch is being saved, one waits, and one is being read.
                #expect(rows.read.value <= (minute + 2) * 100)
                await scheduler.advance(by: .seconds(1))
                #expect(batches.value.count == minute)
            }
            return try await count
        }
        #expect(count == 1_000)
        #expect(batches.value.allSatisfy { $0.count == 100 })
        #expect(Array(batches.value.joined()) == Array(1...1_000))
    }

    @Test("saves what has waited long enough")
    func delay() async {
        await scheduler.run {
            let (rows, input) = AsyncStream<Int>.makeStream()
            async let count = importRows(from: rows, size: 100, delay: .seconds(1), on: scheduler) { [batches] batch in
                batches.modify { $0.append(batch) }
            }
            input.yield(1)
            input.yield(2)
            await scheduler.advance(by: .milliseconds(999))
            #expect(batches.value == [])
            await scheduler.advance(by: .milliseconds(1))
            #expect(batches.value == [[1, 2]])
            input.yield(3)
            input.finish()
            await scheduler.advance()
            #expect(batches.value == [[1, 2], [3]])
            #expect(await count == 3)
        }
    }

    @Test("ends the source if a batch cannot be saved")
    func failure() async {
        let rows = Rows(count: 1_000)
        await scheduler.run {
            let task = Task(executorPreference: scheduler) {
                try await importRows(from: rows, size: 100, delay: .seconds(1), on: scheduler) {
                    (_) async throws(DiskFull) in
                    throw DiskFull()
                }
            }
            await scheduler.advance()
            await #expect(throws: DiskFull.self) { try await task.value }
            let read = rows.read.value
            await scheduler.advance(by: .seconds(60))
            #expect(rows.read.value == read)
            #expect(read <= 300)
        }
    }
}
