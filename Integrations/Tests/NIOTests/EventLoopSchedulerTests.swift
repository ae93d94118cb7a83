import IntegrationsTestSupport
import NIOCore
import NIOEmbedded
import NIOPosix
import ReactiveSignals
import ReactiveSignalsNIO
import ReactiveSignalsTesting
import Testing

enum Locals {
    @TaskLocal static var request = 0
    @TaskLocal static var user = "nobody"
}

extension NIOTests {
    @Suite("An event loop as a scheduler")
    struct EventLoopSchedulerTests {
        @Test("runs actions in order, one at a time, on the event loop")
        func order() async throws {
            try await withEventLoop { loop in
                let scheduler = EventLoopScheduler(loop)
                // Not atomic: guarded by the scheduler only.
                let state = Unguarded()
                await withTaskGroup { group in
                    for thread in 0..<2 {
                        group.addTask {
                            for number in 0..<5_000 {
                                scheduler.schedule {
                                    if !loop.inEventLoop { state.mistakes += 1 }
                                    state.add(number, from: thread)
                                }
                            }
                        }
                    }
                }
                await withCheckedContinuation { done in _ = scheduler.schedule { done.resume() } }
                #expect(state.mistakes == 0)
                #expect(state.count == 10_000)
            }
        }

        @Test("keeps the order of what a thread gives to it and to the event loop")
        func orderWithLoop() async throws {
            try await withEventLoop { loop in
                let scheduler = EventLoopScheduler(loop)
                let log = MutableProperty<[Int]>([])
                for number in 0..<100 {
                    if number.isMultiple(of: 2) {
                        scheduler.schedule { log.modify { $0.append(number) } }
                    } else {
                        loop.execute { log.modify { $0.append(number) } }
                    }
                }
                try await loop.submit {}.get()
                #expect(log.value == Array(0..<100))
            }
        }

        @Test("runs no action inside schedule, also on the event loop")
        func neverInPlace() {
            let loop = EmbeddedEventLoop()
            let scheduler = EventLoopScheduler(loop)
            let log = MutableProperty<[String]>([])
            scheduler.schedule {
                scheduler.schedule { log.modify { $0.append("inner") } }
                scheduler.schedule(after: .zero) { log.modify { $0.append("timer") } }
                log.modify { $0.append("outer") }
            }
            #expect(log.value.isEmpty)
            loop.run()
            #expect(log.value.first == "outer")
            #expect(log.value.sorted() == ["inner", "outer", "timer"])
        }

        @Test(
            "does not run an action that is disposed of before it starts, and releases it at once",
            arguments: [false, true])
        func disposes(isTimer: Bool) {
            let loop = EmbeddedEventLoop()
            let scheduler = EventLoopScheduler(loop)
            let runs = MutableProperty(0)
            let population = Population()
            func schedule() -> (any Disposable)? {
                let action: @Sendable () -> Void = { [token = population.token()] in
                    token.touch()
                    runs.modify { $0 += 1 }
                }
                return isTimer ? scheduler.schedule(after: .seconds(1), action) : scheduler.schedule(action)
            }
            let action = schedule()
            #expect(action?.isDisposed == false)
            action?.dispose()
            #expect(action?.isDisposed == true)
            #expect(population.alive == 0)
            loop.advanceTime(by: .seconds(2))
            #expect(runs.value == 0)
        }

        @Test("reports an action that has run as disposed of, and releases it", arguments: [false, true])
        func hasRun(isTimer: Bool) {
            let loop = EmbeddedEventLoop()
            let scheduler = EventLoopScheduler(loop)
            let population = Population()
            func schedule() -> (any Disposable)? {
                let action: @Sendable () -> Void = { [token = population.token()] in token.touch() }
                return isTimer ? scheduler.schedule(after: .seconds(1), action) : scheduler.schedule(action)
            }
            let action = schedule()
            loop.advanceTime(by: .seconds(1))
            #expect(action?.isDisposed == true)
            #expect(population.alive == 0)
        }

