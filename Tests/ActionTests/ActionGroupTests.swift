import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// A group with two members of different types, whose units the test ends by name: `save a`, `print 1`.
private final class Office: Sendable {
    typealias End = @Sendable (TestError?) -> Void

    let log = Log<String>()
    let canSave = MutableProperty(true)
    let group: ActionGroup
    let save: Action<String, Int, TestError>
    let print: Action<Int, String, Never>
    private let running = Locked<[String: End]>([:])

    init(_ policy: ActionPolicy) {
        let (log, running) = (log, running)
        group = ActionGroup(policy: policy)
        save = Action(enabledIf: canSave, policy: .member(of: group)) { text in
            log.append("begin save \(text)")
            return SignalProducer { observer, _ in
                let end: End = { error in
                    if let error { observer.sendError(error) } else { observer.sendCompleted() }
                }
                running.withLock { $0["save \(text)"] = end }
            }
        }
        print = Action(policy: .member(of: group)) { number in
            log.append("begin print \(number)")
            return SignalProducer { observer, _ in
                running.withLock { $0["print \(number)"] = { _ in observer.sendCompleted() } }
            }
        }
    }

    /// Logs the states of both members.
    func observe() {
        for (name, isEnabled, isExecuting) in [
            ("save", save.isEnabled, save.isExecuting), ("print", print.isEnabled, print.isExecuting),
        ] {
            isEnabled.signal.observeNext { [log] in log.append("\(name) enabled \($0)") }
            isExecuting.signal.observeNext { [log] in log.append("\(name) executing \($0)") }
        }
    }

    @discardableResult
    func save(_ text: String) -> any Disposable { start(save.apply(text), "save \(text)") }

    @discardableResult
    func print(_ number: Int) -> any Disposable { start(print.apply(number), "print \(number)") }

    private func start<Value, Failure>(
        _ unit: SignalProducer<Value, ActionError<Failure>>, _ name: String
    ) -> any Disposable {
        unit.start { [log] event in
            switch event {
            case .next: break
            case .error(.disabled): log.append("refused \(name)")
            case .error: log.append("failed \(name)")
            case .completed, .interrupted: log.append("end \(name)")
            }
        }
    }

    func finish(_ name: String, with error: TestError? = nil) {
        running.withLock { $0.removeValue(forKey: name) }?(error)
    }

    func takeLog() -> [String] {
        defer { log.removeAll() }
        return log.all
    }
}

@Suite("ActionGroup", .watched)
struct ActionGroupTests {
    @Test("refuse: one unit of all members runs, and both say so before it begins")
    func refuse() {
        let office = Office(.refuse)
        office.observe()
        office.save("a")
        office.print(1)
        expect(
            office.takeLog(),
            is: [
                "save enabled false", "save executing true", "print enabled false", "begin save a", "refused print 1",
            ])
        office.finish("save a")
        expect(office.takeLog(), is: ["end save a", "save enabled true", "save executing false", "print enabled true"])
        office.print(2)
        office.save("b")
        expect(
            office.takeLog(),
            is: [
                "print enabled false", "print executing true", "save enabled false", "begin print 2", "refused save b",
            ])
        office.finish("print 2")
        #expect(office.save.isEnabled.value && office.print.isEnabled.value)
    }

    @Test("concurrent: counts the units of all members")
    func concurrent() {
        let office = Office(.concurrent(limit: 2))
        office.save("a")
        office.print(1)
        office.save("b")
        office.print(2)
        expect(office.takeLog(), is: ["begin save a", "begin print 1", "refused save b", "refused print 2"])
        office.finish("print 1")
        #expect(!office.print.isExecuting.value && office.save.isExecuting.value)
        office.save("c")
        expect(office.takeLog(), is: ["end print 1", "begin save c"])
        for name in ["save a", "save c"] { office.finish(name) }
    }

