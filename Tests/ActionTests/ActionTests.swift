import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Records everything that an action reports, in order.
private func eavesdrop<Input, Output, Failure>(_ action: Action<Input, Output, Failure>, _ log: Log<String>) {
    action.values.observeNext { log.append("values \($0)") }
    action.errors.observeNext { log.append("errors \($0)") }
    action.completed.observeNext { log.append("completed") }
    action.disabledErrors.observeNext { log.append("disabledErrors") }
    action.events.observeNext { log.append("events \($0.text)") }
    action.isEnabled.signal.observeNext { log.append("enabled \($0)") }
    action.isExecuting.signal.observeNext { log.append("executing \($0)") }
}

@Suite("Action", .watched)
struct ActionTests {
    typealias Pipe = (output: Signal<Int, TestError>, input: Signal<Int, TestError>.Observer)

    @Test("reports a unit of work in the documented order")
    func order() {
        let log = Log<String>()
        let action = Action<Int, Int, TestError> { input in
            log.append("execute \(input)")
            return SignalProducer([input, input + 1])
        }
        eavesdrop(action, log)
        let producer = action.apply(1)
        expect(log.all, is: [])
        producer.start { log.append("applier \($0.text)") }
        expect(
            log.all,
            is: [
                "enabled false", "executing true", "execute 1",
                "applier 1", "values 1", "events 1", "applier 2", "values 2", "events 2",
                "applier completed", "enabled true", "executing false", "completed", "events completed",
            ])
    }

    @Test("sends each unit on executions as it begins, and last of all what the unit sends")
    func executions() {
        let (output, input) = Signal<Int, TestError>.pipe()
        let action = Action<Int, Int, TestError>(policy: .queue(waiting: 1)) { number in
            number == 1 ? SignalProducer(output) : SignalProducer([number]).concat(error: .second)
        }
        let log = Log<String>()
        action.apply(0).start()
        let late = Locked<SignalProducer<Int, Never>?>(nil)
        action.executions.observeNext { execution in
            log.append("begins")
            late.withLock { $0 = execution }
            execution.start { log.append("execution \($0.text)") }
        }
        eavesdrop(action, log)
        action.apply(1).start { log.append($0.text) }
        action.apply(2).start { log.append($0.text) }
        input.sendNext(7)
        let second = Log<String>()
        late.withLock { $0 }?.start { second.append($0.text) }.dispose()
        late.withLock { $0 }?.start { second.append($0.text) }
        input.sendNext(8)
        input.sendCompleted()
        let ofUnits = log.all.filter { !$0.hasPrefix("enabled") && !$0.hasPrefix("executing") }
        expect(
            ofUnits,
            is: [
                "begins", "7", "values 7", "events 7", "execution 7", "8", "values 8", "events 8", "execution 8",
                "completed", "completed", "events completed", "execution completed",
                "begins", "2", "values 2", "events 2", "execution 2",
                "error producerError(TestSupport.TestError.second)", "errors second",
                "events error second", "execution completed",
            ])
        expect(second.all, is: ["interrupted", "8", "completed"])
        late.withLock { $0 }?.start { second.append("late \($0.text)") }
        expect(second.all.last, is: "late interrupted")
    }

    @Test("ends each execution once, whatever threads start, send and dispose of", arguments: 0..<2)
    func racingExecutions(_ round: Int) {
        for _ in 0..<raceRounds {
            let (output, input) = Signal<Int, Never>.pipe()
            let condition = MutableProperty(true)
            let action = Action<Int, Int, Never>(enabledIf: condition, policy: .queue(waiting: 4)) { _ in
                SignalProducer(output)
            }
            let (begun, ended) = (Counter(), Counter())
            action.executions.observeNext { execution in
                begun.increment()
                execution.start { if $0.isTerminating { ended.increment() } }
            }
            onThreads(3, "executes") { thread in
                switch thread {
                case 0: for value in 0..<4 { input.sendNext(value) }
                case 1: condition.value = round == 0
                default: for number in 0..<4 { action.apply(number).start().dispose() }
                }
            }
            input.sendCompleted()
            #expect(becomesTrue { begun.value == ended.value })
            #expect(becomesTrue { !action.isExecuting.value })
        }
    }