        @Test("runs an action after its delay, in the time of the event loop, and at once if it is negative")
        func delay() {
            let loop = EmbeddedEventLoop()
            let scheduler = EventLoopScheduler(loop)
            let start = scheduler.now
            let log = MutableProperty<[Duration]>([])
            for delay in [3, 1, -1, 0, 2] {
                scheduler.schedule(after: .seconds(delay)) {
                    log.modify { $0.append(start.duration(to: scheduler.now)) }
                }
            }
            loop.run()
            #expect(log.value == [.zero, .zero])
            loop.advanceTime(by: .seconds(3))
            #expect(log.value == [.zero, .zero, .seconds(1), .seconds(2), .seconds(3)])
        }

        @Test("repeats an action without drift, until it is disposed of")
        func interval() {
            let loop = EmbeddedEventLoop()
            let scheduler = EventLoopScheduler(loop)
            let start = scheduler.now
            let log = MutableProperty<[Duration]>([])
            let timer = scheduler.schedule(after: .seconds(1), interval: .seconds(2)) {
                log.modify { $0.append(start.duration(to: scheduler.now)) }
            }
            loop.advanceTime(by: .seconds(7))
            #expect(log.value == [.seconds(1), .seconds(3), .seconds(5), .seconds(7)])
            timer?.dispose()
            loop.advanceTime(by: .seconds(10))
            #expect(log.value.count == 4)
        }

        @Test("skips the runs that are missed because one took too long")
        func missed() async throws {
            try await withEventLoop { loop in
                let scheduler = EventLoopScheduler(loop)
                let start = scheduler.now
                let instants = MutableProperty<[Duration]>([])
                let interval = Duration.milliseconds(20)
                let timer = scheduler.schedule(after: .zero, interval: interval) {
                    instants.modify { $0.append(start.duration(to: scheduler.now)) }
                    // The event loop is busy for several intervals.
                    while start.duration(to: scheduler.now) < .milliseconds(70) {}
                }
                #expect(await eventually { instants.value.count >= 3 })
                timer?.dispose()
                // The runs of 20, 40 and 60 ms became one, and the next is at a multiple of the interval again.
                let found = instants.value
                #expect(found[1] >= .milliseconds(70))
                #expect(found[2] >= .milliseconds(80))
            }
        }

        @Test("an action can dispose of its own timer", arguments: [1, 3])
        func disposesItself(runs: Int) {
            let loop = EmbeddedEventLoop()
            let scheduler = EventLoopScheduler(loop)
            let timer = SerialDisposable()
            let count = MutableProperty(0)
            timer.inner = scheduler.schedule(after: .seconds(1), interval: .seconds(1)) {
                if count.modify({ count in
                    count += 1
                    return count
                }) == runs {
                    timer.dispose()
                }
            }
            loop.advanceTime(by: .seconds(10))
            #expect(count.value == runs)
        }

        @Test("takes delays beyond what the event loop can represent, and intervals below it")
        func extremes() async throws {
            try await withEventLoop { loop in
                let scheduler = EventLoopScheduler(loop)
                let runs = MutableProperty(0)
                let far = scheduler.schedule(after: .seconds(Int64.max / 2)) { runs.modify { $0 -= 1_000_000 } }
                let fast = scheduler.schedule(after: .zero, interval: .zero + .nanoseconds(1) / 10) {
                    runs.modify { $0 += 1 }
                }
                #expect(await eventually { runs.value > 3 })
                fast?.dispose()
                far?.dispose()
            }
        }

        @Test("a delay that another thread asks for begins when it asks")
        func delayFromOutside() async throws {
            try await withEventLoop { loop in
                let scheduler = EventLoopScheduler(loop)
                let waited = await withCheckedContinuation { continuation in
                    let start = ContinuousClock.now
                    // The event loop is busy when it is asked.
                    loop.execute { while ContinuousClock.now - start < .milliseconds(30) {} }
                    _ = scheduler.schedule(after: .milliseconds(10)) {
                        continuation.resume(returning: (ContinuousClock.now - start, loop.inEventLoop))
                    }
                }
                #expect(waited.0 >= .milliseconds(10))
                #expect(waited.1)
            }
        }