    @Test("queue: begins the units in the order of their starts, whichever members they belong to")
    func queue() {
        let office = Office(.queue(waiting: 3))
        office.observe()
        office.save("a")
        office.print(1)
        office.save("b")
        office.print(2)
        office.print(3)
        expect(
            office.takeLog(),
            is: [
                "save executing true", "begin save a", "print executing true", "print enabled false",
                "save enabled false", "refused print 3",
            ])
        office.finish("save a")
        office.finish("print 1")
        office.finish("save b")
        office.finish("print 2")
        expect(
            office.takeLog(),
            is: [
                "end save a", "save enabled true", "print enabled true", "begin print 1", "end print 1", "begin save b",
                "end save b", "save executing false", "begin print 2", "end print 2", "print executing false",
            ])
    }

    @Test("concurrent with a queue: gives a place that is free to the unit that has waited longest")
    func concurrentQueue() {
        let office = Office(.concurrent(limit: 2, waiting: 2))
        office.save("a")
        office.save("b")
        office.print(1)
        office.save("c")
        office.print(2)
        expect(office.takeLog(), is: ["begin save a", "begin save b", "refused print 2"])
        office.finish("save b")
        office.finish("save a")
        expect(office.takeLog(), is: ["end save b", "begin print 1", "end save a", "begin save c"])
        for name in ["print 1", "save c"] { office.finish(name) }
        #expect(!office.save.isExecuting.value && !office.print.isExecuting.value)
    }

    @Test("restart: a start interrupts the unit of another member")
    func restart() {
        let office = Office(.restart)
        office.save("a")
        office.print(1)
        office.save("b")
        expect(
            office.takeLog(), is: ["begin save a", "end save a", "begin print 1", "end print 1", "begin save b"])
        #expect(office.print.isEnabled.value && !office.print.isExecuting.value)
        office.finish("save b")
        expect(office.takeLog(), is: ["end save b"])
    }

    @Test("passes the place on when a unit fails or is disposed of, and removes a queued one that is")
    func otherEnds() {
        let office = Office(.queue(waiting: 3))
        office.save("a")
        let first = office.print(1)
        let second = office.print(2)
        office.save("b")
        first.dispose()
        office.finish("save a", with: .first)
        expect(office.takeLog(), is: ["begin save a", "end print 1", "failed save a", "begin print 2"])
        second.dispose()
        expect(office.takeLog(), is: ["end print 2", "begin save b"])
        office.finish("save b")
        #expect(!office.save.isExecuting.value && !office.print.isExecuting.value)
    }

    @Test("checks the condition of each member, at the start and when the turn of a queued unit comes")
    func conditions() {
        let office = Office(.queue(waiting: 3))
        office.print(1)
        office.save("a")
        office.print(2)
        office.canSave.value = false
        #expect(!office.save.isEnabled.value && office.save.isExecuting.value && office.print.isEnabled.value)
        office.save("b")
        office.finish("print 1")
        expect(
            office.takeLog(), is: ["begin print 1", "refused save b", "end print 1", "refused save a", "begin print 2"])
        #expect(!office.save.isExecuting.value)
        office.canSave.value = true
        office.save("c")
        office.finish("print 2")
        office.finish("save c")
        expect(office.takeLog(), is: ["end print 2", "begin save c", "end save c"])
    }

