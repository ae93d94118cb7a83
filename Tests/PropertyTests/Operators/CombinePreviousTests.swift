import ReactiveSignals
import TestSupport
import Testing

@Suite("combinePrevious of properties")
struct CombinePreviousTests {
    @Test("has the value and the one before, at first the initial one")
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

    @Test("the one before is the one before, whoever observes")
    func unobserved() {
        let source = MutableProperty(1)
        let property = source.combinePrevious(0)
        source.set(2, 3)
        #expect(property.value == (2, 3))
        expect(property.logged().all, is: ["(2, 3)"])
    }

    @Test("the one before a skipped value is not skipped with it")
    func behindFilter() {
        let source = MutableProperty(2)
        let property = source.filter(initial: 0) { $0 % 2 == 0 }.combinePrevious(0)
        let log = property.logged()
        source.set(3, 4, 5, 6)
        expect(log.all, is: ["(0, 2)", "(2, 4)", "(4, 6)"])
    }

    @Test("keeps two values, and lets go of the others")
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

    @Test("with sets from inside events, each pair goes on from the one before")
    func nested() {
        let source = MutableProperty(0)
        let property = source.combinePrevious(-1)
        let log = property.logged()
        source.signal.observeNext { [weak source] value in if value < 3 { source?.value = value + 1 } }
        source.value = 1
        expect(log.all, is: ["(-1, 0)", "(0, 1)", "(1, 2)", "(2, 3)"])
    }

    @Test("is called by its form")
    func name() {
        expect(MutableProperty(1).combinePrevious(0).signal.name, is: "[property] -combinePrevious:")
    }
}