        @Test("an interval that is not positive is a mistake of the caller")
        func wrongInterval() async {
            await #expect(processExitsWith: .failure) {
                EventLoopScheduler(EmbeddedEventLoop()).schedule(after: .zero, interval: .zero) {}
            }
        }

        @Test("carries no task-locals but those that are named, with their values when schedule is called")
        func locals() async throws {
            try await withEventLoop { loop in
                let (plain, carrying) = (
                    EventLoopScheduler(loop), EventLoopScheduler(loop, propagating: Locals.$request)
                )
                let log = MutableProperty<[String]>([])
                let note: @Sendable () -> Void = { log.modify { $0.append("\(Locals.request) \(Locals.user)") } }
                Locals.$request.withValue(7) {
                    Locals.$user.withValue("ada") {
                        plain.schedule(note)
                        carrying.schedule(note)
                        carrying.schedule(after: .milliseconds(1), note)
                    }
                }
                #expect(await eventually { log.value.count == 3 })
                #expect(log.value == ["0 nobody", "7 nobody", "7 nobody"])
            }
        }

        @Test("carries several task-locals")
        func severalLocals() {
            let loop = EmbeddedEventLoop()
            let scheduler = EventLoopScheduler(loop, propagating: Locals.$request, Locals.$user)
            let log = MutableProperty<[String]>([])
            Locals.$request.withValue(7) {
                Locals.$user.withValue("ada") {
                    _ = scheduler.schedule { log.modify { $0.append("\(Locals.request) \(Locals.user)") } }
                }
            }
            loop.run()
            #expect(log.value == ["7 ada"])
        }

        @Test("keeps the contract of operators that run on it")
        func contract() async throws {
            try await withEventLoop { loop in
                try OperatorContract(
                    ofProducers: "observe(on:)", OperatorTraits(isTransparent: true, isAsynchronous: true)
                ) { source, _ in source.observe(on: EventLoopScheduler(loop)) }.check(rounds: 20, depth: 1_000)
                try OperatorContract(
                    ofSignals: "observe(on:)", OperatorTraits(isTransparent: true, isAsynchronous: true)
                ) { source, _ in source.observe(on: EventLoopScheduler(loop)) }.check(rounds: 20, depth: 1_000)
            }
        }

        @Test("drives the operators of time on the virtual time of an event loop")
        func operators() {
            let loop = EmbeddedEventLoop()
            let scheduler = EventLoopScheduler(loop)
            let (letters, input) = Signal<String, Never>.pipe()
            let debounced = letters.producer.debounce(.seconds(1), on: scheduler).record()
            let ticks = SignalProducer.timer(after: .seconds(2), on: scheduler).map { _ in "tick" }.record()
            input.sendNext("a")
            loop.advanceTime(by: .milliseconds(500))
            input.sendNext("b")
            loop.advanceTime(by: .milliseconds(999))
            #expect(debounced.values.isEmpty)
            loop.advanceTime(by: .milliseconds(501))
            #expect(debounced.values == ["b"])
            #expect(ticks.values == ["tick"])
            input.sendCompleted()
            loop.run()
            #expect(debounced.hasCompleted)
        }
    }
}

/// State that only a serial scheduler guards: a sanitizer, or the numbers, show if it does not.
final class Unguarded: @unchecked Sendable {
    // Sendable: see above.
    var count = 0
    var mistakes = 0
    private var next = [0, 0]

    /// Adds one of the numbers that a thread counts up.
    func add(_ number: Int, from thread: Int) {
        if next[thread] != number { mistakes += 1 }
        next[thread] = number + 1
        count += 1
    }
}
