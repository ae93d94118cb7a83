import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("Property", .watched)
struct PropertyTests {
    // MARK: Constant

    @Test("follows a stream of non-optional values if its own are optional")
    func lifted() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let property = Property<Int?>(initial: nil, then: signal)
        #expect(property.value == nil)
        input.sendNext(1)
        expect(property.value, is: 1)
        input.sendCompleted()
    }

    @Test("has a name, which can be replaced")
    func names() {
        let username = MutableProperty("").named("username")
        expect(username.name, is: "username")
        expect(username.map(\.count).name, is: "[username] -map:")
        expect("\(username.producer.skipRepeats())", is: "[username] -skipRepeats")
        expect(username.signal.filter { $0 != "" }.name, is: "[username] -filter:")
        let length = username.map(\.count).named("length")
        expect(length.combineLatest(with: username).name, is: "+combineLatest: (length, username)")
        let pair = MutableProperty(0).combineLatest(with: username)
        expect(pair.name, is: "+combineLatest: (property, username)")
        username.named("login")
        expect(pair.name, is: "+combineLatest: (property, login)")
        let age = ValidatingProperty<Int, TestError>(0) { $0 < 0 ? .invalid(.first) : .valid }.named("age")
        expect(age.map { $0 }.name, is: "[age] -map:")
    }

    @Test("its description is its value, and its debug description its name and value")
    func printing() {
        let username = MutableProperty("jane").named("username")
        let length = username.map(\.count)
        let age = ValidatingProperty<Int, TestError>(7) { $0 < 0 ? .invalid(.first) : .valid }.named("age")
        expect("\(username) \(length) \(age) \(Property<Int?>(value: nil))", is: "jane 4 7 nil")
        username.value = "joan of arc"
        age.value = -1
        expect("\(username) \(length) \(age)", is: "joan of arc 11 7")
        #expect(String(reflecting: username) == #"username = "joan of arc""#)
        expect(String(reflecting: length), is: "[username] -map: = 11")
        expect(String(reflecting: age), is: "age = 7")
        let any: any PropertyProtocol<String> = username
        expect("\(any)", is: "joan of arc")
    }

    @Test("a constant property's producer sends the value and completes, and its signal has ended")
    func constant() {
        let property = Property(value: 1)
        expect(property.value, is: 1)
        expect(property.logged().all, is: ["1", "completed"])
        expect(property.logged().all, is: ["1", "completed"])
        expect(property.signal.logged().all, is: ["interrupted"])
    }

    @Test("a property derived from constants is constant")
    func constantDerived() {
        let one = Property(value: 1)
        let derived = one.map { $0 * 10 }.combineLatest(with: one.skipRepeats())
        expect(derived.logged().all, is: ["(10, 1)", "completed"])
        expect(derived.signal.logged().all, is: ["interrupted"])
    }

    @Test("a property combined with a constant changes and ends with its other input")
    func constantInput() {
        let owner = Owner(1)
        let both = owner.property.combineLatest(with: Property(value: 7))
        let log = both.logged()
        owner.property.value = 2
        owner.release()
        expect(log.all, is: ["(1, 7)", "(2, 7)", "completed"])
    }

    @Test("a constant property releases its value when it is released")
    func constantReleases() {
        let population = Population()
        do {
            let property = Property(value: population.member())
            expect(population.alive, is: 1)
            withExtendedLifetime(property) {}
        }
        expect(population.alive, is: 0)
    }

    // MARK: Of a stream

    @Test("created from a signal, has the initial value, then the signal's values")
    func ofSignal() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let property = Property(initial: 0, then: signal)
        let log = property.logged()
        expect(property.value, is: 0)
        input.sendNext(1)
        expect(property.value, is: 1)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["0", "1", "2", "completed"])
        expect(property.value, is: 2)
        expect(property.logged().all, is: ["2", "completed"])
    }

    @Test("created from a producer, starts it immediately, once, and has the last value it sent")
    func ofProducer() {
        let starts = Counter()
        let producer = SignalProducer<Int, Never> { observer, _ in
            starts.increment()
            observer.sendNext(1)
            observer.sendNext(2)
        }
        let property = Property(initial: 0, then: producer)
        expect(starts.value, is: 1)
        expect(property.value, is: 2)
        _ = property.logged()
        expect(starts.value, is: 1)
    }

    @Test("created from a property, follows it")
    func ofProperty() {
        let source = MutableProperty(1)
        let property = Property(initial: 0, then: source)
        expect(property.value, is: 1)
        source.value = 2
        expect(property.value, is: 2)
    }

    @Test("created from a stream that ends without values, keeps its initial value")
    func ofNothing() {
        expect(Property(initial: 1, then: SignalProducer<Int, Never>.empty).logged().all, is: ["1", "completed"])
        expect(Property(initial: 1, then: SignalProducer([2, 3])).logged().all, is: ["3", "completed"])
        expect(Property(initial: 1, then: Signal<Int, Never>.empty).logged().all, is: ["1", "completed"])
        let log = Log<String>()
        Property(initial: 1, then: SignalProducer<Int, Never>.never).producer.start { log.append($0.text) }.dispose()
        expect(log.all, is: ["1", "interrupted"])
    }

    @Test("completes when its stream is interrupted")
    func interrupted() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let property = Property(initial: 0, then: signal)
        let derived = property.map { $0 * 10 }
        let logs = [property.logged(), property.signal.logged(), derived.logged()]
        input.sendNext(1)
        input.sendInterrupted()
        expect(logs.map(\.all), is: [["0", "1", "completed"], ["1", "completed"], ["0", "10", "completed"]])
        expect(property.value, is: 1)
    }

    @Test("disposes of its stream once neither it nor an observer remains")
    func disposesOfStream() {
        let (disposals, scheduler) = (Counter(), TestScheduler())
        let ticks = SignalProducer.interval(.seconds(1), on: scheduler).on(disposed: { disposals.increment() })
        let log = Log<Int>()
        let disposable = {
            let property = Property(initial: -1, then: ticks)
            scheduler.advance(by: .seconds(2))
            return property.map { $0 }.producer.startWithNext { log.append($0) }
        }()
        scheduler.advance(by: .seconds(2))
        expect(log.count, is: 3, "an observer of one that is derived from it keeps it going")
        expect(disposals.value, is: 0)
        disposable.dispose()
        expect(disposals.value, is: 1)
        // Does not return if a timer still repeats.
        scheduler.run()

        do {
            let property = Property(initial: -1, then: ticks)
            withExtendedLifetime(property) {}
        }
        expect(disposals.value, is: 2, "nobody ever observed")
    }

    @Test("delivers re-entrant values of its stream in order")
    func nested() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let property = Property(initial: 0, then: signal)
        property.signal.observeNext { value in if value < 3 { input.sendNext(value + 1) } }
        let log = property.logged()
        input.sendNext(1)
        expect(log.all, is: ["0", "1", "2", "3"])
        input.sendCompleted()
    }

    @Test("misses no value that is sent while it is created")
    func madeInRace() {
        for _ in 0..<300 {
            let (signal, input) = Signal<Int, Never>.pipe()
            let property = Locked<Property<Int>?>(nil)
            onThreads(2, "making") { thread in
                if thread == 0 {
                    let made = Property(initial: 0, then: signal)
                    property.withLock { $0 = made }
                } else {
                    for value in 1...5 { input.sendNext(value) }
                    input.sendCompleted()
                }
            }
            let made = property.withLock { $0! }
            // It was created after the end, or has received the last value.
            #expect(made.value == 5 || made.value == 0)
            expect(made.logged().all, is: ["\(made.value)", "completed"])
        }
    }

    // MARK: Views

    @Test("a view has its property's value, and sends the property's events")
    func view() {
        let source = MutableProperty(1)
        for view in [Property(source), Property(capturing: source)] {
            let logs = [view.logged(), view.signal.logged()]
            source.value = 2
            expect(view.value, is: 2)
            expect(logs.map(\.all), is: [["1", "2"], ["2"]])
            source.value = 1
        }
    }

    @Test("a view does not retain its property, and ends with it")
    func viewDoesNotHold() {
        let owner = Owner(1)
        let view = Property(owner.property)
        let log = view.logged()
        owner.release()
        expect(log.all, is: ["1", "completed"])
        expect(view.value, is: 1)
        expect(view.logged().all, is: ["1", "completed"])
    }

    @Test("a capturing view retains its property, which keeps the property from ending")
    func viewCaptures() {
        let log: Log<String>
        do {
            let owner = Owner(1)
            let view = Property(capturing: owner.property)
            log = view.logged()
            weak let source = owner.property
            owner.release()
            #expect(source != nil)
            source?.value = 2
            expect(view.value, is: 2)
            expect(log.all, is: ["1", "2"])
        }
        expect(log.all, is: ["1", "2", "completed"], "with the view goes the property")
    }

    @Test("views of views, and of derived properties, follow them")
    func viewsOfViews() {
        let owner = Owner(1)
        let log: Log<String>
        do {
            let derived = owner.property.map { $0 * 10 }
            let view = Property(capturing: Property(derived))
            log = view.logged()
            owner.property.value = 2
            expect(view.value, is: 20)
        }
        owner.property.value = 3
        owner.release()
        expect(log.all, is: ["10", "20", "30", "completed"])
    }

    // MARK: How long derived properties live

    @Test("a derived property does not retain its source, and keeps the last value when the source is released")
    func doesNotHoldSource() {
        let owner = Owner(1)
        weak let source = owner.property
        let derived = owner.property.map { $0 * 10 }.map { $0 + 1 }
        let log = derived.logged()
        owner.property.value = 2
        owner.release()
        #expect(source == nil)
        expect(derived.value, is: 21)
        expect(log.all, is: ["11", "21", "completed"])
        expect(derived.map { -$0 }.logged().all, is: ["-21", "completed"])
    }

    @Test("a derived property continues while it is observed, even if it is not held")
    func observedOnly() {
        let population = Population()
        let source = MutableProperty(1)
        let derive = { (member: Population.Member) in
            source.map { value in
                member.touch()
                return value * 10
            }.map { $0 + 1 }
        }
        let log = Log<String>()
        let disposable = derive(population.member()).producer.start { log.append($0.text) }
        source.value = 2
        expect(log.all, is: ["11", "21"])
        expect(population.alive, is: 1)
        disposable.dispose()
        expect(population.alive, is: 0, "it releases its source when nobody is left")
    }

    @Test("a derived property continues while a property derived from it is held")
    func heldThroughDerived() {
        let population = Population()
        let source = MutableProperty(1)
        do {
            let last = {
                let member = population.member()
                let middle = source.map { value in
                    member.touch()
                    return value * 10
                }
                return middle.combineLatest(with: source)
            }()
            source.value = 2
            #expect(last.value == (20, 2))
            expect(population.alive, is: 1)
        }
        expect(population.alive, is: 0)
    }

    @Test("an observer can release a derived property and its intermediate ones during a change")
    func droppedInMiddle() {
        let population = Population()
        let source = MutableProperty(0)
        do {
            let member = population.member()
            // The collection is in the middle of the chain, and its value is an object.
            let made = Property.combineLatest([source, source]).map { values in
                member.touch()
                return values.count
            }
            let held = Locked<Property<Int>?>(made)
            source.signal.observeNext { _ in
                let dropped = held.withLock { $0.take() }
                withExtendedLifetime(dropped) {}
            }
        }
        expect(population.alive, is: 1)
        source.set(1, 2)
        expect(population.alive, is: 0)
        expect(source.value, is: 2)
    }

    @Test("an unobserved derived property is computed when it is read, and cached until its source changes")
    func notComputed() {
        let (source, unrelated) = (MutableProperty(1), MutableProperty(0))
        let computations = Counter()
        let derived = source.map { value in
            computations.increment()
            return value * 10
        }
        let pair = derived.combineLatest(with: unrelated)
        source.set(2, 3)
        expect(computations.value, is: 0)
        for _ in 0..<2 { expect(derived.value, is: 30) }
        #expect(pair.value == (30, 0))
        expect(computations.value, is: 1)
        unrelated.value = 1
        #expect(pair.value == (30, 1))
        expect(computations.value, is: 1)
        source.value = 4
        #expect(pair.value == (40, 1))
        expect(computations.value, is: 2)
    }

    @Test("a derived property is computed with every change while it is observed, not before or after")
    func computedWhileObserved() {
        let source = MutableProperty(1)
        let computations = Counter()
        let derived = source.map { value in
            computations.increment()
            return value * 10
        }
        source.value = 2
        let log = Log<String>()
        let observation = derived.producer.start { log.append($0.text) }
        source.set(3, 4)
        expect(derived.value, is: 40)
        expect(computations.value, is: 3)
        observation.dispose()
        expect(derived.value, is: 40)
        expect(computations.value, is: 3)
        source.set(5, 6)
        expect(computations.value, is: 3)
        expect(derived.value, is: 60)
        expect(computations.value, is: 4)
        expect(log.all, is: ["20", "30", "40", "interrupted"])
    }

    @Test("an unobserved derived property is up to date after a set, also while other threads read it")
    func readRace() {
        let (source, other) = (MutableProperty(0), MutableProperty(0))
        let chain = source.map { $0 + 1 }.map { $0 + 1 }
        let sum = source.combineLatest(with: other).map { $0.0 + $0.1 }
        let (isOver, mistakes) = (OnceFlag(), Log<String>())
        onThreads(3, "readers") { thread in
            if thread == 0 {
                for number in 1...10 * raceRounds {
                    source.value = number
                    let values = [chain.value, sum.value]
                    if values != [number + 2, number] { mistakes.append("\(values) for \(number)") }
                }
                isOver.raise()
            } else {
                while !isOver.isRaised { _ = (chain.value, sum.value) }
            }
        }
        #expect(mistakes.all.isEmpty, "\(mistakes.count), such as \(mistakes.all.first ?? "")")
        #expect((chain.value, sum.value) == (10 * raceRounds + 2, 10 * raceRounds))
    }

    @Test("a stateful property that is not observed ends with its source")
    func endsUnobserved() {
        let owner = Owner(1)
        let constant = Property(value: 1)
        let kept = [constant, Property(owner.property)].map { $0.filter(initial: 0) { _ in true } }
        owner.release()
        for property in kept {
            expect(property.logged().all, is: ["1", "completed"])
            expect(property.signal.logged().all, is: ["interrupted"])
            expect(property.map { $0 }.logged().all, is: ["1", "completed"])
        }
    }

    @Test("a stateful property, and its inputs, are computed with every change while it is held")
    func computedWhileReferenced() {
        let source = MutableProperty(1)
        let computations = Log<Int>()
        do {
            let kept = source.map { value in
                computations.append(value)
                return value
            }.combinePrevious(0)
            source.set(2, 3)
            expect(computations.all, is: [1, 2, 3])
            #expect(kept.value == (2, 3))
            let derived = kept.map { $0.0 }
            source.value = 4
            expect(derived.value, is: 3)
        }
        source.value = 5
        expect(computations.all, is: [1, 2, 3, 4])
    }

    @Test("can be read, without mixing values, even if its source changes whenever it is computed")
    func changingMeanwhile() {
        let (source, computations) = (MutableProperty(0), Counter())
        let derived = source.combineLatest(with: source.map { $0 * 10 }).map { pair in
            computations.increment()
            TestThread("sets") { source.value += 1 }.join()
            return pair
        }
        let value = derived.value
        expect(value.1, is: value.0 * 10)
        expect(source.value, is: computations.value)
        #expect(computations.value < 10)
    }

    @Test(
        "of an optional type is not nil if no value is, even if its source changes whenever it is computed",
        arguments: [false, true])
    func optionalChangingMeanwhile(isLinked: Bool) {
        let (source, twin) = (MutableProperty<Int?>(1), MutableProperty<Int?>(1))
        let binding = isLinked ? source <~> twin : nil
        let computations = Counter()
        let derived = source.map { value in
            if computations.increment() < 1_000 { TestThread("sets") { source.value = value.map { $0 + 1 } }.join() }
            return value
        }
        let text = derived.map { $0.map { "\($0)" } ?? "nil" }
        #expect(text.value != "nil")
        let nested = derived.map { Optional.some($0) }.map { $0.map { $0.map { "\($0)" } ?? "nil" } ?? "none" }
        #expect(Int(nested.value) != nil)
        #expect(computations.value < 1_000)
        binding?.dispose()
    }

    @Test("of a nested optional type keeps the kind of nil, even if its source changes whenever it is computed")
    func nestedOptionalChangingMeanwhile() {
        let (source, other) = (MutableProperty<Int??>(.some(nil)), MutableProperty(0))
        let computations = Counter()
        let derived = source.combineLatest(with: other).map { pair in
            if computations.increment() < 1_000 { TestThread("sets") { other.value += 1 }.join() }
            return pair.0
        }
        let text = derived.map { value in
            switch value {
            case .none: "none"
            case .some(.none): "nil"
            case .some(.some(let number)): "\(number)"
            }
        }
        expect(text.value, is: "nil")
        #expect(computations.value < 1_000)
    }

    @Test("traps when it is read in the closure that computes it", arguments: [false, true])
    func readsItself(isObserved: Bool) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isObserved] in
            let source = MutableProperty(1).named("source")
            let itself = Locked<Property<Int>?>(nil)
            let next = source.map { $0 + (itself.withLock { $0 }?.value ?? 0) }
            let derived = next.map { $0 }
            itself.withLock { $0 = derived }
            if isObserved { derived.signal.observeNext { _ in } } else { print(derived.value) }
        }
        let trap = "a property was read in the closure that computes it: [source] -map:"
        #expect(result.message.contains(trap), "\(result.message)")
    }

    @Test("traps when closures read each other's properties in a circle", arguments: [2, 3])
    func circle(count: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [count] in
            let source = MutableProperty(1)
            let properties = Locked<[Property<Int>]>([])
            let all = (0..<count).map { number in
                source.map { value in
                    value + (properties.withLock { $0.isEmpty ? nil : $0[(number + 1) % count] }?.value ?? 0)
                }.map { $0 }.named("part \(number)")
            }
            properties.withLock { $0 = all }
            print(all[0].value)
        }
        let message = result.message
        #expect(message.contains("a property was read in the closure that computes it: "), "\(message)")
        #expect(message.contains(", through "), "\(message)")
    }

    @Test("traps when it is read in the closure that computes it, on several threads")
    func readsItselfOnThreads() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let source = MutableProperty(1)
            let itself = Locked<Property<Int>?>(nil)
            let start = Latch("the threads")
            let derived = source.map { value in
                start.wait()
                return value + (itself.withLock { $0 }?.value ?? 0)
            }
            itself.withLock { $0 = derived }
            let threads = (0..<4).map { _ in TestThread("reads") { print(derived.value) } }
            start.open()
            for thread in threads { thread.join() }
        }
        #expect(result.message.contains("a property was read in the closure that computes it: "), "\(result.message)")
    }

    @Test("its producer works after the derived property has been released")
    func producerHolds() {
        let source = MutableProperty(1)
        let producer = source.map { $0 * 10 }.producer
        source.value = 2
        let log = Log<String>()
        producer.start { log.append($0.text) }
        source.value = 3
        expect(log.all, is: ["20", "30"])
    }

    @Test("an observer that retains its property and start leaks nothing once the property has ended")
    func cycles() {
        let population = Population()
        do {
            let owner = Owner(1)
            let derived = owner.property.map { $0 }
            let (disposable, member) = (SerialDisposable(), population.member())
            disposable.inner = derived.producer.start { _ in
                member.touch()
                withExtendedLifetime((derived, disposable)) {}
            }
            expect(population.alive, is: 1)
            owner.release()
        }
        expect(population.alive, is: 0)
    }

    @Test("can be disposed of during its own event, a computation or the source's event")
    func disposedInside() {
        for place in 0..<3 {
            let source = MutableProperty(0)
            let disposable = SerialDisposable()
            let log = Log<String>()
            if place == 1 { source.signal.observeNext { _ in disposable.dispose() } }
            let derived = source.map { value in
                if place == 2, value == 1 { disposable.dispose() }
                return value
            }
            disposable.inner = derived.producer.start { event in
                log.append(event.text)
                if place == 0, event.value == 1 { disposable.dispose() }
            }
            source.set(1, 2)
            #expect(log.all == (place == 0 ? ["0", "1", "interrupted"] : ["0", "interrupted"]))
            expect(derived.value, is: 2)
        }
    }

    @Test("is a read-only property wrapper whose projection is the property")
    func wrapper() {
        let source = MutableProperty(1)
        let view = View(source)
        #expect((view.current, view.fixed) == (1, 7))
        let log = view.$current.logged()
        source.value = 2
        expect(view.current, is: 2)
        expect(log.all, is: ["1", "2"])
    }
}

private struct View {
    @Property(value: 7) var fixed
    @Property var current: Int

    init(_ source: MutableProperty<Int>) { _current = Property(source) }
}
