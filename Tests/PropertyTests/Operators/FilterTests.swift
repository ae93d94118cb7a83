import ReactiveSignals
import TestSupport
import Testing

@Suite("filter of properties")
struct FilterTests {
    @Test("accepts values that satisfy the condition, and otherwise keeps the last accepted one")
    func filters() {
        let owner = Owner(1)
        let even = owner.property.filter(initial: 0) { $0 % 2 == 0 }
        let log = even.logged()
        for (value, expected) in [(2, 2), (3, 2), (4, 4), (4, 4), (5, 4)] {
            owner.property.value = value
            expect(even.value, is: expected)
        }
        owner.release()
        expect(log.all, is: ["0", "2", "4", "4", "completed"])
    }

    @Test("begins with the current value if it satisfies the condition")
    func present() {
        expect(MutableProperty(2).filter(initial: 0) { $0 % 2 == 0 }.value, is: 2)
        expect(MutableProperty(1).filter(initial: 0) { $0 % 2 == 0 }.value, is: 0)
        expect(MutableProperty(1).filter(initial: 7) { $0 % 2 == 0 }.value, is: 7, "nobody asks about the initial one")
    }

    @Test("calls the closure once for the current value, and once per change")
    func calls() {
        let source = MutableProperty(1)
        let asked = Log<Int>()
        let filtered = source.filter(initial: 0) { value in
            asked.append(value)
            return value > 1
        }
        source.set(2, 1)
        expect(asked.all, is: [1, 2, 1])
        expect(filtered.value, is: 2)
    }

    @Test("derived properties are not recomputed when the value does not change")
    func derived() {
        let source = MutableProperty(0)
        let calls = Counter()
        let derived = source.filter(initial: 0) { $0 % 2 == 0 }.map { value in
            calls.increment()
            return value
        }
        expect(derived.value, is: 0)
        source.set(1, 3)
        expect(derived.value, is: 0)
        expect(calls.value, is: 1, "read")
        let log = derived.signal.logged()
        source.set(1, 3, 4)
        expect(calls.value, is: 2)
        expect(derived.value, is: 4)
        expect(log.all, is: ["4"])
    }

    @Test("has the operator's name")
    func name() {
        expect(MutableProperty(1).filter(initial: 0) { _ in true }.signal.name, is: "[property] -filter:")
    }
}