    @Test("works for members with a state, an optional state or a validated one")
    func states() {
        let group = ActionGroup(policy: .queue(waiting: 9))
        let (output, input) = Signal<Int, Never>.pipe()
        let (number, name) = (MutableProperty(1), MutableProperty<String?>(nil))
        let checked = ValidatingProperty<Int, TestError>(1) { $0 > 0 ? .valid : .invalid(.first) }
        let log = Log<String>()
        let plain = Action<Void, Int, Never>(policy: .member(of: group)) { SignalProducer(output) }
        let stateful = Action<Void, Int, Never>(state: number, enabledIf: { $0 > 0 }, policy: .member(of: group)) {
            SignalProducer(value: $0)
        }
        let unwrapping = Action<Int, String, Never>(unwrapping: name, policy: .member(of: group)) { name, number in
            SignalProducer(value: "\(name) \(number)")
        }
        let validated = Action<Void, Int, Never>(validated: checked, policy: .member(of: group)) {
            SignalProducer(value: -$0)
        }
        stateful.values.observeNext { log.append("\($0)") }
        unwrapping.values.observeNext { log.append($0) }
        validated.values.observeNext { log.append("\($0)") }
        plain.apply().start()
        stateful.apply().start()
        unwrapping.apply(1).startWithError { _ in log.append("no name") }
        name.value = "x"
        unwrapping.apply(2).start()
        validated.apply().start()
        checked.value = 0
        input.sendCompleted()
        expect(log.all, is: ["no name", "1", "x 2"])
        #expect(unwrapping.isEnabled.value && !validated.isEnabled.value && !validated.isExecuting.value)
    }

    @Test("an action that joins a full group is disabled until there is room")
    func joining() {
        let office = Office(.refuse)
        office.save("a")
        let late = Action<Int, Int, Never>(policy: .member(of: office.group)) { SignalProducer(value: $0) }
        #expect(!late.isEnabled.value && !late.isExecuting.value)
        office.finish("save a")
        #expect(late.isEnabled.value)
    }

    @Test("an action in two groups of its own, or in none, is limited by nobody else")
    func separate() {
        let (one, other) = (Office(.refuse), Office(.refuse))
        one.save("a")
        #expect(other.save.isEnabled.value && other.print.isEnabled.value)
        other.print(1)
        expect(other.takeLog(), is: ["begin print 1"])
        one.finish("save a")
        other.finish("print 1")
    }

    // MARK: Draining

    @Test("draining a member finishes its own units, and the other members go on")
    func draining() {
        let office = Office(.queue(waiting: 3))
        office.print(1)
        office.save("a")
        office.print(2)
        office.save.draining().startWithCompleted { [log = office.log] in log.append("drained") }
        #expect(office.save.isDraining && !office.save.isEnabled.value && office.print.isEnabled.value)
        office.save("b")
        expect(office.takeLog(), is: ["begin print 1", "refused save b"])
        office.finish("print 1")
        office.finish("save a")
        expect(office.takeLog(), is: ["end print 1", "begin save a", "end save a", "drained", "begin print 2"])
        office.print(3)
        for number in 2...3 { office.finish("print \(number)") }
        expect(office.takeLog(), is: ["end print 2", "begin print 3", "end print 3"])
    }

    @Test("draining a member with nothing to do ends at once, although another one runs")
    func drainingIdle() async {
        let office = Office(.queue(waiting: 3))
        office.print(1)
        await office.save.drain()
        #expect(office.print.isExecuting.value)
        office.finish("print 1")
        await office.print.drain()
    }

    @Test("draining a member ends when its queued units are disposed of or refused", arguments: [true, false])
    func drainingWithoutWork(isRefused: Bool) {
        let office = Office(.queue(waiting: 3))
        office.print(1)
        let starts = ["a", "b"].map { office.save($0) }
        office.save.draining().startWithCompleted { [log = office.log] in log.append("drained") }
        office.print(2)
        _ = office.takeLog()
        if isRefused {
            office.canSave.value = false
            office.finish("print 1")
            expect(
                office.takeLog(),
                is: ["end print 1", "refused save a", "refused save b", "drained", "begin print 2"])
        } else {
            // In the body of a `modify`, where no property is set.
            MutableProperty(0).modify { _ in for start in starts { start.dispose() } }
            expect(office.takeLog(), is: ["end save a", "end save b", "drained"])
            office.finish("print 1")
        }
        office.finish("print 2")
    }

    // MARK: Lifetimes

