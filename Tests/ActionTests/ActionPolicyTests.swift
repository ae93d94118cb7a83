import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// An action whose units the test ends.
private final class Workshop: Sendable {
    let pipes = Locked<[Int: Signal<Int, TestError>.Observer]>([:])
    let log = Log<String>()
    let action: Action<Int, Int, TestError>

    init(_ policy: ActionPolicy) {
        let (pipes, log) = (pipes, log)
        action = Action(policy: policy) { input in
            log.append("begin \(input)")
            return SignalProducer { observer, _ in
                pipes.withLock { $0[input] = observer }
            }
        }
        action.isEnabled.signal.observeNext { log.append("enabled \($0)") }
        action.isExecuting.signal.observeNext { log.append("executing \($0)") }
    }

    @discardableResult
    func start(_ input: Int) -> any Disposable {
        action.apply(input).start { [log] event in
            if case .error(.disabled) = event {
                log.append("refused \(input)")
            } else if event.isTerminating {
                log.append("end \(input)")
            }
        }
    }

    func finish(_ input: Int) { pipes.withLock { $0.removeValue(forKey: input) }?.sendCompleted() }

    func takeLog() -> [String] {
        defer { log.removeAll() }
        return log.all
    }
}

@Suite("ActionPolicy", .watched)
struct ActionPolicyTests {
    @Test("refuse: admits one unit at a time")
    func refuse() {
        let workshop = Workshop(.refuse)
        workshop.start(1)
        workshop.start(2)
        expect(workshop.takeLog(), is: ["enabled false", "executing true", "begin 1", "refused 2"])
        workshop.finish(1)
        workshop.start(3)
        workshop.finish(3)
        expect(
            workshop.takeLog(),
            is: [
                "end 1", "enabled true", "executing false", "enabled false", "executing true", "begin 3", "end 3",
                "enabled true", "executing false",
            ])
    }

    @Test("concurrent: admits as many units as the limit allows")
    func concurrent() {
        let workshop = Workshop(.concurrent(limit: 2))
        workshop.start(1)
        expect(workshop.takeLog(), is: ["executing true", "begin 1"])
        workshop.start(2)
        workshop.start(3)
        expect(workshop.takeLog(), is: ["enabled false", "begin 2", "refused 3"])
        workshop.finish(1)
        expect(workshop.takeLog(), is: ["end 1", "enabled true"])
        workshop.start(4)
        workshop.finish(4)
        workshop.finish(2)
        expect(
            workshop.takeLog(), is: ["enabled false", "begin 4", "end 4", "enabled true", "end 2", "executing false"])
    }

    @Test("queue: queues starts in order, and refuses starts beyond the limit")
    func queue() {
        let workshop = Workshop(.queue(waiting: 2))
        for input in 1...4 { workshop.start(input) }
        expect(workshop.takeLog(), is: ["executing true", "begin 1", "enabled false", "refused 4"])
        workshop.finish(1)
        expect(workshop.takeLog(), is: ["end 1", "enabled true", "begin 2"])
        workshop.start(5)
        workshop.finish(2)
        workshop.finish(3)
        workshop.finish(5)
        expect(
            workshop.takeLog(),
            is: [
                "enabled false", "end 2", "enabled true", "begin 3", "end 3", "begin 5", "end 5", "executing false",
            ])
        #expect(workshop.action.isEnabled.value)
    }

    @Test("queue: with a limit of 0 refuses like `refuse`")
    func emptyQueue() {
        let workshop = Workshop(.queue(waiting: 0))
        workshop.start(1)
        workshop.start(2)
        expect(workshop.takeLog(), is: ["enabled false", "executing true", "begin 1", "refused 2"])
        workshop.finish(1)
    }

    @Test("queue: a unit that is disposed of releases its resources before the next one begins")
    func resourcesOfDisposed() {
        let log = Log<String>()
        let action = Action<Int, Int, Never>(policy: .queue(waiting: 2)) { number in
            .using(
                resource: { log.append("acquire \(number)") }, release: { _ in log.append("release \(number)") }
            ) { _ in SignalProducer<Int, Never>.never }
        }
        let first = action.apply(1).start()
        let second = action.apply(2).start()
        first.dispose()
        expect(log.all, is: ["acquire 1", "release 1", "acquire 2"])
        second.dispose()
    }