    @Test("interrupts the execution of a unit that is disposed of, and completes executions at its end")
    func interruptedExecution() {
        var action: Action<Void, Int, Never>? = Action { .never }
        let log = Log<String>()
        action?.executions.observe { event in
            event.value?.start { log.append($0.text) }
            if event.isTerminating { log.append("executions \(event.isCompleted)") }
        }
        action?.apply().start().dispose()
        action = nil
        expect(log.all, is: ["interrupted", "executions true"])
    }

    @Test("wraps the error of its work")
    func errors() {
        let log = Log<String>()
        let action = Action<Int, Int, TestError> { _ in SignalProducer(error: .first) }
        eavesdrop(action, log)
        action.apply(1).start { log.append("applier \($0.text)") }
        expect(
            log.all,
            is: [
                "enabled false", "executing true", "applier error \(ActionError<TestError>.producerError(.first))",
                "enabled true", "executing false", "errors first", "events error first",
            ])
        expect(ActionError<TestError>.producerError(.first), is: .producerError(.first))
        expect(Set<ActionError<TestError>>([.disabled, .disabled]).count, is: 1)
    }

    @Test("runs one unit per start")
    func starts() {
        let inputs = Log<Int>()
        let action = Action<Int, Int, Never> { input in
            inputs.append(input)
            return SignalProducer(value: input)
        }
        let producer = action.apply(3)
        producer.start()
        producer.start()
        action.apply(4).start()
        expect(inputs.all, is: [3, 3, 4])
    }

    @Test("is disabled while it executes, which each start checks")
    func disabledWhileExecuting() {
        let pipe: Pipe = Signal.pipe()
        let action = Action<Void, Int, TestError> { SignalProducer(pipe.output) }
        let log = Log<String>()
        let second = action.apply()
        let first = action.apply().start()
        eavesdrop(action, log)
        second.start { log.append("applier \($0.text)") }
        expect(log.all, is: ["applier error disabled", "disabledErrors"])
        #expect(!action.isEnabled.value)
        #expect(action.isExecuting.value)
        pipe.input.sendCompleted()
        #expect(action.isEnabled.value)
        #expect(!action.isExecuting.value)
        #expect(first.isDisposed)
    }

    @Test("is disabled while its condition is false")
    func condition() {
        let isAllowed = MutableProperty(false)
        let action = Action<Void, Int, Never>(enabledIf: isAllowed) { SignalProducer(value: 1) }
        let log = Log<String>()
        eavesdrop(action, log)
        #expect(!action.isEnabled.value)
        action.apply().start { log.append("applier \($0.text)") }
        isAllowed.value = true
        isAllowed.value = true
        isAllowed.value = false
        expect(
            log.all,
            is: [
                "applier error disabled", "disabledErrors", "enabled true", "enabled false",
            ])
    }

    @Test("interrupts its unit when the start is disposed of")
    func disposal() {
        let pipe: Pipe = Signal.pipe()
        let log = Log<String>()
        let action = Action<Void, Int, TestError> {
            SignalProducer(pipe.output).on(disposed: { log.append("disposed") })
        }
        let start = action.apply().start { log.append("applier \($0.text)") }
        eavesdrop(action, log)
        pipe.input.sendNext(1)
        start.dispose()
        pipe.input.sendNext(2)
        expect(
            log.all,
            is: [
                "applier 1", "values 1", "events 1", "applier interrupted", "disposed", "enabled true",
                "executing false",
                "events interrupted",
            ])
    }

    @Test("interrupts its unit when downstream ends")
    func enough() {
        let pipe: Pipe = Signal.pipe()
        let log = Log<String>()
        let action = Action<Void, Int, TestError> { SignalProducer(pipe.output) }
        action.apply().take(first: 1).start { log.append("applier \($0.text)") }
        eavesdrop(action, log)
        pipe.input.sendNext(1)
        expect(
            log.all,
            is: [
                "applier 1", "applier completed", "values 1", "events 1", "enabled true", "executing false",
                "events interrupted",
            ])
    }

