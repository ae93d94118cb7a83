import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("zip of properties", .watched)
struct ZipTests {
    @Test("pairs both values, then the first changes of both, then the second ones")
    func two() {
        let (first, second) = (MutableProperty(1), MutableProperty("x"))
        let pairs = first.zip(with: second)
        let log = pairs.logged()
        first.set(2, 3, 4)
        #expect(pairs.value == (1, "x"))
        second.value = "y"
        #expect(pairs.value == (2, "y"))
        second.set("z", "w", "v")
        first.value = 5
        #expect(log.all == [#"(1, "x")"#, #"(2, "y")"#, #"(3, "z")"#, #"(4, "w")"#, #"(5, "v")"#])
    }

    @Test("pairs simultaneous changes of both inputs immediately")
    func atOnce() {
        let source = MutableProperty(1)
        let pairs = source.map { $0 * 10 }.zip(with: source)
        let log = pairs.logged()
        source.set(2, 3)
        expect(log.all, is: ["(10, 1)", "(20, 2)", "(30, 3)"])
    }

    @Test("accepts any number of properties of any types")
    func packs() {
        let (a, b, c) = (MutableProperty(1), MutableProperty("x"), MutableProperty(true))
        let three = Property.zip(a, b, c)
        let six = Property.zip(a, b, c, a, b, c)
        a.set(2, 3)
        b.set("y", "z")
        #expect(three.value == (1, "x", true))
        c.value = false
        #expect(three.value == (2, "y", false))
        expect(six.value.0, is: 2)
        expect(six.value.4, is: "y")
        c.value = true
        #expect(three.value == (3, "z", true))
        #expect(six.value.5)
    }

    @Test("keeps the order of a collection")
    func collection() {
        let sources = (0..<3).map { MutableProperty($0) }
        let all = Property.zip(sources)
        let log = all.logged()
        for source in sources { source.value += 10 }
        for source in sources.reversed() { source.value += 10 }
        expect(log.all, is: ["[0, 1, 2]", "[10, 11, 12]", "[20, 21, 22]"])
        withExtendedLifetime(sources) {}
    }

    @Test("is a given constant for an empty collection")
    func emptySentinel() {
        expect(Property.zip([Property<Int>](), emptySentinel: [1]).value, is: [1])
        expect(Property.zip([Property(value: 2)], emptySentinel: [1]).value, is: [2])
    }

    @Test("is empty and constant for an empty collection")
    func empty() {
        expect(Property.zip([MutableProperty<Int>]()).logged().all, is: ["[]", "completed"])
    }

    @Test("is a constant without arguments")
    func none() {
        let none = Property.zip()
        #expect(none.value == ())
        expect(none.logged().all, is: ["()", "completed"])
    }

    @Test("completes with the last pair of an input that has ended, and keeps its value")
    func ends() {
        let (first, second) = (Owner(1), Owner(10))
        let pairs = first.property.zip(with: second.property)
        let log = pairs.logged()
        first.property.set(2, 3)
        first.release()
        second.property.value = 20
        second.property.value = 30
        second.property.value = 40
        expect(log.all, is: ["(1, 10)", "(2, 20)", "(3, 30)", "completed"])
        #expect(pairs.value == (3, 30))
    }

    @Test("completes immediately when an input without queued values ends", arguments: [true, false])
    func endsAtOnce(isFirst: Bool) {
        let population = Population()
        let (first, second) = (Owner<Population.Member?>(nil), Owner<Population.Member?>(nil))
        let pairs = first.property.zip(with: second.property)
        let derived = pairs.map { _ in 1 }
        let log = derived.signal.logged()
        (isFirst ? second : first).property.value = population.member()
        (isFirst ? first : second).release()
        expect(log.all, is: ["completed"])
        (isFirst ? second : first).property.value = nil
        expect(population.alive, is: 0, "what was queued has gone")
        withExtendedLifetime(derived) {}
    }

