import ReactiveSignals
import TestSupport
import Testing

@Suite("take(while:)")
struct TakeWhileTests {
    @Test("completes at the first value that fails, and does not send it")
    func takes() {
        let (source, input) = Source.pipe()
        let log = source.take(while: { $0 < 3 }).logged()
        for value in [1, 2] { input.sendNext(value) }
        expect(log.all, is: ["1", "2"])
        input.sendNext(3)
        expect(log.all, is: ["1", "2", "completed"])
        input.sendNext(1)
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("completes without a value when the first one fails")
    func firstFails() {
        let (source, input) = Source.pipe()
        let log = source.take(while: { _ in false }).logged()
        input.sendNext(1)
        expect(log.all, is: ["completed"])
    }

    @Test("does not call its closure after the first value that fails")
    func doesNotAskAgain() {
        let (source, input) = Source.pipe()
        let calls = Counter()
        let result = source.take(while: { _ in calls.increment() < 2 })
        let log = result.logged()
        for value in 1...5 { input.sendNext(value) }
        expect(calls.value, is: 2)
        expect(log.all, is: ["1", "completed"])
    }

    @Test("releases the source when a value fails")
    func letsGo() {
        let population = Population()
        let (source, input) = Source.pipe()
        let log: Log<String> = {
            let member = population.member()
            return source.map { value in
                member.touch()
                return value
            }.take(while: { $0 < 2 }).logged()
        }()
        input.sendNext(1)
        expect(population.alive, is: 1)
        input.sendNext(2)
        expect(population.alive, is: 0)
        expect(log.all, is: ["1", "completed"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.take(while: { _ in true }) } }

    @Test("releases its closure when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.take(while: { _ in
                member.touch()
                return true
            })
        }
    }
}
