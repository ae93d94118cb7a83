import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("startAwaitable(_:)", .watched, .offThePool)
struct AwaitableStartTests {
    private let log = Log<String>()

    /// A task that disposes of a start, and logs when its work has ended.
    private func disposal(of start: AwaitableStart) -> Task<Void, Never> {
        Task(executorPreference: DispatchExecutor.current) { [log] in
            await start.disposeAndWait()
            log.append("ended")
        }
    }

    @Test("waits for a task that goes on after its cancellation")
    func task() async {
        let (hasBegun, wasCancelled, mayEnd) = (Signalled(), Signalled(), Signalled())
        let start = SignalProducer<Int, Never>.async { [log] in
            await withTaskCancellationHandler {
                hasBegun.raise()
                await mayEnd.wait()
                log.append("closed")
            } onCancel: {
                wasCancelled.raise()
            }
            return 1
        }.startAwaitable { [log] in log.append($0.text) }
        await hasBegun.wait()
        #expect(!start.isDisposed)
        let disposal = disposal(of: start)
        await wasCancelled.wait()
        #expect(start.isDisposed)
        settle()
        expect(log.all, is: ["interrupted"])
        // Does not end the wait.
        disposal.cancel()
        settle()
        expect(log.all, is: ["interrupted"])
        mayEnd.raise()
        await disposal.value
        expect(log.all, is: ["interrupted", "closed", "ended"])
    }

    @Test("waits for the tasks of inner streams, and for what lifetimes were given")
    func inner() async {
        let mayEnd = Signalled()
        let (begun, ended) = (Counter(), Counter())
        let producer = SignalProducer<Int, Never>([1, 2, 3]).flatMap(.merge) { number in
            SignalProducer<Int, Never>.async {
                begun.increment()
                await mayEnd.wait()
                ended.increment()
                return number
            }
        }
        let slow = SignalProducer<Int, Never> { [log] observer, lifetime in
            lifetime.observeEnded { withExtendedLifetime(observer) { log.append("released") } }
        }
        let start = producer.merge(with: slow).startAwaitable { [log] in log.append($0.text) }
        #expect(await eventually { begun.value == 3 })
        let disposal = disposal(of: start)
        #expect(await eventually { log.all == ["interrupted", "released"] || log.all == ["released", "interrupted"] })
        expect(ended.value, is: 0)
        mayEnd.raise()
        await disposal.value
        expect(ended.value, is: 3)
        expect(log.all.last, is: "ended")
    }

    @Test("waits for a scheduler that delivers the interruption")
    func scheduler() async {
        let scheduler = TestScheduler()
        let start = SignalProducer<Int, Never>.never.observe(on: scheduler)
            .startAwaitable { [log] in log.append($0.text) }
        // Returns when the interruption has been scheduled. `isDisposed` is true before that.
        start.dispose()
        #expect(start.isDisposed)
        let disposal = disposal(of: start)
        settle()
        expect(log.all, is: [])
        await scheduler.advance()
        await disposal.value
        expect(log.all, is: ["interrupted", "ended"])
    }

    @Test("waits for work that ends by itself, and not for what has ended")
    func ended() async {
        let mayEnd = Signalled()
        let start = SignalProducer<Int, Never>.async {
            await mayEnd.wait()
            return 1
        }.startAwaitable { [log] in log.append($0.text) }
        mayEnd.raise()
        await start.wait()
        expect(log.all, is: ["1", "completed"])
        await start.disposeAndWait()
        await Numbers(error: .first).startAwaitable { [log] in log.append($0.text) }.disposeAndWait()
        expect(log.all, is: ["1", "completed", "error first"])
    }

    @Test("does not wait for what the observer starts")
    func outside() async {
        let mayEnd = Signalled()
        let other = Log<Int>()
        let start = SignalProducer<Int, Never>([1]).startAwaitable { event in
            guard case .next = event else { return }
            SignalProducer<Int, Never>.async {
                await mayEnd.wait()
                return 2
            }.startWithNext { other.append($0) }
        }
        await start.disposeAndWait()
        expect(other.all, is: [])
        mayEnd.raise()
        #expect(await eventually { other.all == [2] })
    }

    @Test("a scope in whose work it is started waits for it, too")
    func scope() async {
        let mayEnd = Signalled()
        let done = Counter()
        let scope = Task(executorPreference: DispatchExecutor.current) { [log] in
            await withSignalScope { scope in
                _ = SignalProducer<Int, Never> { observer, _ in
                    SignalProducer<Int, Never>.async {
                        await mayEnd.wait()
                        done.increment()
                        return 1
                    }.startAwaitable { _ in }
                    observer.sendCompleted()
                }.start(in: scope) { log.append($0.text) }
            }
            log.append("scope ended")
        }
        #expect(await eventually { log.all == ["completed"] })
        settle()
        expect(log.all, is: ["completed"])
        mayEnd.raise()
        await scope.value
        expect(log.all, is: ["completed", "scope ended"])
        expect(done.value, is: 1)
    }

    @Test("returns after all tasks of a start that several threads dispose of", arguments: 0..<2)
    func races(waitsFirst: Int) async {
        for _ in 0..<raceRounds {
            let running = Counter()
            let ended = Counter()
            let start = SignalProducer<Int, Never>([1, 2, 3]).flatMap(.concurrent(limit: 2)) { number in
                SignalProducer<Int, Never>.async {
                    running.increment()
                    await Task.yield()
                    ended.increment()
                    return number
                }
            }.startAwaitable { _ in }
            let waiting = Task(executorPreference: DispatchExecutor.current) {
                if waitsFirst == 1 { await start.wait() } else { await start.disposeAndWait() }
                return running.value == ended.value
            }
            if waitsFirst == 1 { start.dispose() }
            await start.wait()
            expect(running.value, is: ended.value)
            #expect(await waiting.value)
        }
    }
}

/// Something that tasks wait for.
private final class Signalled: Sendable {
    private struct State {
        var isRaised = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func raise() {
        let waiting = state.withLock { state in
            state.isRaised = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isRaised = state.withLock { state in
                if !state.isRaised { state.waiting.append(continuation) }
                return state.isRaised
            }
            if isRaised { continuation.resume() }
        }
    }
}
