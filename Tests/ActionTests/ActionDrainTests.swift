import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// An action whose units the test ends.
private final class Yard: Sendable {
    let running = Locked<[Int: Signal<Int, TestError>.Observer]>([:])
    let log = Log<String>()
    let condition = MutableProperty(true)
    let action: Action<Int, Int, TestError>

    init(_ policy: ActionPolicy) {
        let (running, log) = (running, log)
        action = Action(enabledIf: condition, policy: policy) { number in
            log.append("begin \(number)")
            return SignalProducer { observer, lifetime in
                running.withLock { $0[number] = observer }
                lifetime.observeEnded { _ = running.withLock { $0.removeValue(forKey: number) } }
            }
        }
    }

    @discardableResult
    func start(_ number: Int) -> any Disposable {
        action.apply(number).start { [log] event in
            if case .error(.disabled) = event {
                log.append("refused \(number)")
            } else if event.isTerminating {
                log.append("end \(number)")
            }
        }
    }

    @discardableResult
    func drain(_ name: String = "drained") -> any Disposable {
        action.draining().startWithCompleted { [log] in log.append(name) }
    }

    func finish(_ number: Int) { running.withLock { $0[number] }?.sendCompleted() }

    func finishAll() {
        while let number = running.withLock({ $0.keys.min() }) { finish(number) }
    }

    func takeLog() -> [String] {
        defer { log.removeAll() }
        return log.all
    }
}

@Suite("Draining an action", .watched)
struct ActionDrainTests {
    static let policies: [ActionPolicy] = [
        .refuse, .concurrent(limit: 2), .queue(waiting: 2), .restart, .concurrent(limit: 2, waiting: 1),
    ]

    @Test("finishes what runs and what is queued, and refuses further starts", arguments: policies)
    func finishes(policy: ActionPolicy) {
        let yard = Yard(policy)
        for number in 1...4 { yard.start(number) }
        let numbers: [(ActionPolicy, [Int])] = [
            (.refuse, [1]), (.concurrent(limit: 2), [1, 2]), (.restart, [1, 2, 3, 4]),
        ]
        let accepted = numbers.first { $0.0 == policy }?.1 ?? [1, 2, 3]
        #expect(!yard.action.isDraining)
        yard.drain()
        #expect(yard.action.isDraining && !yard.action.isEnabled.value && yard.action.isExecuting.value)
        _ = yard.start(5)
        expect(yard.log.all.last, is: "refused 5")
        yard.finishAll()
        let log = yard.takeLog()
        expect(log.filter { $0.hasPrefix("begin") }, is: accepted.map { "begin \($0)" })
        expect(log.filter { $0.hasPrefix("end") }, is: accepted.map { "end \($0)" })
        expect(log.last, is: "drained")
        #expect(!yard.action.isEnabled.value && !yard.action.isExecuting.value)
        yard.start(6)
        expect(yard.log.all, is: ["refused 6"])
    }

    @Test("disables the action first, and ends after the events of the last unit")
    func order() {
        let yard = Yard(.queue(waiting: 1))
        let (action, log) = (yard.action, yard.log)
        action.isEnabled.signal.observeNext { log.append("enabled \($0)") }
        action.isExecuting.signal.observeNext { log.append("executing \($0)") }
        action.completed.observeNext { log.append("completed") }
        action.events.observeNext { log.append("event \($0.text)") }
        yard.start(1)
        yard.drain()
        yard.finish(1)
        expect(
            yard.takeLog(),
            is: [
                "executing true", "begin 1", "enabled false", "end 1", "executing false", "completed",
                "event completed", "drained",
            ])
    }

    @Test("ends at once if nothing runs", arguments: policies)
    func idle(policy: ActionPolicy) async {
        let yard = Yard(policy)
        let enabled = yard.action.isEnabled.signal.logged()
        yard.start(1)
        yard.finishAll()
        yard.log.removeAll()
        let before = enabled.count
        yard.drain()
        expect(yard.takeLog(), is: ["drained"])
        expect(enabled.all.dropFirst(before).joined(), is: "false")
        await yard.action.drain()
        yard.start(2)
        expect(yard.log.all, is: ["refused 2"])
    }

