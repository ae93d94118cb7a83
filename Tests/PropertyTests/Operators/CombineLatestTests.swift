import ReactiveSignals
import TestSupport
import Testing

@Suite("combineLatest of properties", .watched)
struct CombineLatestTests {
    @Test("has the values of both, and sends each change")
    func two() {
        let (first, second) = (Owner(1), Owner("x"))
        let both = first.property.combineLatest(with: second.property)
        let log = both.logged()
        first.property.value = 2
        second.property.value = "y"
        #expect(both.value == (2, "y"))
        first.release()
        second.property.value = "z"
        #expect(both.value == (2, "z"))
        second.release()
        #expect(log.all == [#"(1, "x")"#, #"(2, "x")"#, #"(2, "y")"#, #"(2, "z")"#, "completed"])
        #expect(both.value == (2, "z"))
    }

    @Test("accepts any number of properties of any types")
    func packs() {
        let (a, b, c, d) = (MutableProperty(1), MutableProperty("x"), MutableProperty(true), MutableProperty(1.5))
        let two = Property.combineLatest(a, b)
        let three = Property.combineLatest(a, b, c)
        let six = Property.combineLatest(a, b.map(\.count), c, d, Property(value: Optional(7)), a.map { -$0 })
        let log = three.logged()
        a.value = 2
        b.value = "yy"
        c.value = false
        #expect(two.value == (2, "yy"))
        #expect(log.all == [#"(1, "x", true)"#, #"(2, "x", true)"#, #"(2, "yy", true)"#, #"(2, "yy", false)"#])
        expect(six.value.0, is: 2)
        expect(six.value.1, is: 2)
        expect(six.value.2, is: false)
        expect(six.value.3, is: 1.5)
        expect(six.value.4, is: 7)
        expect(six.value.5, is: -2)
    }

    @Test("sends one event for a change of several of six inputs")
    func sixAtOnce() {
        let source = MutableProperty(0)
        let six = Property.combineLatest(
            source, source.map { $0 }, source.map { $0 }.map { $0 }, source, source.map { $0 }, source
        ).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] }
        let log = six.logged()
        source.set(1, 2)
        #expect(log.all == (0...2).map { "\(Array(repeating: $0, count: 6))" })
    }

    @Test("keeps the order of a collection, and ends when all of its properties have ended")
    func collection() {
        let owners = (0..<3).map { Owner($0) }
        let all = Property.combineLatest(owners.map(\.property))
        let log = all.logged()
        owners[1].property.value = 7
        owners[0].release()
        owners[2].property.value = 8
        owners[2].release()
        owners[1].release()
        expect(log.all, is: ["[0, 1, 2]", "[0, 7, 2]", "[0, 7, 8]", "completed"])
        expect(all.value, is: [0, 7, 8])
    }

    @Test("is a given constant for an empty collection")
    func emptySentinel() {
        expect(Property.combineLatest([Property<Int>](), emptySentinel: [1]).value, is: [1])
        expect(Property.combineLatest([Property(value: 2)], emptySentinel: [1]).value, is: [2])
    }

    @Test("is empty and constant for an empty collection")
    func empty() {
        expect(Property.combineLatest([MutableProperty<Int>]()).logged().all, is: ["[]", "completed"])
    }

    @Test("accepts the same property several times")
    func same() {
        let source = MutableProperty(1)
        let (pair, all) = (source.combineLatest(with: source), Property.combineLatest([source, source, source]))
        let logs = [pair.map { "\($0)" }.logged(), all.map { "\($0)" }.logged()]
        source.value = 2
        expect(logs.map(\.all), is: [["(1, 1)", "(2, 2)"], ["[1, 1, 1]", "[2, 2, 2]"]])
    }

    @Test("never mixes old and new values of inputs with a common source, and sends one event")
    func diamond() {
        let source = MutableProperty(1)
        let low = source.map { $0 * 10 }
        let high = source.map { $0 }.map { $0 }.map { $0 * 100 }
        let computations = Counter()
        let sum = low.combineLatest(with: high).map { pair in
            computations.increment()
            return pair.0 + pair.1
        }
        let log = sum.logged()
        low.signal.observeNext { _ in log.append("low: \(sum.value)") }
        source.set(2, 3)
        expect(log.all.filter { !$0.hasPrefix("low") }, is: ["110", "220", "330"])
        expect(log.all.filter { $0.hasPrefix("low") }, is: ["low: 220", "low: 330"])
        expect(computations.value, is: 3)
    }

    @Test("joins separate graphs, also during an event")
    func joining() {
        let (first, second) = (MutableProperty(1), MutableProperty(10))
        let sums = Log<Property<Int>>()
        first.map { $0 }.signal.observeNext { [weak first, weak second] _ in
            guard let first, let second else { return }
            sums.append(first.combineLatest(with: second).map { $0.0 + $0.1 })
        }
        first.value = 2
        second.value = 20
        first.value = 3
        expect(sums.all.map(\.value), is: [23, 23])
    }

    @Test("loses nothing when threads join graphs while others set them")
    func joiningRace() {
        for _ in 0..<100 {
            let sources = (0..<4).map { _ in MutableProperty(0) }
            let joined = Log<(Int, Int, Property<(Int, Int)>, Log<String>)>()
            onThreads(4, "joining") { thread in
                for number in 1...10 {
                    sources[thread].value = number
                    guard number % 5 == 0 else { continue }
                    let other = (thread + number / 5) % 4
                    let both = sources[thread].combineLatest(with: sources[other])
                    joined.append((thread, other, both, both.map { "\($0)" }.logged()))
                }
            }
            for (first, second, both, log) in joined.all {
                #expect(both.value == (sources[first].value, sources[second].value))
                expect(log.all.last, is: "(10, 10)")
            }
        }
    }

    @Test("does not retain its inputs, and releases them")
    func lifetimes() {
        let population = Population()
        let (first, second) = (MutableProperty(1), MutableProperty(2))
        do {
            let member = population.member()
            let derived = first.map { value in
                member.touch()
                return value
            }
            let properties = [derived.combineLatest(with: second), Property.combineLatest(derived, second)]
            first.value = 2
            #expect(properties.allSatisfy { $0.value == (2, 2) })
        }
        expect(population.alive, is: 0)
        first.value = 3
        second.value = 3
    }

    @Test("sets, ends and releases a thousand properties over a thousand sources on a main thread's stack")
    func wide() {
        onMainSizedStack("many sources") {
            var owners = (0..<1_000).map { Owner($0) }
            let all = Property.combineLatest(owners.map(\.property)).map { $0.reduce(0, +) }
            var chain = Property(owners[0].property)
            for owner in owners { chain = chain.combineLatest(with: owner.property).map { $0.0 + $0.1 } }
            let log = all.signal.logged()
            let sum = all.value
            owners[0].property.value = 1
            owners[999].property.value = 1_000
            expect(log.all, is: ["\(sum + 1)", "\(sum + 2)"])
            expect(chain.value, is: sum + 3)
            owners = []
            expect(log.all.last, is: "completed")
        }
    }

    @Test("is a constant without arguments")
    func none() {
        let none = Property.combineLatest()
        #expect(none.value == ())
        expect(none.logged().all, is: ["()", "completed"])
    }

    @Test("has the operator's name")
    func name() {
        let (first, second) = (MutableProperty(1), MutableProperty(1).map { $0 })
        let name = "+combineLatest: (property, [property] -map:)"
        expect(first.combineLatest(with: second).signal.name, is: name)
        expect(Property.combineLatest([Property(first), second]).signal.name, is: name)
    }
}
