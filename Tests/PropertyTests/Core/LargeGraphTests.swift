import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Graphs that are wide, deep, or have many roots. A cost that grows with the square of their size takes minutes here.
@Suite("Large graphs of properties", .watched)
struct LargeGraphTests {
    @Test("a fold of combinations has the sum of all roots, read and observed", .notUnderThreadSanitizer)
    func fold() {
        let count = thorough(2_000)
        let roots = (1...count).map { MutableProperty($0) }
        let sum = roots.dropFirst().reduce(Property(roots[0])) { sum, root in
            sum.combineLatest(with: root).map { $0 + $1 }
        }
        expect(sum.value, is: count * (count + 1) / 2)
        roots[0].value = 2
        roots[count - 1].value = 0
        let all = count * (count - 1) / 2
        expect(sum.value, is: all + 1)
        let log = Log<Int>()
        let observation = sum.signal.observeNext { log.append($0) }
        roots[0].value = 1
        roots[count / 2].value += 1
        expect(log.all, is: [all, all + 1])
        observation?.dispose()
        roots[0].value = 2
        expect(sum.value, is: all + 2)
    }

    @Test(
        "many maps of one root, or of a root each, that are combined", .notUnderThreadSanitizer,
        arguments: [false, true])
    func fan(isOfOneRoot: Bool) {
        let count = 5_000
        let roots = isOfOneRoot ? [MutableProperty(1)] : (0..<count).map { _ in MutableProperty(1) }
        let maps = (0..<count).map { number in roots[number % roots.count].map { $0 * 2 } }
        let sum = Property<Int>.combineLatest(maps).map { $0.reduce(0, +) }
        expect(sum.value, is: 2 * count)
        let log = Log<Int>()
        let observation = sum.signal.observeNext { log.append($0) }
        roots[0].value = 2
        let second = isOfOneRoot ? 4 * count : 2 * count + 2
        expect(log.all, is: [second])
        observation?.dispose()
        roots[0].value = 1
        expect(sum.value, is: 2 * count)
    }

    @Test("combinations of combinations that share their roots are computed once each")
    func ladder() {
        let roots = [MutableProperty(1), MutableProperty(1)]
        let computed = Log<Int>()
        var (left, right) = (Property(roots[0]), Property(roots[1]))
        for step in 0..<60 {
            let both = left.combineLatest(with: right)
            left = both.map {
                computed.append(step)
                return ($0 &+ $1) % 1_000
            }
            right = both.map { ($0 &- $1) % 1_000 }
        }
        _ = left.value
        expect(computed.all.count, is: 60)
        computed.removeAll()
        roots[1].value = 2
        _ = left.combineLatest(with: right).value
        expect(computed.all.count, is: 60)
    }
}
