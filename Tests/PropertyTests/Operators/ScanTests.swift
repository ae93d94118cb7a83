import ReactiveSignals
import TestSupport
import Testing

@Suite("scan of properties")
struct ScanTests {
    @Test("accumulates from the current value on")
    func scans() {
        let owner = Owner(1)
        let sums = owner.property.scan(10, +)
        expect(sums.value, is: 11)
        let log = sums.logged()
        owner.property.set(2, 3)
        expect(sums.value, is: 16)
        owner.release()
        expect(log.all, is: ["11", "13", "16", "completed"])
    }

    @Test("calculates once per change, even if it is neither observed nor read")
    func calls() {
        let source = MutableProperty(1)
        let calls = Counter()
        let texts = source.scan("") { text, number in
            calls.increment()
            return text + "\(number)"
        }
        source.set(2, 3)
        expect(calls.value, is: 3)
        expect(texts.value, is: "123")
        expect(texts.value, is: "123")
        expect(calls.value, is: 3)
    }

    @Test("is consistent with its source")
    func consistent() {
        let source = MutableProperty(1)
        let pairs = source.combineLatest(with: source.scan(0, +)).map { "\($0.0) \($0.1)" }
        let log = pairs.logged()
        source.set(2, 3)
        expect(log.all, is: ["1 1", "2 3", "3 6"])
    }

    @Test("is called by its form")
    func name() {
        expect(MutableProperty(1).scan(0, +).signal.name, is: "[property] -scan:")
    }
}