    @Test("queue: a start that is disposed of while it waits never begins")
    func withdrawal() {
        let workshop = Workshop(.queue(waiting: 2))
        workshop.start(1)
        let second = workshop.start(2)
        workshop.start(3)
        let events = workshop.action.events.logged()
        _ = workshop.takeLog()
        second.dispose()
        expect(workshop.takeLog(), is: ["enabled true", "end 2"])
        workshop.start(4)
        workshop.finish(1)
        workshop.finish(3)
        workshop.finish(4)
        expect(
            workshop.takeLog(),
            is: [
                "enabled false", "end 1", "enabled true", "begin 3", "end 3", "begin 4", "end 4", "executing false",
            ])
        expect(events.all.count, is: 3)
    }

    @Test(
        "queue: allows any number of queued starts to be disposed of, in any order", .notUnderThreadSanitizer,
        arguments: [true, false])
    func longWithdrawal(fromTheEnd: Bool) {
        let count = 30_000
        let begun = Log<Int>()
        let pipe = Signal<Int, Never>.pipe()
        let action = Action<Int, Int, Never>(policy: .queue(waiting: count)) { input in
            begun.append(input)
            return SignalProducer(pipe.output)
        }
        action.apply(-1).start()
        let waiting = (0..<count).map { action.apply($0).start() }
        #expect(!action.isEnabled.value)
        for disposable in fromTheEnd ? waiting.dropFirst().reversed() : Array(waiting.dropLast()) {
            disposable.dispose()
        }
        pipe.input.sendCompleted()
        expect(begun.all, is: [-1, fromTheEnd ? 0 : count - 1])
    }

    @Test("queue: passes each unit the state with which it begins")
    func queuedState() {
        let state = MutableProperty(1)
        let (output, input) = Signal<Int, Never>.pipe()
        let action = Action<Bool, Int, Never>(state: state, enabledIf: { $0 < 3 }, policy: .queue(waiting: 9)) {
            state, waits in
            waits ? SignalProducer(output) : SignalProducer(value: state)
        }
        let values = action.values.logged()
        action.apply(true).start()
        for next in 2...4 {
            action.apply(false).start()
            state.value = next
        }
        // No unit begins in a state in which the action is disabled.
        state.value = 0
        input.sendCompleted()
        expect(values.all, is: ["1", "2"])
    }

    @Test("queue: runs any number of units that end immediately without deepening the stack", .notUnderSanitizers)
    func longQueue() {
        let executions = Counter()
        let (output, input) = Signal<Int, Never>.pipe()
        let action = Action<Bool, Int, Never>(policy: .queue(waiting: 10_000)) { waits in
            executions.increment()
            return waits ? SignalProducer(output) : SignalProducer(value: 1)
        }
        onSmallStack("queue") {
            action.apply(true).start()
            for _ in 0..<10_000 { action.apply(false).start() }
            input.sendCompleted()
        }
        expect(executions.value, is: 10_001)
        #expect(!action.isExecuting.value)
    }

    @Test("concurrent with a queue: keeps to both limits, queues starts in order, and refuses the others")
    func concurrentQueue() {
        let workshop = Workshop(.concurrent(limit: 2, waiting: 2))
        for input in 1...5 { workshop.start(input) }
        expect(
            workshop.takeLog(), is: ["executing true", "begin 1", "begin 2", "enabled false", "refused 5"])
        workshop.finish(2)
        expect(workshop.takeLog(), is: ["end 2", "enabled true", "begin 3"])
        workshop.start(6)
        workshop.finish(1)
        workshop.finish(3)
        expect(
            workshop.takeLog(),
            is: ["enabled false", "end 1", "enabled true", "begin 4", "end 3", "begin 6"])
        workshop.finish(6)
        workshop.start(7)
        workshop.finish(4)
        workshop.finish(7)
        expect(
            workshop.takeLog(), is: ["end 6", "begin 7", "end 4", "end 7", "executing false"])
        #expect(workshop.action.isEnabled.value)
    }

    @Test("concurrent with a queue: a start that is disposed of in the middle of the queue never begins")
    func concurrentWithdrawal() {
        let workshop = Workshop(.concurrent(limit: 2, waiting: 3))
        let starts = (1...5).map { workshop.start($0) }
        starts[3].dispose()
        expect(workshop.takeLog().suffix(2), is: ["enabled true", "end 4"])
        starts[0].dispose()
        expect(workshop.takeLog(), is: ["end 1", "begin 3"])
        for input in [2, 3, 5] { workshop.finish(input) }
        expect(workshop.takeLog(), is: ["end 2", "begin 5", "end 3", "end 5", "executing false"])
    }