    @Test("does nothing for a start that is disposed of immediately")
    func disposedFirst() {
        let executions = Counter()
        let action = Action<Void, Int, Never> {
            executions.increment()
            return SignalProducer(value: 1)
        }
        let (trigger, input) = Signal<Void, Never>.pipe()
        input.sendCompleted()
        action.apply().take(until: SignalProducer(value: ())).start()
        _ = trigger
        expect(executions.value, is: 0)
        #expect(action.isEnabled.value)
    }

    @Test("is interrupted by an observer of `isExecuting` that disposes of the start")
    func disposedInBeginning() {
        let executions = Counter()
        let log = Log<String>()
        let action = Action<Void, Int, Never> {
            executions.increment()
            return SignalProducer(value: 1)
        }
        let starts = Locked<(any Disposable)?>(nil)
        action.apply().startWithSignal { signal, interrupter in
            starts.withLock { $0 = interrupter }
            signal.observe { log.append("applier \($0.text)") }
            action.isExecuting.signal.observeNext { if $0 { starts.withLock { $0 }?.dispose() } }
            action.events.observeNext { log.append("events \($0.text)") }
        }
        expect(executions.value, is: 0)
        expect(log.all, is: ["applier interrupted", "events interrupted"])
        #expect(action.isEnabled.value)
        #expect(!action.isExecuting.value)
    }

    // MARK: Lives

    @Test("completes its signals and properties when it is released, once its last unit has ended")
    func life() {
        let pipe: Pipe = Signal.pipe()
        let log = Log<String>()
        var action: Action<Void, Int, TestError>? = Action { SignalProducer(pipe.output) }
        let isEnabled = action!.isEnabled
        action!.values.observeCompleted { log.append("values") }
        action!.errors.observeCompleted { log.append("errors") }
        action!.completed.observeCompleted { log.append("completed") }
        action!.disabledErrors.observeCompleted { log.append("disabledErrors") }
        action!.events.observeCompleted { log.append("events") }
        action!.isEnabled.signal.observeCompleted { log.append("isEnabled") }
        action!.isExecuting.signal.observeCompleted { log.append("isExecuting") }
        action!.lifetime.observeEnded { log.append("lifetime") }
        action!.apply().start()
        action = nil
        expect(log.all, is: [])
        pipe.input.sendCompleted()
        expect(
            Set(log.all),
            is: [
                "values", "errors", "completed", "disabledErrors", "events", "isEnabled", "isExecuting", "lifetime",
            ])
        expect(log.count, is: 8)
        #expect(isEnabled.value)
    }

    @Test("ends its properties even if its condition continues, and continues when its condition ends")
    func lifeOfCondition() {
        var isAllowed: MutableProperty<Bool>? = MutableProperty(true)
        let view = Property(isAllowed!)
        var action: Action<Void, Int, Never>? = Action(enabledIf: view) { SignalProducer(value: 1) }
        let log = action!.isEnabled.signal.logged()
        isAllowed = nil
        expect(log.all, is: [])
        action!.apply().start()
        expect(log.all, is: ["false", "true"])
        action = nil
        expect(log.all, is: ["false", "true", "completed"])
        let other = MutableProperty(true)
        action = Action(enabledIf: other) { SignalProducer(value: 1) }
        let second = action!.isEnabled.signal.logged()
        action = nil
        expect(second.all, is: ["completed"])
        other.value = false
    }

    @Test("ends its properties with their current values, observed or not", arguments: [true, false])
    func finalValues(isObserved: Bool) {
        for isAllowed in [true, false] {
            let condition = MutableProperty(isAllowed)
            var action: Action<Void, Int, Never>? = Action(enabledIf: condition) { SignalProducer(value: 1) }
            let (isEnabled, isExecuting) = (action!.isEnabled, action!.isExecuting)
            let observation = isObserved ? isEnabled.signal.observe { _ in } : nil
            action = nil
            condition.value = !isAllowed
            expect(isEnabled.value, is: isAllowed)
            #expect(!isExecuting.value)
            expect(isEnabled.map { $0 }.value, is: isAllowed)
            let log = Log<String>()
            isEnabled.producer.start { log.append($0.text) }
            expect(log.all, is: ["\(isAllowed)", "completed"])
            observation?.dispose()
        }
    }