    @Test("a queued unit of an action that nobody else retains begins, and the action is released after it")
    func release() {
        let population = Population()
        let group = ActionGroup(policy: .queue(waiting: 2))
        let (output, input) = Signal<Int, Never>.pipe()
        let open = Action<Void, Int, Never>(policy: .member(of: group)) { SignalProducer(output) }
        open.apply().start()
        let log = Log<String>()
        do {
            let member = population.member()
            let condition = MutableProperty(true)
            let brief = Action<Int, Int, Never>(enabledIf: condition, policy: .member(of: group)) { number in
                member.touch()
                return SignalProducer(value: number)
            }
            brief.isEnabled.signal.observe { log.append("enabled \($0.text)") }
            brief.apply(1).start { log.append($0.text) }
        }
        expect(population.alive, is: 1)
        input.sendCompleted()
        expect(log.all, is: ["1", "completed", "enabled completed"])
        expect(population.alive, is: 0)
        open.apply().start()
        #expect(!open.isExecuting.value && open.isEnabled.value)
    }

    @Test("a member that is released leaves the group, and the group may be released before its members")
    func leaving() {
        weak var weakGroup: ActionGroup?
        let action: Action<Int, Int, Never>
        do {
            let group = ActionGroup(policy: .concurrent(limit: 2))
            weakGroup = group
            action = Action(policy: .member(of: group)) { SignalProducer(value: $0) }
            for _ in 1...3 { _ = Action<Int, Int, Never>(policy: .member(of: group)) { SignalProducer(value: $0) } }
        }
        let values = action.values.logged()
        action.apply(1).start()
        expect(values.all, is: ["1"])
        _ = weakGroup
    }

    @Test("nothing is leaked when members are released while units wait or run", arguments: [true, false])
    func leaks(isDisposed: Bool) {
        let population = Population()
        var starts: [any Disposable] = []
        let (output, input) = Signal<Int, Never>.pipe()
        do {
            let group = ActionGroup(policy: .queue(waiting: 5))
            for number in 1...3 {
                let member = population.member()
                let action = Action<Int, Int, Never>(policy: .member(of: group)) { _ in
                    member.touch()
                    return number == 1 ? SignalProducer(output) : .never
                }
                starts.append(action.apply(number).start())
            }
        }
        expect(population.alive, is: 3)
        if isDisposed { for start in starts.reversed() { start.dispose() } } else { input.sendCompleted() }
        for start in starts { start.dispose() }
        expect(population.alive, is: 0)
    }

    // MARK: In units and observers

    @Test("a start in a unit of another member is refused, or follows that unit", arguments: [0, 1])
    func nested(waiting: Int) {
        let group = ActionGroup(policy: .queue(waiting: waiting))
        let log = Log<String>()
        let inner = Action<Int, Int, Never>(policy: .member(of: group)) { number in
            log.append("inner begins")
            return SignalProducer(value: number)
        }
        let outer = Action<Int, Int, Never>(policy: .member(of: group)) { number in
            inner.apply(number).start { log.append("inner \($0.text)") }
            log.append("outer begins")
            return SignalProducer(value: number)
        }
        outer.apply(1).start { log.append("outer \($0.text)") }
        expect(
            log.all,
            is: waiting == 0
                ? ["inner error disabled", "outer begins", "outer 1", "outer completed"]
                : ["outer begins", "outer 1", "outer completed", "inner begins", "inner 1", "inner completed"])
    }

    @Test("an observer of the state of a member can start another one, dispose and drain")
    func reentrant() {
        let office = Office(.queue(waiting: 1))
        let first = office.save("a")
        let others = Log<any Disposable>()
        office.print.isEnabled.signal.observeNext { [weak office] isEnabled in
            if !isEnabled {
                first.dispose()
            } else if others.count == 0, let office {
                others.append(office.save("c"))
            }
        }
        office.print.isExecuting.signal.observeNext { [weak office] isExecuting in
            if !isExecuting { office?.print.draining().start() }
        }
        office.print(1)
        office.finish("print 1")
        for start in others.all { start.dispose() }
        expect(
            office.takeLog(),
            is: [
                "begin save a", "end save a", "begin print 1", "end print 1", "begin save c", "end save c",
            ])
        #expect(office.print.isDraining && !office.print.isExecuting.value && !office.save.isExecuting.value)
    }

