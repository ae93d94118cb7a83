import Observation
import ReactiveObservation
import ReactiveSignals
import Synchronization
import TestSupport
import Testing

@Suite("observable", .watched, .offThePool)
struct ObservablePropertyTests {
    /// Reads a value, and logs it again at its next change.
    private func track<Value: Sendable>(_ log: Log<String>, _ read: @escaping @Sendable () -> Value) {
        withObservationTracking {
            log.append("\(read())")
        } onChange: {
            log.append("changes to \(read())")
        }
    }

    @Test("has the value of the property, and announces each change once")
    func changes() {
        let source = MutableProperty(1)
        let observable = source.map { $0 * 10 }.observable
        let log = Log<String>()
        expect(observable.value, is: 10)
        track(log) { observable.value }
        expect(log.all, is: ["10"])
        source.value = 2
        source.value = 3
        expect(log.all, is: ["10", "changes to 20"])
        expect(observable.value, is: 30)
        track(log) { observable.value }
        source.value = 4
        expect(log.all, is: ["10", "changes to 20", "30", "changes to 40"])
    }

    @Test("sets a mutable property, and announces what others set")
    func setting() {
        let source = MutableProperty([1])
        let observable = source.observable
        let log = Log<String>()
        let events = Log<[Int]>()
        source.signal.observeNext { events.append($0) }
        track(log) { observable.value }
        observable.value.append(2)
        expect(source.value, is: [1, 2])
        track(log) { observable.value }
        source.value = []
        observable.value = []
        expect(log.all, is: ["[1]", "changes to [1, 2]", "[1, 2]", "changes to []"])
        expect(events.all, is: [[1, 2], [], []])
    }

    @Test("is independent of other objects of the same property")
    func several() {
        let source = MutableProperty(1)
        let (first, second) = (source.observable, source.observable)
        let log = Log<String>()
        track(log) { first.value }
        track(log) { second.value }
        first.value = 2
        expect(log.all, is: ["1", "1", "changes to 2", "changes to 2"])
        expect(second.value, is: 2)
    }

    @Test("works for every kind of property")
    func kinds() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let follower = Property(initial: 0, then: signal).observable
        let validating = ValidatingProperty<Int, TestError>(1) { $0 > 0 ? .valid : .invalid(.first) }
        let validated = validating.observable
        let constant = Property(value: 5).observable
        let enqueuing = MutableProperty(0, contention: .enqueue).observable
        let log = Log<String>()
        track(log) { follower.value + validated.value + constant.value + enqueuing.value }
        input.sendNext(1)
        track(log) { follower.value + validated.value + constant.value + enqueuing.value }
        validating.value = 2
        track(log) { follower.value + validated.value + constant.value + enqueuing.value }
        enqueuing.value = 1
        expect(log.all, is: ["6", "changes to 7", "7", "changes to 8", "8", "changes to 9"])
    }

    @Test("keeps the last value when the property ends, and announces nothing more")
    func end() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let observable = Property(initial: 0, then: signal).observable
        input.sendNext(1)
        let log = Log<String>()
        // Does not capture the object, which would then retain itself: this announcement never comes.
        withObservationTracking {
            log.append("\(observable.value)")
        } onChange: {
            log.append("changes")
        }
        input.sendCompleted()
        expect(log.all, is: ["1"])
        expect(observable.value, is: 1)
    }

    @Test("retains the property, and is not retained by it")
    func lifetime() {
        let population = Population()
        let computed = Counter()
        let source = MutableProperty(0)
        func make() -> ObservableMutableProperty<Int> {
            let property = MutableProperty(1)
            let member = population.member()
            property.lifetime.observeEnded { member.touch() }
            return property.observable
        }
        var observable: ObservableMutableProperty? = make()
        observable?.value = 2
        expect(observable?.value, is: 2)
        expect(population.alive, is: 1)
        observable = nil
        expect(population.alive, is: 0)

        var derived: ObservableProperty<Int>? =
            source.map { value in
                computed.increment()
                return value
            }.observable
        source.value = 1
        let before = computed.value
        #expect(before > 0)
        weak let former = derived
        derived = nil
        #expect(former == nil)
        source.value = 2
        expect(computed.value, is: before)
    }

    @Test("can be released and set again from inside of an announcement")
    func inside() {
        let source = MutableProperty(0)
        let holder = Mutex<ObservableMutableProperty<Int>?>(source.observable)
        let log = Log<Int>()
        withObservationTracking {
            _ = holder.withLock { $0 }?.value
        } onChange: {
            log.append(source.value)
            source.value = 5
            let released = holder.withLock { $0.take() }
            withExtendedLifetime(released) {}
        }
        source.value = 1
        expect(log.all, is: [1])
        expect(source.value, is: 5)
    }

    @MainActor @Test("is followed by Observations on the main actor")
    func observations() async {
        let source = MutableProperty(0)
        let observable = source.observable
        let log = Log<Int>()
        let following = Task { @MainActor in
            for await value in Observations({ observable.value }) {
                log.append(value)
                if value == 3 { break }
            }
        }
        #expect(await eventually { log.count == 1 })
        for number in 1...3 { source.value = number }
        await following.value
        expect(log.all.last, is: 3)
    }

    @MainActor @Test("is followed without loss on the main actor if the property changes there")
    func mainScheduler() async {
        let source = MutableProperty(0)
        let shown = Property(initial: 0, then: source.producer.observe(on: MainActorScheduler())).observable
        let log = Log<Int>()
        let following = Task { @MainActor in
            for await value in Observations({ shown.value }) {
                log.append(value)
                if value == raceRounds { break }
            }
        }
        await onThread("setting the property") { for number in 1...raceRounds { source.value = number } }
        await following.value
        expect(log.all, is: log.all.sorted())
        expect(log.all.last, is: raceRounds)
    }

    @Test("announces every change to everybody who has read before it, on any thread")
    func threads() async {
        let source = MutableProperty(0)
        let observable = source.observable
        let missed = Counter()
        await onThread("setting the property") {
            onThreads(3, "setting the property") { _ in
                for _ in 0..<raceRounds {
                    let isAnnounced = OnceFlag()
                    withObservationTracking {
                        _ = observable.value
                    } onChange: {
                        isAnnounced.raise()
                    }
                    source.modify { $0 += 1 }
                    if !isAnnounced.isRaised { missed.increment() }
                }
            }
        }
        expect(observable.value, is: 3 * raceRounds)
        expect(missed.value, is: 0)
    }
}
