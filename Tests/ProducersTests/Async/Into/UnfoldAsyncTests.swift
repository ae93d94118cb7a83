import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("SignalProducer.unfold(async)", .watched)
struct UnfoldAsyncTests {
    private let executor = HandDrivenExecutor()
    private let log = Log<String>()
    private let calls = Log<Int>()

    private func pages(upTo last: Int) -> SignalProducer<String, Never> {
        .unfold(1) { [calls] page async in
            calls.append(page)
            await Task.yield()
            return page <= last ? ("page \(page)", page + 1) : nil
        }
    }

    @Test("sends the values until there is no further state, separately for each start")
    func values() {
        let producer = pages(upTo: 2)
        for _ in 1...2 {
            log.removeAll()
            executor.within { _ = producer.start { [log] in log.append($0.text) } }
            expect(log.all, is: [], "nothing comes before the task has begun")
            executor.run()
            expect(log.all, is: ["page 1", "page 2", "completed"])
        }
        expect(calls.all, is: [1, 2, 3, 1, 2, 3])
    }

    @Test("requests the next page once the previous one has been delivered")
    func onDemand() {
        executor.within {
            _ = pages(upTo: 2).start { [log, calls] in log.append("\($0.text), asked \(calls.count)") }
        }
        executor.run()
        expect(log.all, is: ["page 1, asked 1", "page 2, asked 2", "completed, asked 3"])
    }

    @Test("infers its error type, and sends the error that the function throws")
    func failure() {
        let producer = SignalProducer.unfold(0) { state async throws(TestError) in
            if state == 2 { throw TestError.second }
            return (state, state + 1)
        }
        #expect(type(of: producer) == Numbers.self)
        executor.within { _ = producer.start { [log] in log.append($0.text) } }
        executor.run()
        expect(log.all, is: ["0", "1", "error second"])
    }

    @Test("treats a CancellationError, and the end of a cancelled task, as an interruption")
    func cancellation() {
        executor.within {
            _ = SignalProducer<Int, any Error>.unfold(0, async: { _ in throw CancellationError() })
                .start { [log] in log.append($0.text) }
            _ = SignalProducer<Int, Never>.unfold(0) { _ async in
                withUnsafeCurrentTask { $0?.cancel() }
                return nil
            }.start { [log] in log.append($0.text) }
        }
        executor.run()
        expect(log.all, is: ["interrupted", "interrupted"])
    }

    @Test("is interrupted immediately on disposal, cancels the task, and drops its result")
    func disposal() {
        let errand = Errand()
        let disposable = executor.within {
            SignalProducer.unfold(0) { state async throws(TestError) in (try await errand.run(), state + 1) }
                .start { [log] in log.append($0.text) }
        }
        executor.run()
        disposable.dispose()
        expect(log.all, is: ["interrupted"])
        expect(errand.cancellations.value, is: 1)
        errand.finish(.success(1))
        executor.run()
        expect(log.all, is: ["interrupted"])
        expect(errand.calls.value, is: 1)
    }

    @Test("requests no more pages once downstream has ended, or after a disposal during a delivery")
    func downstream() {
        executor.within { _ = pages(upTo: .max - 1).take(first: 2).start { [log] in log.append($0.text) } }
        executor.run()
        expect(log.all, is: ["page 1", "page 2", "completed"])
        expect(calls.all, is: [1, 2])
        log.removeAll()
        let own = SerialDisposable()
        own.inner = executor.within {
            pages(upTo: .max - 1).start { [log] event in
                log.append(event.text)
                own.dispose()
            }
        }
        executor.run()
        expect(log.all, is: ["page 1", "interrupted"])
        expect(calls.all, is: [1, 2, 1])
    }

    @Test("does not call the function if disposed of before the task runs, and starts no task if before the start")
    func notBegun() {
        executor.within { pages(upTo: 2).start { [log] in log.append($0.text) } }.dispose()
        executor.run()
        expect(log.all, is: ["interrupted"])
        executor.within {
            pages(upTo: 2).startWithSignal { signal, interrupter in
                signal.observe { [log] in log.append($0.text) }
                interrupter.dispose()
            }
        }
        expect(executor.count, is: 0)
        expect(log.all, is: ["interrupted", "interrupted"])
        expect(calls.all, is: [])
    }

    @Test("holds nothing once it has ended")
    func releases() {
        let population = Population()
        let disposable = {
            let member = population.member()
            return executor.within {
                SignalProducer<Int, Never>.unfold(member) { member async in nil }.start { _ in member.touch() }
            }
        }()
        expect(population.alive, is: 1)
        executor.run()
        expect(population.alive, is: 0)
        withExtendedLifetime(disposable) {}
    }

    @Test("has the source's name") func name() { expect(pages(upTo: 1).name, is: "unfold") }
}
