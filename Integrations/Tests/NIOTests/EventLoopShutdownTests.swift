import IntegrationsTestSupport
import NIOCore
import NIOPosix
import ReactiveSignals
import ReactiveSignalsNIO
import Testing

extension NIOTests {
    @Suite("A scheduler whose event loop has shut down")
    struct EventLoopShutdownTests {
        @Test("still runs actions, in order, one at a time, never inside schedule")
        func runs() async throws {
            let scheduler = try await withEventLoop { loop in EventLoopScheduler(loop) }
            let state = Unguarded()
            for number in 0..<1_000 {
                scheduler.schedule { state.add(number, from: 0) }
            }
            await withCheckedContinuation { done in _ = scheduler.schedule { done.resume() } }
            #expect(state.count == 1_000)
            #expect(state.mistakes == 0)
        }

        @Test("still ends the streams that use it")
        func streams() async throws {
            let scheduler = try await withEventLoop { loop in EventLoopScheduler(loop) }
            let values = await SignalProducer<Int, Never>(1...100).observe(on: scheduler).collectAll()
            #expect(values == Array(1...100))
            let delayed = await SignalProducer<Int, Never>(value: 1).delay(.milliseconds(1), on: scheduler).collectAll()
            #expect(delayed == [1])
            let ticks = SignalProducer<Int, Never>.interval(.milliseconds(1), on: scheduler).take(first: 3).count()
            #expect(await ticks.first() == 3)
        }

        @Test("still runs the timers that the event loop had")
        func timers() async throws {
            let log = MutableProperty<[Int]>([])
            let disposed = MutableProperty(0)
            try await withEventLoop { loop in
                let scheduler = EventLoopScheduler(loop)
                for number in [3, 1, 2] {
                    scheduler.schedule(after: .milliseconds(10 * number)) { log.modify { $0.append(number) } }
                }
                scheduler.schedule(after: .milliseconds(10)) { disposed.modify { $0 += 1 } }?.dispose()
                let repeated = SerialDisposable()
                repeated.inner = scheduler.schedule(after: .milliseconds(40), interval: .milliseconds(1)) {
                    if log.modify({ log in
                        log.append(4)
                        return log.count
                    }) == 6 {
                        repeated.dispose()
                    }
                }
            }
            #expect(await eventually { log.value == [1, 2, 3, 4, 4, 4] })
            #expect(disposed.value == 0)
        }

        @Test("loses and repeats nothing if the event loop shuts down while threads schedule", arguments: 0..<60)
        func race(round: Int) async throws {
            let state = Unguarded()
            let isStarted = MutableProperty(false)
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let scheduler = EventLoopScheduler(group.next())
            try await withThrowingTaskGroup { tasks in
                for thread in 0..<2 {
                    tasks.addTask {
                        for number in 0..<2_000 {
                            scheduler.schedule { state.add(number, from: thread) }
                            if number == round * 20 { isStarted.value = true }
                        }
                    }
                }
                tasks.addTask {
                    _ = await eventually { isStarted.value }
                    try await group.shutdownGracefully()
                }
                try await tasks.waitForAll()
            }
            await withCheckedContinuation { done in _ = scheduler.schedule { done.resume() } }
            #expect(state.count == 4_000)
            #expect(state.mistakes == 0)
        }

        @Test(
            "runs each timer once if the event loop shuts down while threads set and dispose of them", arguments: 0..<30
        )
        func timerRace(round: Int) async throws {
            let (runs, disposed) = (MutableProperty(0), MutableProperty(0))
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let scheduler = EventLoopScheduler(group.next())
            try await withThrowingTaskGroup { tasks in
                for _ in 0..<2 {
                    tasks.addTask {
                        for number in 0..<300 {
                            let timer = scheduler.schedule(after: .microseconds(number * 7)) { runs.modify { $0 += 1 } }
                            if number % 3 == 0 {
                                let wasPending = timer?.isDisposed == false
                                timer?.dispose()
                                if wasPending { disposed.modify { $0 += 1 } }
                            }
                        }
                    }
                }
                tasks.addTask {
                    for _ in 0..<round { await Task.yield() }
                    try await group.shutdownGracefully()
                }
                try await tasks.waitForAll()
            }
            // Each of the others has run, and each of those that were disposed of has run at most once.
            let limits = (600 - disposed.value)...600
            #expect(await eventually { limits.contains(runs.value) })
        }
    }
}