    @Test("retains its condition, and leaks nothing")
    func memory() {
        let population = Population()
        do {
            var isAllowed: MutableProperty<Population.Member?>? = MutableProperty(population.member())
            let member = population.member()
            let action = Action<Population.Member, Population.Member, TestError>(
                state: isAllowed!, enabledIf: { $0 != nil }
            ) { _, input in
                member.touch()
                return SignalProducer([input, input])
            }
            isAllowed = nil
            #expect(action.isEnabled.value)
            action.values.observeNext { $0.touch() }
            action.apply(population.member()).start()
            action.apply(population.member()).take(first: 1).start()
            action.apply(population.member()).start().dispose()
            expect(population.alive, is: 2)
        }
        expect(population.alive, is: 0)
    }

    // MARK: States

    @Test("passes the state with which it was enabled")
    func state() {
        let stock = MutableProperty(2)
        let log = Log<String>()
        let sell = Action<Int, Int, Never>(state: stock, enabledIf: { $0 > 0 }) { stock, wanted in
            SignalProducer(value: min(stock, wanted))
        }
        sell.values.observeNext { sold in
            log.append("sold \(sold)")
            stock.value -= sold
        }
        sell.apply(1).start()
        sell.apply(5).start()
        #expect(!sell.isEnabled.value)
        sell.apply(1).startWithError { log.append("\($0)") }
        expect(log.all, is: ["sold 1", "sold 1", "disabled"])
    }

    @Test("is disabled while its state is nil or invalid")
    func unwrapping() {
        let user = MutableProperty<String?>(nil)
        let greet = Action<Void, String, Never>(unwrapping: user) { name in SignalProducer(value: "Hello, \(name)") }
        let greetings = greet.values.logged()
        greet.apply().start()
        user.value = "Ada"
        greet.apply().start()
        let age = ValidatingProperty<Int, TestError>(-1) { $0 >= 0 ? .valid : .invalid(.first) }
        let grow = Action<Int, Int, Never>(validated: age) { age, years in SignalProducer(value: age + years) }
        let ages = grow.values.logged()
        #expect(!grow.isEnabled.value)
        age.value = 3
        grow.apply(2).start()
        age.value = -3
        #expect(!grow.isEnabled.value)
        expect(greetings.all, is: ["Hello, Ada"])
        expect(ages.all, is: ["5"])
    }

    @Test("never runs with an outdated state when threads change the state", arguments: 0..<4)
    func stateRace(_ round: Int) {
        let state = MutableProperty(0)
        let mistakes = Counter()
        let runs = Counter()
        let action = Action<Void, Int, Never>(state: state, enabledIf: { $0.isMultiple(of: 2) }) { value in
            if !value.isMultiple(of: 2) { mistakes.increment() }
            runs.increment()
            return SignalProducer(value: value)
        }
        onThreads(3, "states") { thread in
            for _ in 0..<400 {
                if thread == 0 {
                    state.modify { $0 += 1 }
                    // The state is odd, so nothing may begin until the next change.
                    if !state.value.isMultiple(of: 2) {
                        let before = runs.value
                        if !action.isExecuting.value, runs.value == before, action.isEnabled.value {
                            mistakes.increment()
                        }
                    }
                } else {
                    action.apply().start()
                }
            }
        }
        expect(mistakes.value, is: 0)
        expect(action.isEnabled.value, is: state.value.isMultiple(of: 2))
    }

    // MARK: Bindings

    @Test("runs for each value of its bound source, which does not retain it")
    func binding() {
        let (output, input) = Signal<Int, Never>.pipe()
        let inputs = Log<Int>()
        let pipe: Pipe = Signal.pipe()
        var action: Action<Int, Int, TestError>? = Action { input in
            inputs.append(input)
            return input == 2 ? SignalProducer(pipe.output) : SignalProducer(value: input)
        }
        let refusals = action!.disabledErrors.logged()
        let binding = action! <~ output
        for value in 1...4 { input.sendNext(value) }
        pipe.input.sendCompleted()
        input.sendNext(5)
        expect(inputs.all, is: [1, 2, 5])
        expect(refusals.count, is: 2)
        action = nil
        expect(refusals.all.last, is: "completed")
        input.sendNext(6)
        expect(inputs.all, is: [1, 2, 5])
        #expect(binding.isDisposed)
    }