    @Test("interrupts the start that is disposed of, and goes on draining")
    func disposed() {
        let yard = Yard(.queue(waiting: 1))
        for number in 1...2 { yard.start(number) }
        let ends = Log<String>()
        let start = yard.action.draining().start { ends.append($0.text) }
        expect(ends.all, is: [])
        start.dispose()
        expect(ends.all, is: ["interrupted"])
        yard.start(3)
        yard.finishAll()
        expect(yard.takeLog(), is: ["begin 1", "refused 3", "end 1", "begin 2", "end 2"])
        expect(ends.all, is: ["interrupted"])
    }

    @Test("several drains end together, and later ones at once")
    func several() {
        let yard = Yard(.queue(waiting: 1))
        for number in 1...2 { yard.start(number) }
        yard.drain("first")
        yard.drain("second")
        yard.drain("third").dispose()
        yard.finish(1)
        expect(yard.takeLog(), is: ["begin 1", "end 1", "begin 2"])
        yard.finish(2)
        expect(yard.takeLog(), is: ["end 2", "first", "second"])
        yard.drain("fourth")
        expect(yard.takeLog(), is: ["fourth"])
    }

    @Test("waits for units that are disposed of, fail, or leave the queue")
    func otherEnds() {
        let yard = Yard(.concurrent(limit: 2, waiting: 2))
        let starts = (1...4).map { yard.start($0) }
        yard.drain()
        starts[3].dispose()
        starts[0].dispose()
        yard.running.withLock { $0[2] }?.sendError(.first)
        expect(yard.log.all.suffix(4), is: ["end 4", "end 1", "begin 3", "end 2"])
        yard.running.withLock { $0[3] }?.sendInterrupted()
        expect(yard.log.all.suffix(2), is: ["end 3", "drained"])
    }

    @Test("still refuses a queued start whose condition is false when its turn comes")
    func condition() {
        let yard = Yard(.queue(waiting: 2))
        for number in 1...3 { yard.start(number) }
        yard.drain()
        yard.finish(1)
        yard.condition.value = false
        yard.finish(2)
        expect(yard.takeLog(), is: ["begin 1", "end 1", "begin 2", "end 2", "refused 3", "drained"])
        yard.condition.value = true
        #expect(!yard.action.isEnabled.value)
    }

    @Test("waits for a unit whose work is just being created")
    func whileCreating() {
        let (isMaking, mayReturn, drained) = (Latch("the making"), Latch("the return"), Counter())
        let action = Action<Void, Int, Never> {
            isMaking.open()
            mayReturn.wait()
            return SignalProducer(value: 1)
        }
        let values = action.values.logged()
        let starter = TestThread("starts") { action.apply().start() }
        isMaking.wait()
        action.draining().startWithCompleted { drained.increment() }
        expect(drained.value, is: 0)
        mayReturn.open()
        starter.join()
        expect(values.all, is: ["1"])
        expect(drained.value, is: 1)
    }

    @Test("waits for an observer that is receiving the end of a unit that has left")
    func whileReporting() {
        let (isReporting, goOn, drained) = (Latch("the report"), Latch("to go on"), Counter())
        let action = Action<Void, Int, Never> { SignalProducer(value: 1) }
        action.events.observeNext { event in
            guard event.isTerminating else { return }
            isReporting.open()
            goOn.wait()
        }
        let starter = TestThread("starts") { action.apply().start() }
        isReporting.wait()
        #expect(!action.isExecuting.value)
        action.draining().startWithCompleted { drained.increment() }
        expect(drained.value, is: 0)
        goOn.open()
        starter.join()
        expect(drained.value, is: 1)
    }

    enum Place: CaseIterable { case work, enabled, executing, execution, start, value, completed, event }

