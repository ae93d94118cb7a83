import CookbookKit
import ReactiveSignals
import ReactiveSignalsTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

private struct Trouble: Error, Equatable {}

@Suite("A worker", .patient)
struct WorkerTests {
    private let scheduler = TestScheduler()
    private let queue = JobQueue<Int>()
    private let end = Lifetime.Token()
    private var intake: Lifetime { Lifetime(end) }

    /// - Parameters:
    ///   - failures: How many attempts of each job fail.
    ///   - attempts: Receives the job and the time of each attempt.
    private func worker(
        failures: Int = 0, attempts: MutableProperty<[String]> = MutableProperty([]),
        report: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> Worker<Int, Trouble> {
        Worker(
            concurrency: 2, retry: .exponential(from: .seconds(1), upTo: 2), on: scheduler,
            take: { await queue.take() },
            perform: { (job) async throws(Trouble) in
                let number = attempts.modify { attempts in
                    attempts.append("\(job) at \(scheduler.now)")
                    return attempts.count { $0.hasPrefix("\(job) ") }
                }
                if number <= failures { throw Trouble() }
                try? await Task.sleep(for: .seconds(10), clock: scheduler)
            },
            report: { report($0.job) })
    }

    @Test("performs as many jobs at a time as it may")
    func concurrency() async {
        await scheduler.run {
            for job in 1...5 { queue.add(job) }
            let recorder = worker().outcomes(during: intake).record(on: scheduler)
            await scheduler.advance(by: .seconds(9))
            #expect(queue.waiting.value == [3, 4, 5])
            await scheduler.advance(by: .seconds(21))
            #expect(
                recorder.events.map(\.time.offset)
                    == [10, 10, 20, 20, 30].map { .seconds($0) })
            #expect(recorder.values.map(\.job) == [1, 2, 3, 4, 5])
        }
    }

    @Test("retries a job after growing delays, and reports success")
    func retry() async {
        await scheduler.run {
            let attempts = MutableProperty<[String]>([])
            queue.add(1)
            let recorder = worker(failures: 2, attempts: attempts)
                .outcomes(during: intake).record(on: scheduler)
            await scheduler.advance(by: .seconds(13))
            #expect(attempts.value == ["1 at 0.0 seconds", "1 at 1.0 seconds", "1 at 3.0 seconds"])
            #expect(recorder.values.map(\.failure) == [nil])
        }
    }

    @Test("reports a job that has used up its attempts, and continues with the next")
    func failure() async {
        await scheduler.run {
            queue.add(1)
            let recorder = worker(failures: 3).outcomes(during: intake).record(on: scheduler)
            await scheduler.advance(by: .seconds(3))
            queue.add(2)
            await scheduler.advance(by: .seconds(3))
            #expect(recorder.values.map(\.job) == [1, 2])
            #expect(recorder.values.map(\.failure) == [Trouble(), Trouble()])
            #expect(!recorder.hasTerminated)
        }
    }

    @Test("finishes what it has begun when it stops, with retries, and begins nothing new")
    func stop() async {
        await scheduler.run {
            for job in 1...4 { queue.add(job) }
            let recorder = worker(failures: 1).outcomes(during: intake).record(on: scheduler)
            await scheduler.advance()
            end.dispose()
            await scheduler.advance(by: .seconds(1))
            #expect(recorder.events.isEmpty)
            await scheduler.advance(by: .seconds(10))
            #expect(recorder.values.map(\.job) == [1, 2])
            #expect(recorder.values.map(\.failure) == [nil, nil])
            #expect(recorder.hasCompleted)
            #expect(queue.waiting.value == [3, 4])
        }
    }

    @Test("stops immediately while it waits for jobs")
    func stopIdle() async {
        await scheduler.run {
            let recorder = worker().outcomes(during: intake).record(on: scheduler)
            await scheduler.advance(by: .seconds(60))
            #expect(!recorder.hasTerminated)
            end.dispose()
            #expect(recorder.hasCompleted)
            await scheduler.advance()
            queue.add(1)
            await scheduler.advance(by: .seconds(60))
            #expect(queue.waiting.value == [1])
        }
    }

    @Test("is a service that a graceful shutdown stops")
    func service() async {
        await scheduler.run {
            let done = MutableProperty<[Int]>([])
            for job in 1...3 { queue.add(job) }
            let worker = worker { job in done.modify { $0.append(job) } }
            await testGracefulShutdown { trigger in
                async let running: Void = worker.run()
                await scheduler.advance(by: .seconds(5))
                trigger.triggerGracefulShutdown()
                await scheduler.advance(by: .seconds(5))
                await running
            }
            #expect(done.value == [1, 2])
            #expect(queue.waiting.value == [3])
        }
    }
}
