import CookbookKit
import ReactiveSignals
import ReactiveSignalsTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

private struct DiskFull: Error, CustomStringConvertible {
    var description: String { "disk full" }
}

@Suite("A batch writer", .patient)
struct BatchWriterTests {
    private let scheduler = TestScheduler()
    private let batches = MutableProperty<[[Int]]>([])
    private let results = MutableProperty<[String]>([])
    private let isBroken = MutableProperty(false)

    /// A write takes a second.
    private func writer() -> BatchWriter<Int, DiskFull> {
        BatchWriter(capacity: 5, size: 3, delay: .milliseconds(100), on: scheduler) {
            [scheduler, batches, isBroken] (batch) async throws(DiskFull) in
            try? await Task.sleep(for: .seconds(1), clock: scheduler)
            if isBroken.value { throw DiskFull() }
            batches.modify { $0.append(batch) }
        }
    }

    private func save(_ rows: ClosedRange<Int>, in writer: BatchWriter<Int, DiskFull>) {
        for row in rows {
            Task(executorPreference: scheduler) { [results] in
                do throws(ActionError<DiskFull>) {
                    try await writer.save(row)
                    results.modify { $0.append("\(row)") }
                } catch {
                    results.modify { $0.append("\(row) \(error)") }
                }
            }
        }
    }

    @Test("writes rows by size and time, one batch after the other, and tells each caller")
    func batching() async {
        await scheduler.run {
            let writer = writer()
            save(1...4, in: writer)
            await scheduler.advance(by: .milliseconds(999))
            #expect(results.value == [])
            await scheduler.advance(by: .milliseconds(1))
            #expect(results.value == ["1", "2", "3"])
            await scheduler.advance(by: .seconds(1))
            #expect(results.value == ["1", "2", "3", "4"])
            #expect(batches.value == [[1, 2, 3], [4]])
        }
    }

    @Test("refuses rows while too many wait")
    func bound() async {
        await scheduler.run {
            let writer = writer()
            save(1...7, in: writer)
            await scheduler.advance()
            #expect(results.value == ["6 disabled", "7 disabled"])
            await scheduler.advance(by: .seconds(1))
            save(8...8, in: writer)
            await scheduler.advance(by: .seconds(5))
            #expect(batches.value.joined().sorted() == [1, 2, 3, 4, 5, 8])
        }
    }

    @Test("reports a failed batch to its callers, and continues")
    func failure() async {
        await scheduler.run {
            let writer = writer()
            isBroken.value = true
            save(1...3, in: writer)
            await scheduler.advance(by: .seconds(1))
            #expect(results.value == (1...3).map { "\($0) producerError(disk full)" })
            isBroken.value = false
            save(4...6, in: writer)
            await scheduler.advance(by: .seconds(1))
            #expect(batches.value == [[4, 5, 6]])
        }
    }

    @Test("leaves no caller waiting if a write is cancelled")
    func cancellation() async {
        await scheduler.run {
            let writer = BatchWriter<Int, any Error>(
                capacity: 5, size: 1, delay: .milliseconds(100), on: scheduler
            ) { [batches] batch in
                if batch == [1] { throw CancellationError() }
                batches.modify { $0.append(batch) }
            }
            for row in 1...2 {
                Task(executorPreference: scheduler) { [results] in
                    do {
                        try await writer.save(row)
                        results.modify { $0.append("\(row)") }
                    } catch {
                        results.modify { $0.append("\(row) \(error)") }
                    }
                }
            }
            await scheduler.advance(by: .seconds(1))
            #expect(results.value == ["1 disabled", "2"])
            #expect(batches.value == [[2]])
        }
    }

    @Test("writes what it has accepted when the process shuts down")
    func shutdown() async {
        await scheduler.run {
            let writer = writer()
            await testGracefulShutdown { trigger in
                async let running: Void = writer.run()
                save(1...4, in: writer)
                await scheduler.advance()
                trigger.triggerGracefulShutdown()
                await scheduler.advance(by: .seconds(5))
                await running
            }
            #expect(batches.value == [[1, 2, 3], [4]])
            save(5...5, in: writer)
            await scheduler.advance()
            #expect(results.value.last == "5 disabled")
        }
    }
}
