import ReactiveSignals
import TestSupport
import Testing

@Suite("mapReplace of properties")
struct MapReplaceTests {
    @Test("always has the same value, and sends it whenever the source changes")
    func replaces() {
        let owner = Owner(1)
        let property = owner.property.mapReplace("x")
        let log = property.logged()
        owner.property.set(2, 2)
        owner.release()
        expect(log.all, is: ["x", "x", "x", "completed"])
        expect(property.value, is: "x")
    }

    @Test("releases the value when it is released")
    func releases() {
        let population = Population()
        let source = MutableProperty(1)
        do {
            let property = source.mapReplace(population.member())
            source.value = 2
            expect(population.alive, is: 1)
            withExtendedLifetime(property) {}
        }
        expect(population.alive, is: 0)
    }

    @Test("has the operator's name")
    func name() {
        expect(MutableProperty(1).mapReplace(2).signal.name, is: "[property] -mapReplace:")
    }
}
