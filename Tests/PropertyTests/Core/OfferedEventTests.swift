import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Events of several combinations with one property, one of whose observers works for long.
@Suite("Events behind a slow observer", .watched)
struct OfferedEventTests {
    private enum Request {
        @TaskLocal static var id = "none"
    }

    /// The property of a request, combined with one that all requests share.
    private struct Desk: Sendable {
        let own = MutableProperty(1)
        let both: Property<(Int, String)>
        let log = Log<String>()

        init(_ config: MutableProperty<String>) { both = own.combineLatest(with: config) }
    }

    /// Two requests, and a thread that sets the property of both and stays in the observer that it calls first.
    private final class Office: Sendable {
        let config = MutableProperty("a")
        private let desks: [Desk]
        private let busy = Locked<Int?>(nil)
        private let (isInEvent, canGoOn) = (Latch("the event"), Latch("to go on"))
        private let setter = Locked<TestThread?>(nil)

        /// - Parameter isConfigObserved: Whether the first observer is one of the shared property.
        init(isConfigObserved: Bool) {
            let (busy, isInEvent, canGoOn) = (busy, isInEvent, canGoOn)
            let stay: @Sendable (Int) -> Void = { number in
                let isFirst = busy.withLock { busy in
                    defer { busy = busy ?? number }
                    return busy == nil
                }
                guard isFirst else { return }
                isInEvent.open()
                canGoOn.wait()
            }
            if isConfigObserved { config.signal.observeNext { _ in stay(1) } }
            desks = [Desk(config), Desk(config)]
            for (number, desk) in desks.enumerated() {
                desk.both.signal.observe { [log = desk.log] event in
                    stay(number)
                    log.append("\(event.text), \(Request.id)")
                }
            }
        }

        /// The second request.
        var other: Desk { desks[0] }

        /// Sets the shared property on another thread. Returns the request whose observer has not been called.
        func begin() -> Desk {
            let thread = TestThread("sets") { [config] in Request.$id.withValue("config") { config.value = "b" } }
            setter.withLock { $0 = thread }
            isInEvent.wait()
            return desks[1 - busy.withLock { $0 ?? 0 }]
        }

        func finish() {
            canGoOn.open()
            setter.withLock { $0 }?.join()
        }
    }

