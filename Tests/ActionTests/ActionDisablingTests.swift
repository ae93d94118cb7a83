import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// An action whose units record whether they begin after the action has been disabled.
private final class Plant: Sendable {
    let condition = MutableProperty(true)
    let isOff = DoneFlag()
    let begun = Counter()
    let late = Counter()
    let running = Signal<Int, Never>.pipe()
    let action: Action<Bool, Int, Never>

    /// - Parameter isStateful: Whether the condition is a function of a state.
    init(_ policy: ActionPolicy, isStateful: Bool = false) {
        let (isOff, begun, late, running) = (isOff, begun, late, running.output)
        let execute = { @Sendable (waits: Bool) -> SignalProducer<Int, Never> in
            if isOff.isRaised { late.increment() }
            begun.increment()
            return waits ? SignalProducer(running) : SignalProducer(value: 1)
        }
        action =
            isStateful
            ? Action(state: condition, enabledIf: { $0 }, policy: policy) { _, waits in execute(waits) }
            : Action(enabledIf: condition, policy: policy, execute)
    }

    /// No unit begins from now on if none is running.
    func disable() {
        condition.value = false
        if !action.isExecuting.value { isOff.raise() }
    }
}

/// A flag that is raised once.
private final class DoneFlag: Sendable {
    private let flag = AtomicFlag()

    var isRaised: Bool { flag.isRaised }
    func raise() { flag.raise() }
}

@Suite("Disabling an action", .watched)
struct ActionDisablingTests {
    static let policies: [ActionPolicy] = [.refuse, .concurrent(limit: 2), .queue(waiting: 2), .restart]

    @Test(
        "in an observer of `isExecuting` or `executions` does not refuse the unit that is announced",
        arguments: policies, [true, false])
    func byObserver(policy: ActionPolicy, isStateful: Bool) {
        for isByExecution in [true, false] {
            let plant = Plant(policy, isStateful: isStateful)
            let events = Log<String>()
            plant.action.isExecuting.signal.observeNext { [weak plant] isExecuting in
                events.append("executing \(isExecuting)")
                if isExecuting, !isByExecution { plant?.condition.value = false }
            }
            plant.action.executions.observeNext { [weak plant] execution in
                if isByExecution { plant?.condition.value = false }
                execution.startWithNext { events.append("execution \($0)") }
            }
            plant.action.disabledErrors.observeNext { events.append("refused") }
            for _ in 1...2 {
                plant.action.apply(false).start { event in
                    if case .error(.disabled) = event { events.append("disabled") }
                }
            }
            expect(plant.begun.value, is: 1)
            expect(events.all, is: ["executing true", "execution 1", "executing false", "disabled", "refused"])
            #expect(!plant.action.isEnabled.value)
            plant.condition.value = true
            #expect(plant.action.isEnabled.value)
        }
    }

    @Test("in a closure that also starts a unit, or ends one, is followed by that", arguments: [true, false], [0, 1])
    func inClosure(isCondition: Bool, way: Int) {
        let (condition, other) = (MutableProperty(true), MutableProperty(0))
        let held = Locked<(start: @Sendable () -> Void, disposable: (any Disposable)?)?>(nil)
        let derived = condition.map { isEnabled in
            if !isEnabled, let held = held.withLock({ $0 }) {
                if way == 1 { held.disposable?.dispose() } else { held.start() }
            }
            return isEnabled
        }
        let action = Action<Int, Int, Never>(enabledIf: isCondition ? derived : Property(value: true)) { number in
            // Traps in the closure.
            other.value = number
            return way == 1 ? .never : SignalProducer(value: number)
        }
        let log = Log<String>()
        let disposable = way == 1 ? action.apply(1).start { log.append($0.text) } : nil
        let start = { @Sendable in _ = action.apply(2).start { log.append($0.text) } }
        held.withLock { $0 = (start, disposable) }
        let observation = derived.signal.observeNext { _ in }
        let isExecuting = Log<String>()
        action.isExecuting.producer.start { isExecuting.append($0.text) }
        condition.value = false
        let isRefused = isCondition && way != 1
        expect(log.all, is: way == 1 ? ["interrupted"] : isRefused ? ["error disabled"] : ["2", "completed"])
        expect(action.isExecuting.value, is: false)
        expect(isExecuting.all.last, is: "false")
        expect(other.value, is: way == 1 ? 1 : isRefused ? 0 : 2)
        observation?.dispose()
        held.withLock { $0 = nil }
    }