    @Test("runs any number of queued units of several members without deepening the stack", .notUnderSanitizers)
    func longQueue() {
        let group = ActionGroup(policy: .queue(waiting: 10_000))
        let executions = Counter()
        let (output, input) = Signal<Int, Never>.pipe()
        let actions = (0..<3).map { _ in
            Action<Bool, Int, Never>(policy: .member(of: group)) { waits in
                executions.increment()
                return waits ? SignalProducer(output) : SignalProducer(value: 1)
            }
        }
        onSmallStack("queue") {
            actions[0].apply(true).start()
            for number in 0..<10_000 { actions[number % 3].apply(false).start() }
            input.sendCompleted()
        }
        expect(executions.value, is: 10_001)
        #expect(actions.allSatisfy { !$0.isExecuting.value && $0.isEnabled.value })
    }

    @Test("tasks that execute different members run one after another")
    func execute() async throws {
        let group = ActionGroup(policy: .queue(waiting: 100))
        let (running, mistakes) = (Counter(), Counter())
        let busy = Locked(false)
        @Sendable func work(_ number: Int) async -> Int {
            if busy.withLock({ isBusy in
                defer { isBusy = true }
                return isBusy
            }) {
                mistakes.increment()
            }
            await Task.yield()
            running.increment()
            busy.withLock { $0 = false }
            return number
        }
        let double = Action(policy: .member(of: group)) { (number: Int) async in await work(number) * 2 }
        let text = Action(policy: .member(of: group)) { (number: Int) async in "\(await work(number))" }
        try await withThrowingTaskGroup(of: Bool.self) { tasks in
            for number in 0..<20 {
                tasks.addTask { try await double.execute(number) == number * 2 }
                tasks.addTask { try await text.execute(number) == "\(number)" }
            }
            for try await isRight in tasks { #expect(isRight) }
        }
        expect(running.value, is: 40)
        expect(mistakes.value, is: 0)
    }

    // MARK: Threads

    @Test(
        "members that many threads start never exceed the limit, and each start ends once",
        arguments: [
            ActionPolicy.refuse, .concurrent(limit: 2), .queue(waiting: 3), .restart, .concurrent(limit: 2, waiting: 3),
        ])
    func threads(policy: ActionPolicy) {
        let rounds = 200
        let isDouble = [.concurrent(limit: 2), .concurrent(limit: 2, waiting: 3)].contains(policy)
        let limit = isDouble ? 2 : 1
        let (running, starts, ends) = (Locked(0), Counter(), Counter())
        let mistakes = Log<String>()
        let group = ActionGroup(policy: policy)
        let actions = (0..<3).map { _ in
            Action<Int, Int, TestError>(policy: .member(of: group)) { _ in
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
        }
        let states = actions.map { ($0.isEnabled.signal.logged(), $0.isExecuting.signal.logged()) }
        onThreads(4, "members") { thread in
            for round in 0..<rounds {
                starts.increment()
                let start = actions[(thread + round) % 3].apply(round).start { event in
                    if event.isTerminating { ends.increment() }
                }
                if thread == 3 { start.dispose() }
            }
        }
        expect(mistakes.all, is: [])
        expect(starts.value, is: 4 * rounds)
        expect(ends.value, is: starts.value)
        for (action, state) in zip(actions, states) {
            #expect(becomesTrue { action.isEnabled.value && !action.isExecuting.value })
            expect(state.0.all.last ?? "true", is: "true")
            expect(state.1.all.last ?? "false", is: "false")
        }
    }

    @Test("threads that change conditions of different depths, and start their actions, do not wait in a cycle")
    func depths() {
        for _ in 0..<raceRounds {
            let source = MutableProperty(0)
            let group = ActionGroup(policy: .concurrent(limit: 1, waiting: 1))
            var deep = source.map { $0 }
            for _ in 0..<6 { deep = deep.combineLatest(with: source).map { $0 + $1 } }
            let actions = [source.map { $0 }, deep].map { condition in
                Action<Int, Int, Never>(enabledIf: condition.map { $0 >= 0 }, policy: .member(of: group)) { number in
                    SignalProducer(value: number)
                }
            }
            let all = actions[0].isEnabled.and(actions[1].isEnabled)
            let observations = [all.producer.start(), actions[1].isEnabled.producer.start()]
            onThreads(3, "depths") { thread in
                for number in 0..<10 {
                    if thread == 2 { source.value = number } else { actions[thread].apply(number).start() }
                }
            }
            #expect(all.value && actions.allSatisfy { !$0.isExecuting.value })
            for observation in observations { observation.dispose() }
        }
    }

    @Test("matches the model over random starts, ends, disposals, conditions and drains", arguments: 0..<20)
    func model(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<raceRounds where !GroupRun(&random).matches(steps: 30) { return }
    }

    @Test("memberships are equal in the same group, and are described by its policy")
    func descriptions() {
        let (one, other) = (ActionGroup(), ActionGroup(policy: .queue(waiting: 2)))
        expect(one.policy, is: .refuse)
        expect(ActionPolicy.member(of: one), is: .member(of: one))
        #expect(ActionPolicy.member(of: one) != .member(of: ActionGroup()))
        #expect(ActionPolicy.member(of: one) != .refuse)
        expect("\(ActionPolicy.member(of: other))", is: ".member(of: ActionGroup(policy: .queue(waiting: 2)))")
    }

    @Test("traps on a group in a group")
    func inGroup() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ActionGroup(policy: .member(of: ActionGroup()))
        }
        result.expectTrap("ActionGroup(policy:): the policy must not be that of a member of another group")
    }
}

