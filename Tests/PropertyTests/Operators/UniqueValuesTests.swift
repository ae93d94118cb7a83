import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("uniqueValues of properties")
struct UniqueValuesTests {
    /// An identity that is not equal to itself, and that is counted.
    private struct Unequal: Hashable {
        let member: Population.Member

        static func == (_: Unequal, _: Unequal) -> Bool { false }
        func hash(into hasher: inout Hasher) {}
    }

    @Test("accepts each value only the first time")
    func unique() {
        let owner = Owner(1)
        let property = owner.property.uniqueValues()
        let log = property.logged()
        for (value, expected) in [(2, 2), (1, 2), (3, 3), (2, 3), (1, 3)] {
            owner.property.value = value
            expect(property.value, is: expected)
        }
        owner.release()
        expect(log.all, is: ["1", "2", "3", "completed"])
    }

    @Test("distinguishes values by their identity, including the first one")
    func identity() {
        let source = MutableProperty(10)
        let property = source.uniqueValues { $0 / 10 }
        let log = property.logged()
        source.set(19, 20, 11, 29, 30)
        expect(log.all, is: ["10", "20", "30"])
    }

    @Test("accepts each value that is not equal to itself, and does not store it")
    func notANumber() {
        let population = Population()
        let source = MutableProperty(1.0)
        let log = source.uniqueValues().logged()
        source.set(.nan, .nan, 1)
        expect(log.all, is: ["1.0", "nan", "nan"])
        let identified = MutableProperty(1)
        let property = identified.uniqueValues { _ in Unequal(member: population.member()) }
        let stored = population.alive
        identified.set(2, 3, 3)
        expect(population.alive, is: stored)
        expect(property.value, is: 3)
    }

    @Test("remembers values even if it is not observed")
    func late() {
        let source = MutableProperty(1)
        let property = source.uniqueValues()
        source.set(2, 1)
        expect(property.logged().all, is: ["2"])
    }

    @Test("two of one property do not share the values they have seen")
    func several() {
        let source = MutableProperty(1)
        let first = source.uniqueValues()
        source.value = 2
        let second = source.uniqueValues()
        source.value = 1
        expect(first.value, is: 2)
        expect(second.value, is: 1)
    }

    @Test("releases all values that it has seen when it is released")
    func releases() {
        let population = Population()
        let source = MutableProperty(1)
        do {
            let member = population.member()
            let property = source.uniqueValues { value in
                member.touch()
                return value
            }
            source.value = 2
            expect(property.value, is: 2)
            expect(population.alive, is: 1)
        }
        expect(population.alive, is: 0)
    }

    @Test("remembers its first value, even if its creation is repeated")
    func race() {
        for _ in 0..<300 {
            let source = MutableProperty(0)
            let made = Locked<Property<Int>?>(nil)
            onThreads(2, "unique") { thread in
                if thread == 0 {
                    let property = source.uniqueValues()
                    made.withLock { $0 = property }
                } else {
                    source.set(1, 0, 2)
                }
            }
            let log = made.withLock { $0! }.logged()
            source.set(2, 1, 0)
            let values = log.all
            expect(Set(values).count, is: values.count)
            #expect(values[0] == "2" || values[0] == "0")
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(MutableProperty(1).uniqueValues().signal.name, is: "[property] -uniqueValues")
        expect(MutableProperty(1).uniqueValues { $0 }.signal.name, is: "[property] -uniqueValues:")
    }
}
