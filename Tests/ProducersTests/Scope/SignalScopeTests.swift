import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// An error type different from that of the streams.
private struct Other: Error {}

extension SignalProducer {
    /// A producer with a resource whose release ends when nothing else is left to do: what does not wait for it comes
    /// before it.
    fileprivate static func slowlyReleased(
        _ log: Log<String>, _ producer: @escaping @Sendable () -> SignalProducer
    ) -> SignalProducer {
        using(
            resource: { () throws(Failure) in () },
            release: { _ async in
                TestSupport.settle()
                log.append("released")
            },
            producer: { _ in producer() })
    }
}

@Suite("withSignalScope", .watched, .offThePool)
struct SignalScopeTests {
    private typealias Endless = SignalProducer<Int, Never>

    // MARK: The end of the body

    @Test("returns the body's result, after it has disposed of its members in reverse order")
    func returns() async {
        let log = Log<String>()
        let result = await withSignalScope(throwing: Never.self) { scope in
            Endless.never.on(disposed: { log.append("first disposed") })
                .start(in: scope) { log.append("first \($0.text)") }
            scope += { log.append("added") }
            let (signal, input) = Signal<Int, Never>.pipe()
            signal.observe(in: scope) { log.append("signal \($0.text)") }
            input.sendNext(1)
            Endless(value: 2).startWithNext(in: scope) { log.append("value \($0)") }
            #expect(!scope.isCancelled)
            log.append("body")
            return withExtendedLifetime(input) { 42 }
        }
        expect(result, is: 42)
        expect(
            log.all,
            is: [
                "signal 1", "value 2", "body", "signal interrupted", "added", "first interrupted", "first disposed",
            ])
    }

    @Test("waits in the body for all members, on whatever thread they end")
    func waitsForAll() async {
        let log = Log<String>()
        await withSignalScope(throwing: Never.self) { scope in
            for number in 1...3 {
                Endless(value: number).start(on: QueueScheduler()).start(in: scope) { event in
                    if case .completed = event { log.append("ended") }
                }
            }
            await scope.waitForAll()
            expect(log.count, is: 3)
            #expect(!scope.isCancelled)
            await scope.waitForAll()
        }
    }

    @Test("allows a single member to be disposed of")
    func alone() async {
        let log = Log<String>()
        await withSignalScope(throwing: Never.self) { scope in
            let disposable = Endless.never.start(in: scope) { log.append($0.text) }
            disposable.dispose()
            expect(log.all, is: ["interrupted"])
            await scope.waitForAll()
            #expect(!scope.isCancelled)
        }
        expect(log.count, is: 1)
    }

    @Test("interrupts work started after the end, and disposes of disposables added then")
    func afterwards() async {
        let log = Log<String>()
        let starts = Counter()
        let scope = await withSignalScope(throwing: Never.self) { $0 }
        #expect(scope.isCancelled)
        let producer = Endless.never.on(starting: { starts.increment() })
        producer.start(in: scope) { log.append($0.text) }
        Signal<Int, Never>.never.observe(in: scope) { log.append($0.text) }
        scope += { log.append("added") }
        expect(log.all, is: ["interrupted", "interrupted", "added"])
        expect(starts.value, is: 0)
    }

    @Test("runs the body in the caller's isolation")
    func isolated() async {
        actor Owner {
            var state = 0

            func work() async -> Int {
                await withSignalScope(throwing: Never.self) { scope in
                    state += 1
                    Endless(value: 1).start(in: scope)
                    await scope.waitForAll()
                    state += 1
                }
                return state
            }
        }
        #expect(await Owner().work() == 2)
    }

    // MARK: Errors