/// A group, and a plain queue that says what it does.
private final class GroupRun {
    private struct Member {
        var isMet = true
        var isDraining = false
        var hasDrained = false
    }

    private let limit: Int
    private let capacity: Int
    private let restarts: Bool
    private var members: [Member]
    private var running: [Int] = []
    private var line: [Int] = []
    private var expected: [String] = []

    private var random: SplitMix64
    private let log = Log<String>()
    private let conditions: [MutableProperty<Bool>]
    private let actions: [Action<Int, Int, Never>]
    private let enabled: [Log<String>]
    private let executing: [Log<String>]
    private let open = Locked<[Int: Signal<Int, Never>.Observer]>([:])
    private var starts: [Int: any Disposable] = [:]

    init(_ random: inout SplitMix64) {
        limit = random.number(in: 1...3)
        capacity = random.number(in: 0...3)
        restarts = random.once(in: 6)
        let group = ActionGroup(policy: restarts ? .restart : .concurrent(limit: limit, waiting: capacity))
        members = (0..<random.number(in: 1...3)).map { _ in Member() }
        let (log, open) = (log, open)
        conditions = members.map { _ in MutableProperty(true) }
        actions = conditions.map { condition in
            Action(enabledIf: condition, policy: .member(of: group)) { unit in
                log.append("begin \(unit)")
                return SignalProducer { observer, _ in open.withLock { $0[unit] = observer } }
            }
        }
        enabled = actions.map { $0.isEnabled.signal.logged() }
        executing = actions.map { $0.isExecuting.signal.logged() }
        self.random = SplitMix64(seed: random.next())
    }

    /// The member that a unit belongs to.
    private func member(of unit: Int) -> Int { unit % members.count }

