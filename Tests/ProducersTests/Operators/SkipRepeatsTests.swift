import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("skipRepeats of producers")
struct SkipRepeatsTests {
    @Test("drops a value that equals the previous one")
    func skips() {
        expect(Numbers([1, 1, 2, 2, 1]).skipRepeats().logged().all, is: ["1", "2", "1", "completed"])
        #expect(SignalProducer<Int?, TestError>([nil, nil, 1]).skipRepeats().logged().count == 3)
    }

    @Test("compares with the previous value even if that was dropped")
    func received() {
        let producer = Numbers([1, 2, 3, 5]).skipRepeats { $1 - $0 < 2 }
        expect(producer.logged().all, is: ["1", "5", "completed"])
        expect(producer.logged().all, is: ["1", "5", "completed"], "the first of each start passes")
    }

    @Test("passes the earlier value to the closure first, and does not call it for the first value")
    func order() {
        let pairs = Log<String>()
        Numbers([1, 2, 3]).skipRepeats { earlier, later in
            pairs.append("\(earlier) \(later)")
            return false
        }.start()
        expect(pairs.all, is: ["1 2", "2 3"])
    }

    @Test("requests no more from an endless source than it needs for its output")
    func endless() {
        let asked = Counter()
        let numbers = Numbers(CountedNumbers(asked)).map { $0 / 3 }.skipRepeats().take(first: 2)
        expect(numbers.logged().all, is: ["0", "1", "completed"])
        expect(asked.value, is: 4)
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows { $0.skipRepeats() }
        expectFollows { $0.skipRepeats { $0 == $1 } }
    }

    @Test("holds neither its closure nor a value once it has ended")
    func releases() {
        expectReleases { source, member in source.skipRepeats { member.through($0 == $1) } }
        expectReleases { source, member in
            source.prefix(value: 1).map { _ in member }.skipRepeats { $0 === $1 }.skip(first: 1)
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.skipRepeats().name, is: "[never] -skipRepeats")
        expect(Numbers.never.skipRepeats { $0 == $1 }.name, is: "[never] -skipRepeats:")
    }
}
