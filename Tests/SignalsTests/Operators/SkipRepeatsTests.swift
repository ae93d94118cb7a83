import ReactiveSignals
import TestSupport
import Testing

@Suite("skipRepeats")
struct SkipRepeatsTests {
    @Test("drops each value that equals the one before it")
    func drops() {
        let (source, input) = Source.pipe()
        let log = source.skipRepeats().logged()
        for value in [1, 1, 2, 2, 1, 1, 1, 3] { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "1", "3", "completed"])
    }

    @Test("sends the first value even if it is nil")
    func firstNil() {
        let (source, input) = Signal<Int?, Never>.pipe()
        let log = source.skipRepeats().logged()
        for value in [nil, nil, 1, nil] { input.sendNext(value) }
        expect(log.all, is: ["nil", "Optional(1)", "nil"])
    }

    @Test("compares with the last value received, even if that was dropped")
    func comparesWithReceived() {
        let (source, input) = Source.pipe()
        let pairs = Log<[Int]>()
        let log = source.skipRepeats { last, new in
            pairs.append([last, new])
            return abs(last - new) <= 1
        }.logged()
        for value in [1, 2, 3, 5, 4] { input.sendNext(value) }
        expect(log.all, is: ["1", "5"])
        expect(pairs.all, is: [[1, 2], [2, 3], [3, 5], [5, 4]])
    }

    @Test("sends the first value without comparing it")
    func firstIsNotCompared() {
        let (source, input) = Source.pipe()
        let log = source.skipRepeats { _, _ in true }.logged()
        for value in 1...3 { input.sendNext(value) }
        expect(log.all, is: ["1"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.skipRepeats() } }

    @Test("releases its closure and the last value when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.skipRepeats { _, _ in
                member.touch()
                return false
            }
        }
        let population = Population()
        let (source, input) = Signal<Population.Member, Never>.pipe()
        let result = source.skipRepeats(===)
        input.sendNext(population.member())
        expect(population.alive, is: 1)
        input.sendCompleted()
        expect(population.alive, is: 0)
        withExtendedLifetime(result) {}
    }
}
