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

    func disable() {
        condition.value = false
        isOff.raise()
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
    static let policies: [ActionPolicy] = [.refuse, .concurrent(limit: 2), .queue(limit: 2), .restart]

    @Test(
        "in an observer of `isExecuting` refuses the start before its work begins", arguments: policies, [true, false])
    func byObserver(policy: ActionPolicy, isStateful: Bool) {
        let plant = Plant(policy, isStateful: isStateful)
        let events = Log<String>()
        plant.action.isExecuting.signal.observeNext { [weak plant] isExecuting in
            events.append("executing \(isExecuting)")
            if isExecuting { plant?.disable() }
        }
        plant.action.disabledErrors.observeNext { events.append("refused") }
        plant.action.events.observeNext { _ in events.append("event") }
        plant.action.apply(false).start { event in
            if case .error(.disabled) = event { events.append("disabled") }
        }
        expect(plant.begun.value, is: 0)
        expect(events.all, is: ["executing true", "disabled", "executing false", "refused"])
        #expect(!plant.action.isEnabled.value)
        plant.condition.value = true
        #expect(plant.action.isEnabled.value)
    }

    @Test("a queued start fails when its turn comes in a disabled action", arguments: [true, false])
    func queue(isStateful: Bool) {
        let plant = Plant(.queue(limit: 3), isStateful: isStateful)
        let ends = Log<String>()
        plant.action.apply(true).start()
        for number in 0..<2 {
            plant.action.apply(false).start { event in
                if case .error(.disabled) = event { ends.append("refused \(number)") }
            }
        }
        plant.disable()
        expect(ends.all, is: [])
        plant.running.input.sendCompleted()
        expect(ends.all, is: ["refused 0", "refused 1"])
        expect(plant.begun.value, is: 1)
        #expect(!plant.action.isExecuting.value)
    }

    @Test("refuses a queue of any length without a deep stack", .notUnderSanitizers)
    func longQueue() {
        let plant = Plant(.queue(limit: 20_000))
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
        let plant = Plant(.queue(limit: 1))
        plant.action.apply(true).start()
        plant.action.apply(false).start()
        plant.condition.value = false
        plant.condition.value = true
        plant.running.input.sendCompleted()
        expect(plant.begun.value, is: 2)
    }

    @Test("waits for a closure that is creating the work, but for nothing else")
    func waits() {
        let condition = MutableProperty(true)
        let (isMaking, mayReturn) = (Latch("the making"), Latch("the return"))
        let (isMade, hasBegun) = (DoneFlag(), Latch("the work"))
        let pipe = Signal<Int, Never>.pipe()
        let action = Action<Void, Int, Never>(enabledIf: condition) {
            isMaking.open()
            mayReturn.wait()
            isMade.raise()
            return SignalProducer(pipe.output).on(starting: { hasBegun.open() })
        }
        let starter = TestThread("starts") { action.apply().start() }
        isMaking.wait()
        // Other changes do not wait. Only disabling the action waits.
        condition.value = true
        #expect(action.isExecuting.value)
        let disabler = TestThread("disables") {
            condition.value = false
            #expect(isMade.isRaised)
        }
        disabler.waitUntilAsleep()
        mayReturn.open()
        for thread in [starter, disabler] { thread.join() }
        hasBegun.wait()
        #expect(action.isExecuting.value)
        pipe.input.sendCompleted()
        #expect(!action.isExecuting.value)
    }

    @Test("in the closure that creates the work causes no deadlock with another thread")
    func cycle() {
        let condition = MutableProperty(true)
        let other = Signal<Int, Never>.pipe()
        let (isMaking, isSending) = (Latch("the making"), Latch("the sending"))
        let action = Action<Void, Int, Never>(enabledIf: condition) {
            isMaking.open()
            isSending.wait()
            // The sending thread waits for this closure, in an observer of `other`.
            other.input.sendNext(2)
            condition.value = false
            return SignalProducer(value: 1)
        }
        let values = action.values.logged()
        other.output.observeNext { number in
            guard number == 1 else { return }
            isSending.open()
            condition.value = false
        }
        let starter = TestThread("starts") { action.apply().start() }
        isMaking.wait()
        let sender = TestThread("sends") { other.input.sendNext(1) }
        for thread in [starter, sender] { thread.join() }
        expect(values.all, is: ["1"])
        #expect(!action.isEnabled.value)
    }

    @Test("a disposal that begins the next unit does not wait for a closure that is creating the work")
    func disposalWhileMaking() {
        let condition = MutableProperty(true)
        let (isMaking, mayReturn) = (Latch("the making"), Latch("the return"))
        let begun = Log<Int>()
        let action = Action<Int, Int, Never>(enabledIf: condition, policy: .queue(limit: 1)) { input in
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

    @Test("while another thread starts lets no work begin afterwards", arguments: policies, [true, false])
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
        "while another thread ends or disposes of the running unit lets no queued work begin afterwards",
        arguments: [true, false])
    func queueRace(isDisposed: Bool) {
        for _ in 0..<raceRounds {
            let plant = Plant(.queue(limit: 1))
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
