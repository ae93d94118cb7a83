import ReactiveSignals
import TestSupport
import Testing

@Suite("skipRepeats of properties")
struct SkipRepeatsTests {
    @Test("sends no event for a change to an equal value")
    func skips() {
        let owner = Owner(1)
        let property = owner.property.skipRepeats()
        let log = property.logged()
        owner.property.set(1, 2, 2, 1)
        owner.release()
        expect(log.all, is: ["1", "2", "1", "completed"])
    }

    @Test("keeps the first of repeated values")
    func custom() {
        let source = MutableProperty(10)
        let property = source.skipRepeats { $0 / 10 == $1 / 10 }
        let log = property.logged()
        source.set(11, 19, 20, 21)
        expect(log.all, is: ["10", "20"])
        expect(property.value, is: 20)
    }

    @Test("passes its value to the closure first, and does not call it for the first value")
    func order() {
        let pairs = Log<String>()
        let source = MutableProperty(1)
        let property = source.skipRepeats { earlier, later in
            pairs.append("\(earlier) \(later)")
            return later == 2
        }
        expect(pairs.all, is: [])
        source.set(2, 3)
        expect(pairs.all, is: ["1 2", "1 3"])
        expect(property.value, is: 3)
    }

    @Test("derived properties are not recomputed, and send no event, when the value does not change")
    func derived() {
        let source = MutableProperty(1)
        let calls = Counter()
        let derived = source.skipRepeats().map { value in
            calls.increment()
            return value
        }
        let log = derived.combineLatest(with: source.map { $0 > 0 }.skipRepeats()).logged()
        source.set(1, 1, 2)
        expect(calls.value, is: 2)
        expect(log.all, is: ["(1, true)", "(2, true)"])
    }

    @Test("has the operator's name")
    func name() {
        expect(MutableProperty(1).skipRepeats().signal.name, is: "[property] -skipRepeats")
        expect(MutableProperty(1).skipRepeats { $0 == $1 }.signal.name, is: "[property] -skipRepeats:")
    }
}