    @Test("a condition that depends on the action's own execution lets each start run that finds it true")
    func ownCondition() {
        for policy in Self.policies {
            for isDerived in [true, false] {
                let (isIdle, isBusy, pipe) = (MutableProperty(true), MutableProperty(false), Signal<Int, Never>.pipe())
                let (begun, announced) = (Counter(), Counter())
                let condition = isDerived ? isBusy.negate() : Property(capturing: isIdle)
                let action = Action<Void, Int, Never>(enabledIf: condition, policy: policy) {
                    begun.increment()
                    return SignalProducer(pipe.output.take(first: 1))
                }
                action.executions.observeNext { _ in announced.increment() }
                let refusals = action.disabledErrors.logged()
                if isDerived { isBusy <~ action.isExecuting } else { isIdle <~ action.isExecuting.negate() }
                for round in 1...3 {
                    #expect(action.isEnabled.value)
                    action.apply().start()
                    #expect(action.isExecuting.value && !action.isEnabled.value)
                    // Its condition is false now, so this one neither begins nor waits, whatever the policy.
                    action.apply().start()
                    expect(refusals.count, is: round)
                    pipe.input.sendNext(round)
                    expect(begun.value, is: round, "\(policy)")
                    expect(announced.value, is: round, "\(policy)")
                }
                #expect(action.isEnabled.value && !action.isExecuting.value)
            }
        }
    }

    @Test("a condition that depends on the execution of several actions lets one of them run at a time")
    func sharedCondition() {
        let isIdle = MutableProperty(true)
        let pipe = Signal<Int, Never>.pipe()
        let begun = Log<Int>()
        let actions = (0..<3).map { number in
            Action<Void, Int, Never>(enabledIf: isIdle) {
                begun.append(number)
                return SignalProducer(pipe.output.take(first: 1))
            }
        }
        let announced = Log<Int>()
        for (number, action) in actions.enumerated() {
            action.executions.observeNext { _ in announced.append(number) }
        }
        isIdle <~ Property.any(actions.map(\.isExecuting)).negate()
        for _ in 1...2 {
            for action in actions {
                #expect(action.isEnabled.value)
                for other in [action] + actions { other.apply().start() }
                expect(actions.map(\.isEnabled.value), is: [false, false, false])
                pipe.input.sendNext(1)
            }
        }
        expect(begun.all, is: [0, 1, 2, 0, 1, 2])
        expect(announced.all, is: begun.all)
    }

    @Test("a condition that depends on the action's own execution works for tasks and bindings")
    func ownConditionElsewhere() async throws {
        let isIdle = MutableProperty(true)
        let action = Action<Int, Int, Never>(enabledIf: isIdle) { SignalProducer(value: $0) }
        isIdle <~ action.isExecuting.negate()
        let values = action.values.logged()
        for number in 1...3 { try await expect(action.execute(number), is: number) }
        let (inputs, input) = Signal<Int, Never>.pipe()
        action <~ inputs
        for number in 4...6 { input.sendNext(number) }
        expect(values.all, is: (1...6).map(String.init))
    }

