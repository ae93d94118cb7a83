import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("mapAsync behind a pipe with a limit", .watched)
struct MapAsyncBackpressureTests {
    private let executor = HandDrivenExecutor()
    private let log = Log<String>()
    private let work = HeldWork()

    private func begin(
        capacity: Int, maxConcurrent: Int, ordered: Bool = true
    ) -> (input: Signal<Int, TestError>.Sender, disposable: (any Disposable)?) {
        let (signal, input) = Signal<Int, TestError>.pipe(capacity: capacity)
        let disposable = executor.within {
            signal.mapAsync(maxConcurrent: maxConcurrent, ordered: ordered) { [work] value async throws(TestError) in
                try await work.transform(value)
            }
            .observe { [log] in log.append($0.text) }
        }
        return (input, disposable)
    }

    /// Ends what runs, so that nothing of it stays.
    private func end(_ disposable: (any Disposable)?) {
        disposable?.dispose()
        executor.run()
        for value in work.values { work.finish(value) }
        executor.run()
    }

    @Test("has room for what may run and the capacity of the pipe", arguments: [false, true])
    func room(ordered: Bool) {
        let (input, disposable) = begin(capacity: 2, maxConcurrent: 3, ordered: ordered)
        expect((1...6).map(input.trySend), is: [true, true, true, true, true, false])
        executor.run()
        expect(work.values, is: [1, 2, 3])
        work.finish(1)
        executor.run()
        #expect(input.trySend(6))
        #expect(!input.trySend(7))
        expect(log.all, is: ["10"])
        end(disposable)
        #expect(!input.trySend(7), "nothing observes or retains the signal any more")
    }

    @Test("suspends a sender, and lets it go on when all that waits can run")
    func suspension() {
        let (input, disposable) = begin(capacity: 2, maxConcurrent: 1)
        let sent = Log<Int>()
        Task(executorPreference: executor) {
            for value in 1...6 {
                await input.send(value)
                sent.append(value)
            }
            input.sendCompleted()
        }
        executor.run()
        expect(sent.all, is: [1, 2, 3])
        work.finish(1)
        executor.run()
        expect(sent.all, is: [1, 2, 3])
        work.finish(2)
        executor.run()
        expect(sent.all, is: [1, 2, 3, 4, 5])
        for value in 3...6 {
            work.finish(value)
            executor.run()
        }
        expect(log.all, is: ["10", "20", "30", "40", "50", "60", "completed"])
        withExtendedLifetime(disposable) {}
    }

    @Test("counts results that wait for earlier ones")
    func results() {
        let (input, disposable) = begin(capacity: 1, maxConcurrent: 2)
        expect((1...4).map(input.trySend), is: [true, true, true, false])
        executor.run()
        for value in 2...3 {
            work.finish(value)
            executor.run()
        }
        #expect(!input.trySend(4), "2 and 3 wait for 1")
        work.finish(1)
        executor.run()
        expect(log.all, is: ["10", "20", "30"])
        expect((4...7).map(input.trySend), is: [true, true, true, false])
        end(disposable)
    }
}