    @Test("a set does not wait for an observer of another request", arguments: [false, true])
    func set(isConfigObserved: Bool) {
        let office = Office(isConfigObserved: isConfigObserved)
        let other = office.begin()
        expect(other.both.value.1, is: "b")
        expect(other.log.all, is: [])
        // Would not return if it waited.
        Request.$id.withValue("own") { other.own.value = 2 }
        let both = [#"(1, "b"), none"#, #"(2, "b"), own"#]
        expect(other.log.all, is: both)
        office.finish()
        expect(other.log.all, is: both)
    }

    @Test(
        "an event is sent in its turn, with the task-locals of the set, if no other thread takes it",
        arguments: [false, true])
    func turn(isConfigObserved: Bool) {
        let office = Office(isConfigObserved: isConfigObserved)
        let other = office.begin()
        expect(other.log.all, is: [])
        office.finish()
        expect(other.log.all, is: [#"(1, "b"), config"#])
        office.config.value = "c"
        expect(other.log.all.last, is: #"(1, "c"), none"#)
    }

    @Test("a start of the producer does not wait for an observer of another request", arguments: [false, true])
    func start(isConfigObserved: Bool) {
        let office = Office(isConfigObserved: isConfigObserved)
        let other = office.begin()
        let started = Log<String>()
        other.both.producer.start { started.append($0.text) }
        expect(started.all, is: [#"(1, "b")"#])
        expect(other.log.all, is: [#"(1, "b"), none"#])
        office.finish()
        expect(started.all, is: [#"(1, "b")"#])
    }

    @Test("observing and disposing do not wait, and later events reach those that observe")
    func visitors() {
        let office = Office(isConfigObserved: true)
        let kept = Log<String>()
        let start = office.other.both.producer.start { kept.append($0.text) }
        let other = office.begin()
        start.dispose()
        let late = Log<String>()
        other.both.signal.observe { late.append($0.text) }
        other.own.value = 2
        expect(kept.all, is: [#"(1, "a")"#, "interrupted"])
        expect(late.all.last, is: #"(2, "b")"#)
        expect(other.log.all, is: [#"(1, "b"), none"#, #"(2, "b"), none"#])
        office.finish()
        expect(other.log.all.count, is: 2)
    }

    @Test("what an observer sets on the same thread follows in each signal")
    func nested() {
        let (config, other) = (MutableProperty(0), MutableProperty(10))
        let log = Log<String>()
        config.signal.observeNext { value in
            guard value == 1 else { return }
            other.value = 11
            log.append("set")
        }
        let both = other.combineLatest(with: config)
        both.signal.observeNext { log.append("\($0), \(Request.id)") }
        Request.$id.withValue("outer") { config.value = 1 }
        expect(log.all, is: ["set", "(10, 1), outer", "(11, 1), outer"])
        expect(both.value.0, is: 11)
    }

    @Test("what an observer of an input sets there does not wait for an observer of another request")
    func nestedElsewhere() {
        let (slow, own) = (MutableProperty(0), MutableProperty(1))
        let input = own.map { $0 * 10 }
        let both = input.combineLatest(with: slow.map { $0 })
        let log = Log<String>()
        both.signal.observeNext { log.append("\($0)") }
        let observation = input.signal.observeNext { value in
            if value == 20 { own.value = 3 }
            log.append("\(value)")
        }
        holdUp(slow, with: 5) {
            // Would not return if it waited.
            own.value = 2
            expect(log.all.last, is: "30")
            #expect(log.all.contains("(30, 5)"))
        }
        expect(both.value.0, is: 30)
        // It retains the property that it follows.
        observation?.dispose()
    }

    @Test("a producer that an observer of the same set starts sends the value at once, and nothing twice")
    func startedInside() {
        for contention in [Contention.wait, .enqueue] {
            let (config, other) = (MutableProperty(0), MutableProperty(10, contention: contention))
            let both = other.combineLatest(with: config).map { "\($0)" }
            let (log, started) = (both.signal.logged(), Log<String>())
            config.signal.observeNext { _ in
                both.producer.start { started.append($0.text) }
                started.append("inside")
            }
            config.value = 1
            expect(started.all, is: ["(10, 1)", "inside"])
            expect(log.all, is: ["(10, 1)"])
        }
    }

    @Test("an observer that sets often what its own property follows from is called on the thread of the set")
    func cascade() {
        let (config, number) = (MutableProperty("a"), MutableProperty(0))
        config.signal.observeNext { _ in }
        let thread = ThreadIdentity.current
        let (here, elsewhere) = (Counter(), Counter())
        let observation = number.combineLatest(with: config).signal.observeNext { pair in
            (ThreadIdentity.current == thread ? here : elsewhere).increment()
            if pair.0 < 1_000 { number.value += 1 }
        }
        config.value = "b"
        expect(here.value, is: 1_001)
        expect(elsewhere.value, is: 0)
        // It retains the property that it follows.
        observation?.dispose()
    }

    @Test("a property that is released while its event waits sends it, and keeps no value")
    func released() {
        let population = Population()
        let config = MutableProperty<Population.Member?>(population.member())
        let (isInEvent, canGoOn) = (Latch("the event"), Latch("to go on"))
        config.signal.observeNext { _ in
            isInEvent.open()
            canGoOn.wait()
        }
        let values = Counter()
        var both: Property<(Int, Population.Member?)>? = MutableProperty(1).combineLatest(with: config)
        let observation = both?.signal.observeNext { _ in values.increment() }
        let setter = TestThread("sets") { config.value = population.member() }
        isInEvent.wait()
        both = nil
        canGoOn.open()
        setter.join()
        expect(values.value, is: 1)
        observation?.dispose()
        expect(population.alive, is: 1)
    }

    /// Sets a property on another thread, whose first observer stays.
    private func holdUp<Value>(
        _ property: MutableProperty<Value>, with value: Value, _ meanwhile: () -> Void
    ) {
        let (isInEvent, canGoOn) = (Latch("the event"), Latch("to go on"))
        property.signal.observeNext { _ in
            isInEvent.open()
            canGoOn.wait()
        }
        let setter = TestThread("sets") { property.value = value }
        isInEvent.wait()
        meanwhile()
        canGoOn.open()
        setter.join()
    }

    @Test("what follows from a combination is delivered behind it, on any thread", arguments: [false, true])
    func order(isStart: Bool) {
        let (config, own) = (MutableProperty(0), MutableProperty(1))
        let both = own.combineLatest(with: config)
        let derived = both.map { $0.0 * 10 + $0.1 }
        let log = Log<String>()
        both.signal.observeNext { log.append("\($0)") }
        derived.signal.observeNext { log.append("\($0)") }
        holdUp(config, with: 2) {
            if isStart { derived.producer.startWithNext { _ in } } else { own.value = 3 }
            expect(log.all, is: isStart ? ["(1, 2)", "12"] : ["(1, 2)", "(3, 2)", "12", "32"])
        }
        expect(log.all.count, is: isStart ? 2 : 4)
    }

    @Test("a property that is derived from a combination holds up no thread behind another one's observer")
    func derived() {
        let config = MutableProperty("a")
        let (owns, logs) = ([MutableProperty(1), MutableProperty(2)], [Log<String>(), Log<String>()])
        let (isInEvent, canGoOn) = (Latch("the event"), Latch("to go on"))
        let busy = Locked<Int?>(nil)
        let stay: @Sendable (Int) -> Void = { number in
            let isFirst = busy.withLock { busy in
                defer { busy = busy ?? number }
                return busy == nil
            }
            guard isFirst else { return }
            isInEvent.open()
            canGoOn.wait()
        }
        // What is derived from a combination is delivered behind both combinations.
        let all = zip(owns, logs).enumerated().map { number, desk in
            let both = desk.0.combineLatest(with: config)
            let derived = both.map { "\($0)" }
            if number == 0 { both.signal.observeNext { _ in } }
            // Retains the log alone: not the property that it follows.
            derived.signal.observeNext { [log = desk.1] text in
                stay(number)
                log.append(text)
            }
            return derived
        }
        let setter = TestThread("sets") { config.value = "b" }
        isInEvent.wait()
        let other = 1 - (busy.withLock { $0 } ?? 0)
        owns[other].value = 3
        expect(logs[other].all.last, is: #"(3, "b")"#)
        expect(all[other].value, is: #"(3, "b")"#)
        canGoOn.open()
        setter.join()
        expect(logs[other].all.count, is: 2)
    }

    @Test("the result of a validation is delivered before the value, whichever thread delivers")
    func validation() {
        let limit = MutableProperty(10)
        let quota = ValidatingProperty<Int, NeverValid>(5, with: limit) { value, limit in
            value <= limit ? .valid : .invalid(NeverValid())
        }
        quota.value = 20
        let log = Log<String>()
        quota.result.signal.observeNext { log.append($0.isInvalid ? "invalid" : "valid") }
        quota.signal.observeNext { log.append("\($0)") }
        holdUp(limit, with: 30) {
            quota.producer.startWithNext { _ in }
            expect(log.all, is: ["valid", "20"])
        }
        expect(log.all, is: ["valid", "20"])
    }

    private struct NeverValid: Error {}

    @Test("an action is disabled before it executes, whichever thread delivers")
    func action() {
        let condition = MutableProperty(true)
        let action = Action<Int, Int, Never>(enabledIf: condition) { _ in .never }
        let log = Log<String>()
        let (isInEvent, canGoOn) = (Latch("the event"), Latch("to go on"))
        action.isEnabled.signal.observeNext { _ in
            isInEvent.open()
            canGoOn.wait()
        }
        action.isEnabled.signal.observeNext { log.append("enabled: \($0)") }
        action.isExecuting.signal.observeNext { log.append("executing: \($0)") }
        let work = Locked<(any Disposable)?>(nil)
        let starter = TestThread("starts") { work.withLock { $0 = action.apply(1).start() } }
        isInEvent.wait()
        let other = TestThread("observes") { action.isExecuting.producer.startWithNext { _ in } }
        other.waitUntilAsleep()
        expect(log.all, is: [])
        canGoOn.open()
        starter.join()
        other.join()
        expect(log.all, is: ["enabled: false", "executing: true"])
        work.withLock { $0 }?.dispose()
    }

    @Test("a set in an observer waits for the event that another thread has taken over")
    func handedBack() {
        let (config, own) = (MutableProperty(0), MutableProperty(1))
        let both = own.combineLatest(with: config)
        let log = Log<String>()
        let (isTaken, canGoOn) = (Latch("to be taken over"), Latch("to go on"))
        both.signal.observeNext { pair in
            if pair == (1, 1) {
                isTaken.open()
                canGoOn.wait()
            }
            log.append("\(pair)")
        }
        let other = Locked<TestThread?>(nil)
        config.signal.observeNext { value in
            guard value == 1 else { return }
            let thread = TestThread("takes over") { own.value = 2 }
            other.withLock { $0 = thread }
            isTaken.wait()
        }
        let setter = TestThread("sets") {
            config.value = 1
            log.append("set")
        }
        isTaken.wait()
        setter.waitUntilAsleep()
        canGoOn.open()
        setter.join()
        other.withLock { $0 }?.join()
        expect(log.all, is: ["(1, 1)", "(2, 1)", "set"])
    }

    @Test("an end that another thread delivers arrives once, behind the value")
    func ends() {
        let config = MutableProperty(0)
        var own: MutableProperty<Int>? = MutableProperty(1)
        let pairs = Property.zip(own!, config).map { "\($0)" }
        let log = pairs.signal.logged()
        own?.value = 2
        own = nil
        // The zip ends with its next pair, because one side has none left.
        holdUp(config, with: 5) {
            pairs.producer.startWithNext { _ in }
            expect(log.all, is: ["(2, 5)", "completed"])
        }
        expect(log.all, is: ["(2, 5)", "completed"])
    }

    @Test("threads that set one property of all requests, and their own, miss nothing")
    func race() {
        let requests = 4
        let config = MutableProperty(0)
        let own = (0..<requests).map { _ in MutableProperty(0) }
        let last = own.map { _ in Locked((0, 0)) }
        let mistakes = Counter()
        for (property, seen) in zip(own, last) {
            property.combineLatest(with: config).signal.observeNext { pair in
                seen.withLock { seen in
                    if pair.0 < seen.0 || pair.1 < seen.1 || pair == seen { mistakes.increment() }
                    seen = pair
                }
            }
        }
        let rounds = raceRounds * 4
        let setters = own.map { property in
            TestThread("sets its own") { for _ in 0..<rounds { property.value += 1 } }
        }
        for _ in 0..<rounds { config.value += 1 }
        for setter in setters { setter.join() }
        expect(mistakes.value, is: 0)
        for seen in last { #expect(seen.withLock { $0 } == (rounds, rounds)) }
    }
}