    @Test("can begin in a unit, and in every observer of the action", arguments: policies, Place.allCases)
    func inside(policy: ActionPolicy, place: Place) {
        let held = Locked<Action<Int, Int, Never>?>(nil)
        let (drained, begun) = (Counter(), Counter())
        let drain = { @Sendable (here: Place) in
            guard here == place else { return }
            held.withLock { $0 }?.draining().startWithCompleted { drained.increment() }
        }
        let action = Action<Int, Int, Never>(policy: policy) { number in
            begun.increment()
            drain(.work)
            return SignalProducer(value: number)
        }
        held.withLock { $0 = action }
        action.isEnabled.signal.observeNext { _ in drain(.enabled) }
        action.isExecuting.signal.observeNext { _ in drain(.executing) }
        action.executions.observeNext { _ in drain(.execution) }
        action.values.observeNext { _ in drain(.value) }
        action.completed.observeNext { drain(.completed) }
        action.events.observeNext { event in if event.isTerminating { drain(.event) } }
        action.apply(1).start { event in if event.isTerminating { drain(.start) } }
        // Only `refuse` changes `isEnabled` for one unit.
        let drains = place != .enabled || policy == .refuse
        expect(action.isDraining, is: drains)
        expect(drained.value > 0, is: drains)
        action.apply(2).start()
        expect(begun.value, is: drains ? 1 : 2)
        let former = held.withLock { $0.take() }
        withExtendedLifetime(former) {}
    }

    @Test("an async drain returns when the queue is finished")
    func asynchronous() async {
        let log = Log<Int>()
        let action = Action(policy: .queue(waiting: 10)) { (number: Int) async in
            await Task.yield()
            log.append(number)
        }
        for number in 1...5 { action.apply(number).start() }
        await action.drain()
        expect(log.all, is: [1, 2, 3, 4, 5])
        await #expect(throws: ActionError<Never>.disabled) { try await action.execute(6) }
        #expect(action.isDraining)
    }

    @Test("cancelling the task ends the wait, and not the drain")
    func cancellation() async {
        let yard = Yard(.queue(waiting: 1))
        for number in 1...2 { yard.start(number) }
        let task = Task { await yard.action.drain() }
        #expect(await eventually { yard.action.isDraining })
        task.cancel()
        await task.value
        expect(yard.takeLog(), is: ["begin 1"])
        yard.finishAll()
        await yard.action.drain()
        expect(yard.takeLog(), is: ["end 1", "begin 2", "end 2"])
    }

    @Test("a drain in a cancelled task refuses further starts, and does not wait")
    func cancelledBefore() async {
        let yard = Yard(.refuse)
        yard.start(1)
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await yard.action.drain()
        }.value
        yard.start(2)
        expect(yard.takeLog(), is: ["begin 1", "refused 2"])
        yard.finishAll()
    }

    @Test("awaited in a unit of its own, it ends with the cancellation of that unit")
    func inUnit() async {
        let held = Locked<Action<Void, Void, Never>?>(nil)
        let action = Action<Void, Void, Never> { () async in
            if let action = held.withLock({ $0 }) { await action.drain() }
        }
        held.withLock { $0 = action }
        let start = action.apply().start()
        #expect(await eventually { action.isDraining })
        start.dispose()
        await action.drain()
        #expect(!action.isExecuting.value)
        let former = held.withLock { $0.take() }
        withExtendedLifetime(former) {}
    }

    @Test("every call of `execute` beside a drain returns its value or is refused, and the drain waits for it")
    func executeRace() async {
        for _ in 0..<raceRounds / 10 {
            let (begun, ended, refused) = (Counter(), Counter(), Counter())
            let action = Action(policy: .concurrent(limit: 2, waiting: 2)) { (number: Int) async in
                begun.increment()
                await Task.yield()
                ended.increment()
                return number
            }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        do {
                            #expect(try await action.execute(number) == number)
                        } catch {
                            refused.increment()
                        }
                    }
                }
                group.addTask {
                    await action.drain()
                    expect(begun.value, is: ended.value)
                    #expect(!action.isExecuting.value && !action.isEnabled.value)
                }
            }
            expect(begun.value + refused.value, is: 4)
        }
    }

    @Test("the producer retains the action, and an action that has been released stays disabled")
    func lifetime() {
        let population = Population()
        for isConditional in [true, false] {
            let member = population.member()
            let work = { @Sendable (number: Int) -> SignalProducer<Int, Never> in
                member.touch()
                return SignalProducer(value: number)
            }
            var action: Action<Int, Int, Never>? =
                isConditional ? Action(enabledIf: MutableProperty(true), work) : Action(work)
            let isEnabled = action?.isEnabled
            var producer = action?.draining()
            action = nil
            expect(isEnabled?.value, is: true)
            let drained = Counter()
            producer?.startWithCompleted { drained.increment() }
            expect(drained.value, is: 1)
            producer = nil
            expect(isEnabled?.value, is: false)
        }
        expect(population.alive, is: 0)
    }
}