    func matches(steps: Int) -> Bool {
        for step in 0..<steps {
            expected = []
            let member = random.number(in: 0...members.count - 1)
            switch random.number(in: 0...9) {
            case 0...4: start(step * members.count + member)
            case 5...6: if let unit = pick(running) { finish(unit) }
            case 7: if let unit = pick(running + line) { dispose(unit) }
            case 8: toggle(member)
            default: if random.once(in: 4) { drain(member) }
            }
            if !check() { return false }
        }
        for unit in running + line { starts[unit]?.dispose() }
        return actions.allSatisfy { !$0.isExecuting.value }
    }

    private func pick(_ units: [Int]) -> Int? { units.isEmpty ? nil : random.pick(units) }

    private func start(_ unit: Int) {
        let member = members[member(of: unit)]
        if !member.isMet || member.isDraining {
            expected = ["refused \(unit)"]
        } else if restarts {
            if let former = running.first { expected = ["end \(former)"] + left(former) }
            running = [unit]
            expected.append("begin \(unit)")
        } else if running.count < limit {
            running.append(unit)
            expected = ["begin \(unit)"]
        } else if line.count < capacity {
            line.append(unit)
        } else {
            expected = ["refused \(unit)"]
        }
        starts[unit] = actions[self.member(of: unit)].apply(unit).start { [log] event in
            if case .error(.disabled) = event {
                log.append("refused \(unit)")
            } else if event.isTerminating {
                log.append("end \(unit)")
            }
        }
    }

    private func finish(_ unit: Int) {
        end(unit)
        open.withLock { $0.removeValue(forKey: unit) }?.sendCompleted()
    }

    private func dispose(_ unit: Int) {
        if running.contains(unit) {
            end(unit)
        } else {
            line.removeAll { $0 == unit }
            expected = ["end \(unit)"] + left(unit)
        }
        starts[unit]?.dispose()
    }

    /// What the end of a running unit leads to.
    private func end(_ unit: Int) {
        running.removeAll { $0 == unit }
        expected = ["end \(unit)"] + left(unit)
        while !line.isEmpty {
            let next = line.removeFirst()
            if members[member(of: next)].isMet {
                running.append(next)
                expected.append("begin \(next)")
                return
            }
            expected += ["refused \(next)"] + left(next)
        }
    }

    private func toggle(_ member: Int) {
        members[member].isMet.toggle()
        conditions[member].value = members[member].isMet
    }

    private func drain(_ member: Int) {
        let isFirst = !members[member].isDraining
        members[member].isDraining = true
        if isFirst { expected = left(nil, of: member) }
        if isFirst { actions[member].draining().startWithCompleted { [log] in log.append("drained \(member)") } }
    }

    /// The event of a drain that has ended, if one has.
    private func left(_ unit: Int?, of member: Int? = nil) -> [String] {
        let member = member ?? self.member(of: unit ?? 0)
        let isBusy = (running + line).contains { $0 != unit && self.member(of: $0) == member }
        if isBusy || !members[member].isDraining || members[member].hasDrained { return [] }
        members[member].hasDrained = true
        return ["drained \(member)"]
    }

    private func check() -> Bool {
        expect(log.all, is: expected)
        var isRight = log.all == expected
        log.removeAll()
        let hasRoom = restarts || running.count < limit || line.count < capacity
        for (index, member) in members.enumerated() {
            let isEnabled = member.isMet && !member.isDraining && hasRoom
            let isExecuting = (running + line).contains { self.member(of: $0) == index }
            expect(actions[index].isEnabled.value, is: isEnabled)
            expect(actions[index].isExecuting.value, is: isExecuting)
            expect(enabled[index].all.last ?? "true", is: "\(isEnabled)")
            expect(executing[index].all.last ?? "false", is: "\(isExecuting)")
            isRight = isRight && actions[index].isEnabled.value == isEnabled
        }
        return isRight
    }
}