    @Test("throws the first error of a member, disposes of the others, and starts nothing more")
    func fails() async {
        let log = Log<String>()
        let (signal, input) = Signal<Int, TestError>.pipe()
        await #expect(throws: TestError.second) {
            try await withSignalScope { scope in
                Numbers.never.start(in: scope) { log.append("rest \($0.text)") }
                signal.observe(in: scope) { log.append("signal \($0.text)") }
                input.sendError(.second)
                #expect(scope.isCancelled)
                Numbers(error: .first).start(in: scope) { log.append("late \($0.text)") }
                log.append("body goes on")
            }
        }
        expect(log.all, is: ["signal error second", "rest interrupted", "late interrupted", "body goes on"])
    }

    @Test("requires no `try` if nothing in the scope can fail")
    func infallible() async {
        let log = Log<String>()
        let result = await withSignalScope { scope in
            SignalProducer<Int, Never>([1, 2]).startWithNext(in: scope) { log.append("\($0)") }
            return "over"
        }
        expect(result, is: "over")
        expect(log.all, is: ["1", "2"])
    }

    @Test("throws the first error even if its observer causes another one")
    func failsInside() async {
        let (signal, input) = Signal<Int, TestError>.pipe()
        await #expect(throws: TestError.first) {
            try await withSignalScope { scope in
                signal.observe(in: scope) { _ in }
                Numbers(error: .first).start(in: scope) { _ in input.sendError(.second) }
            }
        }
    }

    @Test("throws the error where the body waits for all, once the other members have ended")
    func failsWaiting() async {
        let log = Log<String>()
        do throws(TestError) {
            try await withSignalScope(throwing: TestError.self) { (scope) throws(TestError) in
                Numbers.slowlyReleased(log) { .never }.start(in: scope)
                Endless.never.startWithNext(in: scope) { _ in }
                Numbers(error: .first).start(on: QueueScheduler()).startWithNext(in: scope) { _ in }
                do throws(TestError) {
                    try await scope.waitForAll()
                } catch {
                    expect(log.all, is: ["released"])
                    throw error
                }
                Issue.record("nothing was thrown")
            }
        } catch {
            expect(error, is: .first)
        }
        expect(log.all, is: ["released"])
    }

    @Test("throws the error of the body in preference to a member's, and disposes of everything")
    func throwsInBody() async {
        let log = Log<String>()
        await #expect(throws: Other.self) {
            try await withSignalScope { scope in
                Endless.never.start(in: scope) { log.append($0.text) }
                Numbers(error: .first).start(in: scope)
                throw Other()
            }
        }
        expect(log.all, is: ["interrupted"])
        await #expect(throws: Other.self) {
            try await withSignalScope { scope in
                Numbers.slowlyReleased(log) { .never }.start(in: scope)
                throw Other()
            }
        }
        expect(log.all, is: ["interrupted", "released"])
    }

    // MARK: Cancellation

    @Test("on cancellation of the task disposes of everything, and notifies the body")
    func cancellation() async {
        let log = Log<String>()
        let begun = TaskCounter()
        begun.enter()
        let task = Task(executorPreference: DispatchExecutor.current) {
            await withSignalScope(throwing: Never.self) { scope in
                Endless.never.start(in: scope) { log.append($0.text) }
                Endless.slowlyReleased(log) { .never }.start(in: scope)
                begun.leave()
                await scope.waitForAll()
                #expect(Task.isCancelled && scope.isCancelled)
                log.append("body")
            }
            log.append("left")
        }
        await begun.waitUntilEmpty()
        task.cancel()
        await task.value
        expect(log.all, is: ["interrupted", "released", "body", "left"])
    }

    @Test("starts nothing in a task that is already cancelled")
    func cancelledBefore() async {
        let log = Log<String>()
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await withSignalScope(throwing: Never.self) { scope in
                Endless(value: 1).start(in: scope) { log.append($0.text) }
                await scope.waitForAll()
            }
        }.value
        expect(log.all, is: ["interrupted"])
    }

    @Test("can be cancelled by a member's observer")
    func cancelAll() async {
        let log = Log<String>()
        await withSignalScope(throwing: Never.self) { scope in
            Endless.never.start(in: scope) { log.append($0.text) }
            Endless(value: 1).startWithNext(in: scope) { _ in scope.cancelAll() }
            expect(log.all, is: ["interrupted"])
            await scope.waitForAll()
        }
    }

    // MARK: What counts

    @Test("a nested scope ends before the outer body continues, and fails separately")
    func nested() async {
        let log = Log<String>()
        await withSignalScope { outer in
            Endless.never.start(in: outer) { log.append("outer \($0.text)") }
            await #expect(throws: TestError.first) {
                try await withSignalScope { inner in
                    Endless.never.start(in: inner) { log.append("inner \($0.text)") }
                    Endless.never.start(in: outer) { log.append("second outer \($0.text)") }
                    Endless.slowlyReleased(log) { .never }.start(in: inner)
                    Numbers(error: .first).start(in: inner)
                }
            }
            // The release runs in a separate task.
            expect(Set(log.all), is: ["inner interrupted", "released"])
            #expect(!outer.isCancelled)
        }
        expect(Array(log.all.dropFirst(2)), is: ["second outer interrupted", "outer interrupted"])
    }

    @Test("on cancellation of the outer task ends nested scopes from the inside out")
    func nestedCancellation() async {
        let log = Log<String>()
        let begun = TaskCounter()
        begun.enter()
        let task = Task(executorPreference: DispatchExecutor.current) {
            await withSignalScope(throwing: Never.self) { outer in
                Endless.never.start(in: outer)
                await withSignalScope(throwing: Never.self) { inner in
                    Endless.slowlyReleased(log) { .never }.start(in: inner)
                    begun.leave()
                    await inner.waitForAll()
                }
                log.append("inner")
            }
            log.append("outer")
        }
        await begun.waitUntilEmpty()
        task.cancel()
        await task.value
        expect(log.all, is: ["released", "inner", "outer"])
    }

    @Test("waits for the async code of work that started later, on another thread", arguments: Later.all)
    private func later(_ later: Later) async {
        let log = Log<String>()
        let scheduler = QueueScheduler()
        let tick = Numbers(value: 0).start(on: scheduler)
        // Completes, which releases its resource in a task.
        let work = Numbers.slowlyReleased(log) { tick.map { _ in log.append("works") }.mapReplace(1) }
        try? await withSignalScope { scope in
            later.apply(tick, work, scheduler).start(in: scope)
            try? await scope.waitForAll()
            log.append("waited")
        }
        expect(log.all, is: ["works", "released", "waited"])
    }

    /// A way in which work starts after other work.
    private struct Later: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Combines a producer that sends a value on the scheduler with the work.
        let apply: @Sendable (Numbers, Numbers, QueueScheduler) -> Numbers

        static let all: [Later] = [
            Later(testDescription: "concat") { tick, work, _ in tick.concat(work) },
            Later(testDescription: "then") { tick, work, _ in tick.then(work) },
            Later(testDescription: "flatMapError") { tick, work, _ in
                tick.attempt { _ throws(TestError) in throw .first }.flatMapError { _ in work }
            },
            Later(testDescription: "flatMap(.concat)") { tick, work, _ in tick.flatMap(.concat) { _ in work } },
            Later(testDescription: "flatMap(.merge)") { tick, work, _ in tick.flatMap(.merge) { _ in work } },
            Later(testDescription: "flatMap(.latest)") { tick, work, _ in tick.flatMap(.latest) { _ in work } },
            Later(testDescription: "repeat") { tick, work, _ in
                let rounds = Counter()
                return tick.then { rounds.increment() == 1 ? Numbers.empty : work }.repeat(2)
            },
            Later(testDescription: "retry") { _, work, scheduler in
                let attempts = Counter()
                return Numbers.deferred { attempts.increment() == 1 ? Numbers(error: .first) : work }
                    .retry(upTo: 1, interval: .milliseconds(1), on: scheduler)
            },
            Later(testDescription: "start(on:)") { _, work, scheduler in work.start(on: scheduler) },
            Later(testDescription: "pulling") { tick, work, _ in
                let elements = AsyncStream { continuation in
                    continuation.yield(1)
                    continuation.finish()
                }
                return tick.then { SignalProducer(pulling: elements, maxConcurrent: 2) { _ in work } }
            },
            Later(testDescription: "observe(on:)") { _, work, scheduler in work.observe(on: scheduler) },
            Later(testDescription: "flatMap of a signal") { tick, work, _ in
                tick.lift { $0.flatMap(.merge) { _ in work } }
            },
        ]
    }

    @Test("does not own what a member's observer starts outside the scope")
    func fireAndForget() async {
        let log = Log<String>()
        let disposables = Log<any Disposable>()
        await withSignalScope(throwing: Never.self) { scope in
            Endless(value: 1).startWithNext(in: scope) { _ in
                // Runs during the member's start, and so in its task context.
                disposables.append(Endless(value: 0).concat(.never).start { log.append($0.text) })
            }
            await scope.waitForAll()
        }
        expect(log.all, is: ["0"])
        for disposable in disposables.all { disposable.dispose() }
    }

    @Test("does not wait for other streams' work that a member triggers")
    func others() async {
        let (log, door) = (Log<String>(), AsyncStream.makeStream(of: Void.self))
        let (signal, input) = Signal<Int, Never>.pipe()
        let others = signal.flatMap(.latest) { number in
            SignalProducer<Int, Never>.async {
                for await _ in door.stream {}
                return number
            }
        }
        var iterator = others.values(buffering: .unbounded).makeAsyncIterator()
        await withSignalScope(throwing: Never.self) { scope in
            SignalProducer<Int, Never>.async {
                input.sendNext(1)
                return 0
            }.start(in: scope) { _ in }
            await scope.waitForAll()
        }
        log.append("the scope has ended")
        door.continuation.finish()
        let value = await iterator.next()
        expect(value, is: 1)
        expect(log.all, is: ["the scope has ended"])
    }

    @Test(
        "does not wait for other streams' work that a member triggers during its start",
        arguments: ["flatMap", "mapAsync", "observeNextIsolated"])
    func othersInPlace(kind: String) async {
        let door = AsyncStream.makeStream(of: Void.self)
        let (signal, input) = Signal<Int, Never>.pipe()
        let (hasBegun, hasEnded) = (TaskCounter(), TaskCounter())
        for counter in [hasBegun, hasEnded] { counter.enter() }
        let wait = { @Sendable (number: Int) async -> Int in
            hasBegun.leave()
            for await _ in door.stream {}
            return number
        }
        switch kind {
        case "flatMap":
            signal.flatMap(.merge) { number in Endless.async { await wait(number) } }
                .observeNext { _ in hasEnded.leave() }
        case "mapAsync": signal.mapAsync(maxConcurrent: 1) { await wait($0) }.observeNext { _ in hasEnded.leave() }
        default:
            signal.observeNextIsolated { @MainActor number in
                Endless.async { await wait(number) }.startWithNext { _ in hasEnded.leave() }
            }
        }
        await withSignalScope(throwing: Never.self) { scope in
            Endless(value: 1).on(next: { input.sendNext($0) }).start(in: scope)
            // If the scope counts this work at all, it has done so by now.
            await hasBegun.waitUntilEmpty()
            await scope.waitForAll()
        }
        door.continuation.finish()
        await hasEnded.waitUntilEmpty()
        withExtendedLifetime(input) {}
    }

    @Test("runs its tasks, and those that observers start, in the task context of the scope")
    func executor() async {
        let executor = HandDrivenExecutor()
        let log = Log<Int>()
        await LibraryTask.$context.withValue(TaskContext(executor: executor)) {
            await withSignalScope(throwing: Never.self) { scope in
                Endless.async { 1 }.start(in: scope) { event in
                    if event.value != nil { Endless.async { 2 }.startWithNext { log.append($0) } }
                }
                expect(executor.count, is: 1)
                executor.runOne()
                expect(executor.count, is: 1)
                executor.run()
                // The same if the event arrives during the start.
                Endless(value: 1).startWithNext(in: scope) { _ in
                    Endless.async { 3 }.startWithNext { log.append($0) }
                }
                expect(executor.count, is: 1)
                executor.run()
            }
        }
        expect(log.all, is: [2, 3])
    }

    @Test("releases members that have ended while the scope continues")
    func forgets() async {
        await withSignalScope(throwing: Never.self) { scope in
            weak var start: Start?
            do {
                let disposable = Endless.empty.concat(.empty).start(in: scope)
                start = disposable as? Start
                #expect(start != nil)
            }
            #expect(start == nil)
        }
    }

    @Test("leaves shared work running for other starts")
    func shared() async {
        let log = Log<String>()
        let (signal, input) = Signal<Int, Never>.pipe()
        let shared = Endless.empty.concat(Endless(signal)).replayLazily(upTo: 1)
        await withSignalScope(throwing: Never.self) { scope in
            shared.start(in: scope) { log.append("member \($0.text)") }
            input.sendNext(1)
        }
        let disposable = shared.start { log.append("other \($0.text)") }
        input.sendNext(2)
        expect(log.all, is: ["member 1", "member interrupted", "other 1", "other 2"])
        disposable.dispose()
    }

    @Test("throws `any Error` of a member")
    func anyError() async {
        await #expect(throws: TestError.first) {
            try await withSignalScope { scope in
                SignalProducer<Int, any Error>(error: TestError.first).start(in: scope)
                SignalProducer<Int, any Error>(value: 1).startWithNext(in: scope) { _ in }
                Signal<Int, Never>.never.observeNext(in: scope) { _ in }
            }
        }
    }

    @Test("releases members that have ended and members that it has disposed of")
    func releases() async {
        let population = Population()
        await withSignalScope(throwing: Never.self) { scope in
            for _ in 0..<3 {
                let member = population.member()
                Endless(value: 1).start(on: QueueScheduler()).start(in: scope) { _ in member.touch() }
            }
            await scope.waitForAll()
            // A thread that has delivered an end may still be about to release what it called.
            #expect(await eventually { population.alive == 0 })
            let member = population.member()
            Endless.never.start(in: scope) { _ in member.touch() }
            scope += { member.touch() }
        }
        expect(population.alive, is: 0)
    }

    // MARK: Races

    @Test("has ended all members when it returns, when the body's end, events and cancellation race", arguments: 0..<5)
    func race(kind: Int) async {
        let rounds = raceRounds
        let inputs = Inbox<Signal<Int, TestError>.Observer?>()
        let thread = TestThread("sender") {
            while let input = inputs.next("an input") {
                input.sendNext(1)
                if kind % 2 == 1 { input.sendError(.first) } else { input.sendCompleted() }
            }
        }
        let population = Population()
        let wrong = Counter()
        for _ in 0..<rounds {
            let log = Log<String>()
            let releases = Counter()
            let begun = TaskCounter()
            begun.enter()
            let task = Task(executorPreference: DispatchExecutor.current) {
                var thrown: TestError?
                do throws(TestError) {
                    try await withSignalScope(throwing: TestError.self) { (scope) throws(TestError) in
                        let member = population.member()
                        let producer = Numbers { observer, lifetime in
                            lifetime.observeEnded {
                                member.touch()
                                releases.increment()
                            }
                            inputs.append(observer)
                        }
                        producer.start(in: scope) { log.append($0.text) }
                        Endless.never.start(in: scope) { _ in member.touch() }
                        begun.leave()
                        switch kind {
                        case 0, 1: break
                        case 2: scope.cancelAll()
                        default: try await scope.waitForAll()
                        }
                    }
                } catch {
                    thrown = error
                }
                // Everything has ended: the start with one event, and its attached work.
                let text = log.all.filter { $0 != "1" }
                let isError = text == ["error first"]
                if text.count != 1 || releases.value != 1 || isError != (thrown != nil) { wrong.increment() }
            }
            if kind >= 3 {
                await begun.waitUntilEmpty()
                task.cancel()
            }
            await task.value
        }
        inputs.append(nil)
        thread.join()
        expect(wrong.value, is: 0)
        expect(population.alive, is: 0)
    }
}