    @Test("is constant if an input is constant")
    func constant() {
        let source = MutableProperty(1)
        let pairs = Property(value: 0).zip(with: source)
        source.value = 2
        expect(pairs.logged().all, is: ["(0, 1)", "completed"])
    }

    @Test("releases queued values when it is released")
    func releases() {
        let population = Population()
        let (first, second) = (MutableProperty<Population.Member?>(nil), MutableProperty(1))
        do {
            let pairs = first.zip(with: second)
            first.set(population.member(), population.member(), nil)
            expect(population.alive, is: 2)
            second.set(2, 3, 4)
            #expect(pairs.value.0 == nil)
            expect(population.alive, is: 0)
            first.set(population.member(), nil)
            expect(population.alive, is: 1)
            withExtendedLifetime(pairs) {}
        }
        expect(population.alive, is: 0)
    }

    @Test("pairs in order when threads set its inputs")
    func race() {
        let sources = [MutableProperty(0), MutableProperty(0)]
        let pairs = sources[0].zip(with: sources[1])
        let log = pairs.logged()
        onThreads(2, "zip") { thread in for number in 1...500 { sources[thread].value = number } }
        #expect(log.all == (0...500).map { "(\($0), \($0))" })
        #expect(pairs.value == (500, 500))
        withExtendedLifetime(sources) {}
    }

    @Test("misses no change that arrives while it is created")
    func madeInRace() {
        for _ in 0..<300 {
            let sources = [MutableProperty(0), MutableProperty(0)]
            let made = Locked<Property<(Int, Int)>?>(nil)
            onThreads(2, "zip") { thread in
                if thread == 0 {
                    let pairs = sources[0].zip(with: sources[1])
                    made.withLock { $0 = pairs }
                } else {
                    for number in 1...3 { sources[0].value = number }
                }
            }
            let pairs = made.withLock { $0! }
            let first = pairs.value.0
            // The values after the first pair are queued.
            let log = pairs.logged()
            for number in 1...3 { sources[1].value = number }
            #expect(log.all == (first...3).map { "(\($0), \($0 - first))" })
            withExtendedLifetime(sources) {}
        }
    }

    @Test("completes for all observers if one of them starts another during the last event")
    func observedInLastEvent() {
        let (first, second) = (MutableProperty(0), Locked<MutableProperty<Int>?>(MutableProperty(10)))
        let pairs = second.withLock { first.zip(with: $0!) }
        let late = Log<String>()
        let log = Log<String>()
        pairs.signal.observe { event in
            log.append(event.isTerminating ? event.text : "pair")
            if !event.isTerminating {
                pairs.producer.map { "\($0)" }.start { late.append($0.text) }
            }
        }
        second.withLock { $0 }?.value = 11
        second.withLock { $0 = nil }
        first.value = 1
        expect(log.all, is: ["pair", "completed"])
        expect(late.all, is: ["(1, 11)", "completed"])
    }

    @Test("has the operator's name")
    func name() {
        let (first, second) = (MutableProperty(1), MutableProperty(1).map { $0 })
        expect(first.zip(with: second).signal.name, is: "+zip: (property, [property] -map:)")
    }

    @Test("created while a change is computed, pairs that change first")
    func madeInTurn() {
        let (first, second) = (MutableProperty(0), MutableProperty(10))
        let made = Locked<Property<(Int, Int)>?>(nil)
        let derived = first.map { [unowned first] value in
            if value == 1 {
                let pairs = first.zip(with: second)
                made.withLock { $0 = pairs }
            }
            return value
        }
        let log = derived.signal.logged()
        first.value = 1
        second.value = 11
        let pairs = made.withLock { $0! }
        // It began with (0, 10), and these are the first changes.
        #expect(pairs.value == (1, 11))
        first.value = 2
        #expect(pairs.value == (1, 11))
        second.value = 12
        #expect(pairs.value == (2, 12))
        expect(log.all, is: ["1", "2"])
    }
}