    @Test("neither hangs nor loops if its condition depends on it")
    func feedback() {
        let isAllowed = MutableProperty(true)
        let action = Action<Void, Int, Never>(enabledIf: isAllowed) { SignalProducer(value: 1) }
        isAllowed <~ action.isExecuting.negate()
        let log = action.isEnabled.signal.logged()
        action.apply().start()
        expect(log.all, is: ["false", "true"])
        // Two actions that exclude each other.
        let (first, second) = (MutableProperty(true), MutableProperty(true))
        let pipe: Pipe = Signal.pipe()
        let one = Action<Void, Int, TestError>(enabledIf: first) { SignalProducer(pipe.output) }
        let other = Action<Void, Int, TestError>(enabledIf: second) { SignalProducer(value: 1) }
        second <~ one.isExecuting.negate()
        first <~ other.isExecuting.negate()
        one.apply().start()
        #expect(!other.isEnabled.value)
        pipe.input.sendCompleted()
        #expect(other.isEnabled.value)
        other.apply().start()
        #expect(one.isEnabled.value)
    }

    @Test("can be started again by an observer of its end")
    func again() {
        let executions = Counter()
        let action = Action<Void, Int, Never> {
            executions.increment()
            return SignalProducer(value: 1)
        }
        // Runs on a small stack, since the starts must not nest.
        onSmallStack("queue") {
            action.isEnabled.signal.observeNext { [weak action] isEnabled in
                if isEnabled, executions.value < 20_000 { action?.apply().start() }
            }
            action.apply().start()
        }
        expect(executions.value, is: 20_000)
        #expect(action.isEnabled.value)
    }

    // MARK: Disposal never waits

    @Test("disposal of a start does not wait for a thread that computes the condition", arguments: [true, false])
    func disposalWhileComputing(isWaiting: Bool) {
        let state = MutableProperty(0)
        let (inside, goOn) = (Latch("the computation"), Latch("the disposal"))
        let condition = state.map { value in
            if value == 1 {
                inside.open()
                goOn.wait()
            }
            return true
        }
        let pipe: Pipe = Signal.pipe()
        let action = Action<Void, Int, TestError>(enabledIf: condition, policy: .queue(waiting: 1)) {
            SignalProducer(pipe.output)
        }
        let log = Log<String>()
        let running = action.apply().start { log.append("running \($0.text)") }
        let waiting = action.apply().start { log.append("waiting \($0.text)") }
        let thread = TestThread("computes") { state.value = 1 }
        inside.wait()
        (isWaiting ? waiting : running).dispose()
        expect(log.all, is: [isWaiting ? "waiting interrupted" : "running interrupted"])
        goOn.open()
        thread.join()
        #expect(action.isExecuting.value)
        pipe.input.sendCompleted()
        #expect(!action.isExecuting.value)
        #expect(action.isEnabled.value)
    }

    @Test("disposal of a start does not wait for another start's event")
    func disposalWhileSending() {
        let pipe: Pipe = Signal.pipe()
        let (inside, goOn) = (Latch("the event"), Latch("the disposal"))
        let action = Action<Bool, Int, TestError>(policy: .concurrent(limit: 2)) { isFirst in
            isFirst ? SignalProducer(pipe.output) : .never
        }
        let log = action.events.logged()
        action.events.observeNext { event in
            guard case .next = event else { return }
            inside.open()
            goOn.wait()
        }
        action.apply(true).start()
        let second = action.apply(false).start()
        let thread = TestThread("sends") { pipe.input.sendNext(1) }
        inside.wait()
        second.dispose()
        goOn.open()
        thread.join()
        expect(log.count, is: 2)
        pipe.input.sendCompleted()
    }
}
