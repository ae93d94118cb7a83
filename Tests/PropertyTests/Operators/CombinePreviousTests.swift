import ReactiveSignals
import TestSupport
import Testing

@Suite("combinePrevious of properties")
struct CombinePreviousTests {
    @Test("has the value and the previous one, which is the initial value at first")
    func pairs() {
        let owner = Owner(1)
        let property = owner.property.combinePrevious(0)
        #expect(property.value == (0, 1))
        let log = property.logged()
        owner.property.set(2, 2, 3)
        #expect(property.value == (2, 3))
        owner.release()
        expect(log.all, is: ["(0, 1)", "(1, 2)", "(2, 2)", "(2, 3)", "completed"])
    }

    @Test("keeps the previous value even if it is not observed")
    func unobserved() {
        let source = MutableProperty(1)
        let property = source.combinePrevious(0)
        source.set(2, 3)
        #expect(property.value == (2, 3))
        expect(property.logged().all, is: ["(2, 3)"])
    }

    @Test("has the previous value that passed a filter")
    func behindFilter() {
        let source = MutableProperty(2)
        let property = source.filter(initial: 0) { $0 % 2 == 0 }.combinePrevious(0)
        let log = property.logged()
        source.set(3, 4, 5, 6)
        expect(log.all, is: ["(0, 2)", "(2, 4)", "(4, 6)"])
    }

    @Test("keeps two values, and releases the others")
    func releases() {
        let population = Population()
        let source = MutableProperty(population.member())
        let property = source.combinePrevious(population.member())
        expect(population.alive, is: 2)
        source.set(population.member())
        expect(population.alive, is: 2)
        source.set(population.member())
        expect(population.alive, is: 2)
        withExtendedLifetime(property) {}
    }

    @Test("with re-entrant sets, each pair continues the previous one")
    func nested() {
        let source = MutableProperty(0)
        let property = source.combinePrevious(-1)
        let log = property.logged()
        source.signal.observeNext { [weak source] value in if value < 3 { source?.value = value + 1 } }
        source.value = 1
        expect(log.all, is: ["(-1, 0)", "(0, 1)", "(1, 2)", "(2, 3)"])
    }

    @Test("has the operator's name")
    func name() {
        expect(MutableProperty(1).combinePrevious(0).signal.name, is: "[property] -combinePrevious:")
    }
}
