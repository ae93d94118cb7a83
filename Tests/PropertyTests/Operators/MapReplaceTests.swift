import ReactiveSignals
import TestSupport
import Testing

@Suite("mapReplace of properties")
struct MapReplaceTests {
    @Test("has always the same value, and tells of it whenever the source changes")
    func replaces() {
        let owner = Owner(1)
        let property = owner.property.mapReplace("x")
        let log = property.logged()
        owner.property.set(2, 2)
        owner.release()
        expect(log.all, is: ["x", "x", "x", "completed"])
        expect(property.value, is: "x")
    }

    @Test("lets go of the value when it is let go of")
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

    @Test("is called by its form")
    func name() {
        expect(MutableProperty(1).mapReplace(2).signal.name, is: "[property] -mapReplace:")
    }
}
