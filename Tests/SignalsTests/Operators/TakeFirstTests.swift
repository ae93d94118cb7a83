import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("take(first:)")
struct TakeFirstTests {
    @Test("sends that many values, and completes during the delivery of the last one", arguments: 1...4)
    func takes(count: Int) {
        let (source, input) = Source.pipe()
        let log = source.take(first: count).logged()
        for value in 1...5 {
            input.sendNext(value)
            #expect(log.all.contains("completed") == (value >= count))
        }
        #expect(log.all == (1...count).map(String.init) + ["completed"])
    }

    @Test("with a count of zero, interrupts its observers and does not observe the source")
    func zero() {
        let population = Population()
        let (source, input) = Source.pipe()
        let mapped = source.map { [member = population.member()] value in
            member.touch()
            return value
        }
        let result = mapped.take(first: 0)
        expect(result.logged().all, is: ["interrupted"])
        let disposable = mapped.observe { _ in }
        input.sendNext(1)
        expect(result.logged().all, is: ["interrupted"])
        expect(result.name, is: "[[pipe] -map:] -take: 0")
        disposable?.dispose()
    }

    @Test("forwards a terminal event that comes before the last value")
    func early() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            let (source, input) = Source.pipe()
            let log = source.take(first: 3).logged()
            input.sendNext(1)
            input.send(event)
            expect(log.all, is: ["1", event.text])
        }
    }

    @Test("releases the source with the last value")
    func letsGo() {
        let population = Population()
        let (source, input) = Source.pipe()
        let log: Log<String> = {
            let member = population.member()
            return source.map { value in
                member.touch()
                return value
            }.take(first: 2).logged()
        }()
        input.sendNext(1)
        expect(population.alive, is: 1)
        input.sendNext(2)
        expect(population.alive, is: 0)
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("drops values that its observer sends while it receives the last one")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.take(first: 2).observe { event in
            log.append(event.text)
            if let value = event.value { input.sendNext(value + 1) }
        }
        input.sendNext(1)
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("counts once for all observers")
    func shared() {
        let (source, input) = Source.pipe()
        let result = source.take(first: 2)
        let early = result.logged()
        input.sendNext(1)
        let late = result.logged()
        input.sendNext(2)
        input.sendNext(3)
        expect(early.all, is: ["1", "2", "completed"])
        expect(late.all, is: ["2", "completed"])
    }

    @Test("does not affect other observers of the source")
    func others() {
        let (source, input) = Source.pipe()
        let other = source.logged()
        source.take(first: 1).observe { _ in }
        for value in 1...3 { input.sendNext(value) }
        expect(other.all, is: ["1", "2", "3"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.take(first: 3) } }

    @Test("traps when the count is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.take(first: -1)
        }
        result.expectTrap("take(first: -1)")
    }
}
