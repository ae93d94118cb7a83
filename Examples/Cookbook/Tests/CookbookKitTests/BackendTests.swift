import CookbookKit
import HTTPTypes
import Hummingbird
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

private enum Trouble: Error {
    case refused, timedOut
}

@Suite("Load shedding", .patient)
struct BackendTests {
    private let scheduler = TestScheduler()
    private let calls = MutableProperty<[String]>([])
    private let isBroken = MutableProperty(false)
    /// How long a call takes.
    private let time = MutableProperty(Duration.seconds(1))

    /// Two calls at a time, and two that wait. The breaker opens after two failures.
    private func backend() -> Backend<String, String, Trouble, TestScheduler> {
        var limits = Backend<String, String, Trouble, TestScheduler>.Limits()
        limits.running = 2
        limits.waiting = 2
        limits.timeout = .seconds(4)
        limits.failures = 2
        limits.pause = .seconds(10)
        return Backend(limits, on: scheduler, timedOut: .timedOut) {
            [scheduler, calls, isBroken, time] (query) async throws(Trouble) in
            calls.modify { $0.append(query) }
            try? await Task.sleep(for: time.value, clock: scheduler)
            if isBroken.value { throw .refused }
            return query.uppercased()
        }
    }

    /// Answers, and the status and `Retry-After` of refusals, with their times.
    private func send(
        _ queries: [String], to backend: Backend<String, String, Trouble, TestScheduler>
    ) -> TestObserver<String, Never> {
        SignalProducer(queries).flatMap(.merge) { query in
            backend.answer(to: query).flatMapError { refusal in
                let response = refusal.response
                return SignalProducer(
                    value: "\(query) \(response.status.code) \(response.headers[.retryAfter] ?? "")")
            }
        }.record(on: scheduler)
    }

    @Test("runs a few calls, lets a few wait, and refuses the rest immediately")
    func queue() async {
        await scheduler.run {
            let answers = send(["a", "b", "c", "d", "e"], to: backend())
            await scheduler.advance(by: .milliseconds(999))
            #expect(answers.values == ["e 503 1"])
            #expect(calls.value == ["a", "b"])
            await scheduler.advance(by: .seconds(2))
            #expect(answers.values == ["e 503 1", "A", "B", "C", "D"])
        }
    }

    @Test("does not make a call whose start has been disposed of")
    func disposal() async {
        await scheduler.run {
            let backend = backend()
            let answers = send(["a", "b", "c"], to: backend)
            let start = backend.answer(to: "d").start()
            await scheduler.advance()
            start.dispose()
            // Its place in the queue is free again.
            let later = send(["e"], to: backend)
            await scheduler.advance(by: .seconds(5))
            #expect(answers.values == ["A", "B", "C"])
            #expect(later.values == ["E"])
            #expect(calls.value == ["a", "b", "c", "e"])
        }
    }

    @Test("makes no calls while the breaker is open, and says when it tries again")
    func breaker() async {
        await scheduler.run {
            let backend = backend()
            isBroken.value = true
            let failed = send(["a", "b"], to: backend)
            await scheduler.advance(by: .seconds(1))
            #expect(failed.values == ["a 502 ", "b 502 "])
            #expect(backend.health.status.value != .passing)
            await scheduler.advance(by: .milliseconds(2_500))
            #expect(send(["c"], to: backend).values == ["c 503 8"])
            #expect(calls.value == ["a", "b"])
            isBroken.value = false
            await scheduler.advance(by: .seconds(8))
            let recovered = send(["d"], to: backend)
            await scheduler.advance(by: .seconds(1))
            #expect(recovered.values == ["D"])
            #expect(backend.health.status.value == .passing)
        }
    }

    @Test("counts a call that hangs as a failure")
    func timeout() async {
        await scheduler.run {
            let backend = backend()
            time.value = .seconds(100)
            let answers = send(["a", "b"], to: backend)
            await scheduler.advance(by: .seconds(4))
            #expect(answers.values == ["a 502 ", "b 502 "])
            #expect(send(["c"], to: backend).values == ["c 503 10"])
        }
    }

    @Test("keeps the latest lines of a log that is written too slowly")
    func log() {
        let written = MutableProperty<[String]>([])
        let log = AccessLog(capacity: 2, on: scheduler) { line in written.modify { $0.append(line) } }
        for line in ["a", "b", "c", "d"] { log.add(line) }
        #expect(written.value == [])
        scheduler.advance()
        #expect(written.value == ["c", "d"])
    }
}