    @Test("exactly the announced units run if several threads start actions whose conditions depend on them")
    func ownConditionRace() {
        for policy in Self.policies {
            for _ in 0..<raceRounds / 4 {
                let isIdle = MutableProperty(true)
                let (begun, announced, refused, ended) = (Counter(), Counter(), Counter(), Counter())
                let actions = (0..<2).map { _ in
                    Action<Int, Int, Never>(enabledIf: isIdle, policy: policy) { number in
                        begun.increment()
                        return SignalProducer(value: number)
                    }
                }
                for action in actions {
                    action.executions.observeNext { _ in announced.increment() }
                    action.disabledErrors.observeNext { refused.increment() }
                }
                isIdle <~ actions[0].isExecuting.or(actions[1].isExecuting).negate()
                onThreads(3, "starts") { thread in
                    for number in 0..<4 {
                        actions[(thread + number) % 2].apply(number).start { event in
                            if event.isTerminating { ended.increment() }
                        }
                    }
                }
                #expect(becomesTrue { ended.value == 12 })
                // A unit can be interrupted by the next one before it begins.
                if policy != .restart { #expect(becomesTrue { refused.value + begun.value == 12 }) }
                #expect(becomesTrue { announced.value == begun.value })
                #expect(begun.value > 0)
                #expect(becomesTrue { isIdle.value && actions.allSatisfy { $0.isEnabled.value } })
                for action in actions {
                    let before = begun.value
                    action.apply(1).start()
                    expect(begun.value, is: before + 1, "\(policy)")
                }
            }
        }
    }

    @Test("a queued start fails when its turn comes in a disabled action", arguments: [true, false])
    func queue(isStateful: Bool) {
        let plant = Plant(.queue(waiting: 3), isStateful: isStateful)
        let ends = Log<String>()
        plant.action.apply(true).start()
        for number in 0..<2 {
            plant.action.apply(false).start { event in
                if case .error(.disabled) = event { ends.append("refused \(number)") }
            }
        }
        let announced = Counter()
        plant.action.executions.observeNext { _ in announced.increment() }
        let executing = plant.action.isExecuting.signal.logged()
        plant.disable()
        expect(ends.all, is: [])
        plant.running.input.sendCompleted()
        expect(ends.all, is: ["refused 0", "refused 1"])
        expect(plant.begun.value, is: 1)
        expect(announced.value, is: 0)
        expect(executing.all, is: ["false"])
        #expect(!plant.action.isExecuting.value)
    }

    @Test("refuses a queue of any length without a deep stack", .notUnderSanitizers)
    func longQueue() {
        let plant = Plant(.queue(waiting: 20_000))
        let refusals = Counter()
        plant.action.disabledErrors.observeNext { refusals.increment() }
        onSmallStack("queue") {
            plant.action.apply(true).start()
            for _ in 0..<20_000 { plant.action.apply(false).start() }
            plant.disable()
            plant.running.input.sendCompleted()
        }
        expect(refusals.value, is: 20_000)
        expect(plant.begun.value, is: 1)
    }

    @Test("a queued start begins if the action has been enabled again")
    func enabledAgain() {
        let plant = Plant(.queue(waiting: 1))
        plant.action.apply(true).start()
        plant.action.apply(false).start()
        plant.condition.value = false
        plant.condition.value = true
        plant.running.input.sendCompleted()
        expect(plant.begun.value, is: 2)
    }

    @Test("neither waits for a closure that is creating the work, nor stops that unit")
    func doesNotWait() {
        let condition = MutableProperty(true)
        let (isMaking, mayReturn) = (Latch("the making"), Latch("the return"))
        let pipe = Signal<Int, Never>.pipe()
        let action = Action<Void, Int, Never>(enabledIf: condition) {
            isMaking.open()
            mayReturn.wait()
            return SignalProducer(pipe.output)
        }
        let starter = TestThread("starts") { action.apply().start() }
        isMaking.wait()
        condition.value = false
        #expect(action.isExecuting.value)
        mayReturn.open()
        starter.join()
        #expect(action.isExecuting.value)
        pipe.input.sendCompleted()
        #expect(!action.isExecuting.value)
    }

    @Test("does not keep units of an action with a condition from creating their work at the same time")
    func createsWorkConcurrently() {
        let rendezvous = [Latch("the first unit"), Latch("the second unit")]
        let condition = MutableProperty(true)
        let action = Action<Int, Int, Never>(enabledIf: condition, policy: .concurrent(limit: 2)) { number in
            rendezvous[number].open()
            rendezvous[1 - number].wait()
            return SignalProducer(value: number)
        }
        onThreads(2, "starts") { action.apply($0).start() }
        #expect(!action.isExecuting.value)
    }

    @Test("a disposal that begins the next unit does not wait for a closure that is creating the work")
    func disposalWhileMaking() {
        let condition = MutableProperty(true)
        let (isMaking, mayReturn) = (Latch("the making"), Latch("the return"))
        let begun = Log<Int>()
        let action = Action<Int, Int, Never>(enabledIf: condition, policy: .queue(waiting: 1)) { input in
            begun.append(input)
            if input == 1 {
                isMaking.open()
                mayReturn.wait()
            }
            return .never
        }
        let first = Locked<(any Disposable)?>(nil)
        let starter = TestThread("starts") {
            action.apply(1).startWithSignal { _, disposable in first.withLock { $0 = disposable } }
        }
        isMaking.wait()
        let second = action.apply(2).start()
        first.withLock { $0 }?.dispose()
        mayReturn.open()
        starter.join()
        expect(begun.all, is: [1, 2])
        #expect(action.isExecuting.value)
        second.dispose()
        #expect(!action.isExecuting.value)
    }

    @Test("lets no work begin once nothing is executing, beside a start", arguments: policies, [true, false])
    func startRace(policy: ActionPolicy, isStateful: Bool) {
        for _ in 0..<700 {
            let plant = Plant(policy, isStateful: isStateful)
            onThreads(2, "starts") { thread in
                if thread == 0 { plant.disable() } else { plant.action.apply(false).start() }
            }
            expect(plant.late.value, is: 0)
            #expect(!plant.action.isExecuting.value)
            if plant.late.value > 0 { return }
        }
    }

    @Test(
        "lets no queued work begin once nothing is executing, beside the end or the disposal of the running unit",
        arguments: [true, false])
    func queueRace(isDisposed: Bool) {
        for _ in 0..<raceRounds {
            let plant = Plant(.queue(waiting: 1))
            let first = plant.action.apply(true).start()
            plant.action.apply(false).start()
            onThreads(2, "ends") { thread in
                if thread == 0 {
                    plant.disable()
                } else if isDisposed {
                    first.dispose()
                } else {
                    plant.running.input.sendCompleted()
                }
            }
            expect(plant.late.value, is: 0)
            // A disposal leaves work that it would have to wait for to other threads, so this may take a moment.
            #expect(becomesTrue { !plant.action.isExecuting.value })
            if plant.late.value > 0 { return }
        }
    }
}