    @Test("concurrent with a queue: a unit that begins slowly does not delay the next one on another thread")
    func lanes() {
        let pipes = (0..<2).map { _ in Signal<Int, Never>.pipe() }
        let (isBeginning, goOn, hasBegun) = (Latch("the slow one"), Latch("to go on"), Latch("the other one"))
        let action = Action<Int, Int, Never>(policy: .concurrent(limit: 2, waiting: 2)) { input in
            if input == 2 {
                isBeginning.open()
                goOn.wait()
            }
            if input == 3 { hasBegun.open() }
            return input < 2 ? SignalProducer(pipes[input].output) : SignalProducer(value: input)
        }
        let log = action.values.logged()
        for input in 0..<4 { action.apply(input).start() }
        let slow = TestThread("ends the first") { pipes[0].input.sendCompleted() }
        isBeginning.wait()
        let other = TestThread("ends the second") { pipes[1].input.sendCompleted() }
        hasBegun.wait()
        goOn.open()
        for thread in [slow, other] { thread.join() }
        expect(Set(log.all), is: ["2", "3"])
        #expect(!action.isExecuting.value)
    }

    @Test(
        "concurrent with a queue: runs any number of units that end immediately without deepening the stack",
        .notUnderSanitizers)
    func longConcurrentQueue() {
        let executions = Counter()
        let (output, input) = Signal<Int, Never>.pipe()
        let action = Action<Bool, Int, Never>(policy: .concurrent(limit: 2, waiting: 10_000)) { waits in
            executions.increment()
            return waits ? SignalProducer(output) : SignalProducer(value: 1)
        }
        onSmallStack("queue") {
            for _ in 0..<2 { action.apply(true).start() }
            for _ in 0..<10_000 { action.apply(false).start() }
            input.sendCompleted()
        }
        expect(executions.value, is: 10_002)
        #expect(!action.isExecuting.value)
    }

    @Test("matches the model over random starts, ends and disposals", arguments: 0..<20)
    func model(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let (limit, waiting) = (random.number(in: 1...3), random.number(in: 0...4))
        let workshop = Workshop(.concurrent(limit: limit, waiting: waiting))
        var (running, line) = ([Int](), [Int]())
        var starts: [Int: any Disposable] = [:]
        for input in 0..<600 {
            var expected: [String] = []
            switch random.number(in: 0...3) {
            case 0...1:
                starts[input] = workshop.start(input)
                if running.count < limit {
                    running.append(input)
                    expected = ["begin \(input)"]
                } else if line.count < waiting {
                    line.append(input)
                } else {
                    expected = ["refused \(input)"]
                }
            case 2:
                guard !running.isEmpty else { continue }
                let ended = running.remove(at: random.number(in: 0...running.count - 1))
                if random.once(in: 2) { workshop.finish(ended) } else { starts[ended]?.dispose() }
                expected = ["end \(ended)"]
                if !line.isEmpty {
                    running.append(line.removeFirst())
                    expected.append("begin \(running.last ?? 0)")
                }
            default:
                guard !line.isEmpty else { continue }
                let withdrawn = line.remove(at: random.number(in: 0...line.count - 1))
                starts[withdrawn]?.dispose()
                expected = ["end \(withdrawn)"]
            }
            let log = workshop.takeLog().filter { !$0.hasPrefix("enabled") && !$0.hasPrefix("executing") }
            expect(log, is: expected)
            expect(workshop.action.isEnabled.value, is: running.count < limit || line.count < waiting)
            expect(workshop.action.isExecuting.value, is: !running.isEmpty)
        }
        // A running unit retains the action, and the action retains the source of the unit.
        for start in starts.values { start.dispose() }
        expect(workshop.action.isExecuting.value, is: false)
    }

