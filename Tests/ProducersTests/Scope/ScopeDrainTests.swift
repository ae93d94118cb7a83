import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("SignalScope.drain()", .watched)
struct ScopeDrainTests {
    @Test("interrupts what is started afterwards, and waits for what has begun")
    func drains() async {
        let log = Log<String>()
        let job = Trigger()
        await withSignalScope { scope in
            job.producer.flatMap(.concat) { SignalProducer<Int, Never>([$0, $0 + 1]) }
                .start(in: scope) { log.append("job \($0.text)") }
            async let drained: Void = scope.drain()
            let events = Log<String>()
            while events.all.last != "interrupted" {
                await Task.yield()
                SignalProducer<Int, Never>.empty.start(in: scope) { events.append($0.text) }
            }
            SignalProducer<Int, Never> { _, _ in log.append("begun") }
                .start(in: scope) { log.append("late \($0.text)") }
            job.input?.sendNext(1)
            job.input?.sendCompleted()
            await drained
            log.append("drained")
        }
        expect(log.all, is: ["late interrupted", "job 1", "job 2", "job completed", "drained"])
    }

    @Test("returns immediately if nothing runs, and throws the first error")
    func ends() async {
        await withSignalScope { scope in
            await scope.drain()
            await scope.drain()
            let log = Log<String>()
            SignalProducer<Int, Never>(value: 1).start(in: scope) { log.append($0.text) }
            expect(log.all, is: ["interrupted"])
            #expect(!scope.isCancelled)
        }
        await #expect(throws: TestError.second) {
            try await withSignalScope(throwing: TestError.self) { (scope) throws(TestError) in
                Numbers(error: .second).start(in: scope)
                try await scope.drain()
            }
        }
    }

    @Test("is over when everything has been cancelled")
    func cancelled() async {
        let log = Log<String>()
        await withSignalScope { scope in
            SignalProducer<Int, Never>.never.start(in: scope) { log.append($0.text) }
            let thread = TestThread("cancel") { scope.cancelAll() }
            await scope.drain()
            thread.join()
        }
        expect(log.all, is: ["interrupted"])
    }
}