    @Test(
        "a timeout in the work frees the place of work that ignores cancellation, and one that does not interrupt keeps it",
        arguments: [true, false])
    func workThatIgnoresCancellation(isInWork: Bool) {
        let (clock, running, peak) = (TestScheduler(), MutableProperty(0), MutableProperty(0))
        running.signal.observeNext { count in peak.modify { $0 = max($0, count) } }
        let action = Action<Int, Int, TestError>(policy: .concurrent(limit: 2, waiting: 10)) { number in
            let work = SignalProducer<Int, TestError> { observer, _ in
                running.modify { $0 += 1 }
                clock.schedule(after: .seconds(10)) {
                    running.modify { $0 -= 1 }
                    observer.sendNext(number)
                    observer.sendCompleted()
                }
            }
            return isInWork ? work.timeout(after: .seconds(1), raising: .first, on: clock) : work
        }
        let ends = Log<String>()
        for number in 1...6 {
            if isInWork {
                action.apply(number).start { ends.append("\($0.text) at \(clock.now)") }
            } else {
                SignalProducer<Int, ActionError<TestError>> { observer, _ in
                    action.apply(number).start(observer)
                }
                .timeout(after: .seconds(1), raising: .producerError(.first), on: clock)
                .start { ends.append("\($0.text) at \(clock.now)") }
            }
        }
        clock.run()
        expect(peak.value, is: isInWork ? 6 : 2)
        let seconds = isInWork ? [1, 1, 2, 2, 3, 3] : [1, 1, 1, 1, 1, 1]
        expect(ends.all, is: seconds.map { "error producerError(TestSupport.TestError.first) at \($0).0 seconds" })
        expect(running.value, is: 0)
        #expect(!action.isExecuting.value)
    }

    @Test("restart: interrupts the running unit")
    func restart() {
        let workshop = Workshop(.restart)
        workshop.start(1)
        workshop.start(2)
        workshop.start(3)
        expect(workshop.takeLog(), is: ["executing true", "begin 1", "end 1", "begin 2", "end 2", "begin 3"])
        #expect(workshop.action.isEnabled.value)
        workshop.finish(3)
        expect(workshop.takeLog(), is: ["end 3", "executing false"])
    }

    @Test("restart: interrupts a unit whose own event restarts the action")
    func restartInside() {
        let log = Log<String>()
        let again = OnceFlag()
        let action = Action<Int, Int, Never>(policy: .restart) { input in SignalProducer([input, input + 1]) }
        action.values.observeNext { [weak action] value in
            log.append("\(value)")
            if again.raise() { action?.apply(10).start() }
        }
        action.apply(1).start { log.append("first \($0.text)") }
        expect(log.all, is: ["first 1", "1", "10", "11", "first interrupted"])
        #expect(!action.isExecuting.value)
    }

    @Test("its description is its source form")
    func description() {
        expect("\(ActionPolicy.refuse)", is: ".refuse")
        expect("\(ActionPolicy.restart)", is: ".restart")
        expect("\(ActionPolicy.queue(waiting: 3))", is: ".queue(waiting: 3)")
        expect("\(ActionPolicy.concurrent(limit: 3))", is: ".concurrent(limit: 3)")
        expect("\(ActionPolicy.concurrent(limit: 3, waiting: 4))", is: ".concurrent(limit: 3, waiting: 4)")
        // The other policies are special cases of `concurrent`.
        expect(ActionPolicy.concurrent(limit: 1, waiting: 0), is: .refuse)
        expect(ActionPolicy.concurrent(limit: 1, waiting: 5), is: .queue(waiting: 5))
        expect(ActionPolicy.concurrent(limit: 5, waiting: 0), is: .concurrent(limit: 5))
    }

    @Test("traps on invalid limits")
    func limits() async throws {
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ActionPolicy.queue(waiting: -1)
        }
        negative.expectTrap("queue(waiting: -1): the number of waiting starts must not be negative")
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ActionPolicy.concurrent(limit: 0)
        }
        zero.expectTrap("concurrent(limit: 0): the limit must be positive")
        let none = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ActionPolicy.concurrent(limit: 0, waiting: 1)
        }
        none.expectTrap("concurrent(limit: 0): the limit must be positive")
        let less = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ActionPolicy.concurrent(limit: 1, waiting: -1)
        }
        less.expectTrap("concurrent(waiting: -1): the number of waiting starts must not be negative")
    }

    @Test(
        "queue: a start that ends downstream while it waits, or while it enters the queue, leaves the queue",
        arguments: [true, false])
    func unwanted(isLate: Bool) {
        let workshop = Workshop(.queue(waiting: 1))
        let (leaves, condition) = (Signal<Void, Never>.pipe(), MutableProperty(true))
        let action = Action<Int, Int, TestError>(enabledIf: condition, policy: .queue(waiting: 1)) { input in
            workshop.action.apply(input).mapError { _ in .first }
        }
        action.apply(1).start()
        let (begun, isChanging, goOn) = (Latch("the start"), Latch("the change"), Latch("to go on"))
        let slow = action.isEnabled.map { isEnabled in
            if !isEnabled, !isLate {
                isChanging.open()
                goOn.wait()
            }
            return isEnabled
        }
        let observation = slow.producer.start()
        let start: @Sendable () -> Void = {
            action.apply(2).on(starting: { begun.open() }).take(until: leaves.output).start()
        }
        if isLate {
            start()
            #expect(!action.isEnabled.value)
            leaves.input.sendNext(())
        } else {
            // The start leaves before it can be admitted.
            let changer = TestThread("changes") { condition.value = false }
            isChanging.wait()
            let starter = TestThread("starts", start)
            begun.wait()
            starter.waitUntilAsleep()
            leaves.input.sendNext(())
            goOn.open()
            for thread in [changer, starter] { thread.join() }
            condition.value = true
        }
        observation.dispose()
        #expect(action.isEnabled.value)
        action.apply(3).start()
        workshop.finish(1)
        workshop.finish(3)
        expect(workshop.takeLog().filter { $0.hasPrefix("begin") }, is: ["begin 1", "begin 3"])
        #expect(!action.isExecuting.value)
    }

    @Test(
        "admits no more units than its limit when starts race",
        arguments: [
            ActionPolicy.refuse, .concurrent(limit: 2), .queue(waiting: 3), .restart, .concurrent(limit: 2, waiting: 3),
        ])
    func races(policy: ActionPolicy) {
        let rounds = 400
        let isDouble = [.concurrent(limit: 2), .concurrent(limit: 2, waiting: 3)].contains(policy)
        let limit = isDouble ? 2 : 1
        let (running, starts, ends) = (Locked(0), Counter(), Counter())
        let mistakes = Log<String>()
        let action = Action<Int, Int, TestError>(policy: policy) { _ in
            SignalProducer { observer, _ in
                let count = running.withLock { running in
                    running += 1
                    return running
                }
                if policy != .restart, count > limit { mistakes.append("\(count) at once") }
                observer.sendNext(count)
                running.withLock { $0 -= 1 }
                observer.sendCompleted()
            }
        }
        onThreads(4, "policy") { thread in
            for round in 0..<rounds {
                starts.increment()
                let start = action.apply(round).start { event in
                    if event.isTerminating { ends.increment() }
                }
                if thread == 3 { start.dispose() }
            }
        }
        expect(mistakes.all, is: [])
        expect(starts.value, is: 4 * rounds)
        expect(ends.value, is: starts.value)
        #expect(action.isEnabled.value)
        #expect(!action.isExecuting.value)
    }

    private enum Caller {
        @TaskLocal static var name = "none"
    }

    @Test("queued work has the task-locals of its start, also if no unit was running when that began")
    func context() {
        let condition = MutableProperty(0)
        let (isInside, canGoOn, log) = (Latch("no closure runs"), Latch("the closure may not go on"), Log<String>())
        let (ends, end) = Signal<Void, Never>.pipe()
        let action = Action<String, Void, Never>(enabledIf: condition.map { _ in true }, policy: .queue(waiting: 2)) {
            log.append("\($0) under \(Caller.name)")
            return SignalProducer(ends).take(first: 1)
        }
        // Owns what a start has to own, so that both starts begin before one of them is admitted.
        let observation = action.isEnabled.combineLatest(with: condition).map { isEnabled, value in
            if value == 1 {
                isInside.open()
                canGoOn.wait()
            }
            return isEnabled
        }.producer.startWithNext { _ in }
        let setter = TestThread("sets") { condition.value = 1 }
        isInside.wait()
        let starters = ["a", "b"].map { name in
            TestThread("starts \(name)") { Caller.$name.withValue(name) { _ = action.apply(name).start() } }
        }
        for starter in starters { starter.waitUntilAsleep() }
        canGoOn.open()
        for thread in [setter] + starters { thread.join() }
        end.sendNext(())
        expect(log.all.sorted(), is: ["a under a", "b under b"])
        end.sendNext(())
        #expect(!action.isExecuting.value)
        observation.dispose()
    }

    @Test("refuse: runs exactly one of two racing starts, and refuses the other", arguments: [0])
    func twoStarts(_: Int) {
        for _ in 0..<raceRounds {
            let (executions, refusals) = (Counter(), Counter())
            let pipe = Signal<Int, Never>.pipe()
            let action = Action<Void, Int, Never> {
                executions.increment()
                return SignalProducer(pipe.output)
            }
            onThreads(2, "starts") { _ in
                action.apply().start { if case .error(.disabled) = $0 { refusals.increment() } }
            }
            expect(executions.value, is: 1)
            expect(refusals.value, is: 1)
            pipe.input.sendCompleted()
        }
    }
}
