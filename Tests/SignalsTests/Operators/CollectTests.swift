import ReactiveSignals
import TestSupport
import Testing

@Suite("collect")
struct CollectTests {
    private func results(
        of values: ClosedRange<Int>?, ending event: Event<Int, TestError>,
        _ collect: (Source) -> Signal<[Int], TestError>
    ) -> [String] {
        let (source, input) = Source.pipe()
        let log = collect(source).logged()
        if let values {
            for value in values { input.sendNext(value) }
        }
        input.send(event)
        return log.all
    }

    @Test("sends all values as one array on completion")
    func all() {
        expect(results(of: 1...3, ending: .completed) { $0.collect() }, is: ["[1, 2, 3]", "completed"])
    }

    @Test("sends an empty array on completion if there were no values, in every form")
    func nothing() {
        expect(results(of: nil, ending: .completed) { $0.collect() }, is: ["[]", "completed"])
        expect(results(of: nil, ending: .completed) { $0.collect(count: 2) }, is: ["[]", "completed"])
        expect(results(of: nil, ending: .completed) { $0.collect { $0.isEmpty } }, is: ["[]", "completed"])
        expect(results(of: nil, ending: .completed) { $0.collect { $1 < 0 } }, is: ["[]", "completed"])
    }

    @Test("discards collected values on an error or an interruption, in every form")
    func discards() {
        for event in [Event<Int, TestError>.error(.first), .interrupted] {
            expect(results(of: 1...3, ending: event) { $0.collect() }, is: [event.text])
            expect(results(of: 1...3, ending: event) { $0.collect(count: 2) }, is: ["[1, 2]", event.text])
            expect(results(of: 1...3, ending: event) { $0.collect { $0.count == 2 } }, is: ["[1, 2]", event.text])
            expect(results(of: 1...3, ending: event) { $0.collect { $1 == 3 } }, is: ["[1, 2]", event.text])
            expect(results(of: nil, ending: event) { $0.collect() }, is: [event.text])
        }
    }

    @Test("sends arrays of a fixed size, and the remaining values on completion")
    func byCount() {
        expect(
            results(of: 1...5, ending: .completed) { $0.collect(count: 2) },
            is: ["[1, 2]", "[3, 4]", "[5]", "completed"])
        expect(results(of: 1...3, ending: .completed) { $0.collect(count: 1) }, is: ["[1]", "[2]", "[3]", "completed"])
        expect(results(of: 1...2, ending: .completed) { $0.collect(count: 9) }, is: ["[1, 2]", "completed"])
    }

    @Test("sends no empty array after an exact multiple of the count")
    func exactMultiple() {
        expect(
            results(of: 1...4, ending: .completed) { $0.collect(count: 2) }, is: ["[1, 2]", "[3, 4]", "completed"])
    }

    @Test("sends an array as soon as it is full")
    func atOnce() {
        let (source, input) = Source.pipe()
        let log = source.collect(count: 2).logged()
        input.sendNext(1)
        #expect(log.all.isEmpty)
        input.sendNext(2)
        expect(log.all, is: ["[1, 2]"])
    }

    @Test("ends an array after the value for which the closure returns true")
    func including() {
        expect(
            results(of: 1...4, ending: .completed) { $0.collect { $0.reduce(0, +) >= 3 } },
            is: ["[1, 2]", "[3]", "[4]", "completed"])
        expect(
            results(of: 1...4, ending: .completed) { $0.collect { $0.reduce(0, +) == 6 } },
            is: ["[1, 2, 3]", "[4]", "completed"])
    }

    @Test("starts an array with the value for which the closure returns true")
    func before() {
        let (source, input) = Source.pipe()
        let log = source.collect { values, next in next < values.last ?? 0 }.logged()
        for value in [1, 3, 2, 4, 0] { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["[1, 3]", "[2, 4]", "[0]", "completed"])
    }

    @Test("passes the closure the values without the new one")
    func beforeSees() {
        let (source, input) = Source.pipe()
        let seen = Log<String>()
        let log = source.collect { values, next in
            seen.append("\(values) \(next)")
            return next == 2
        }.logged()
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        expect(seen.all, is: ["[] 1", "[1] 2", "[2] 3"])
        expect(log.all, is: ["[1]", "[2, 3]", "completed"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() {
        expectForwardsTerminals { $0.collect() }
        expectForwardsTerminals { $0.collect(count: 2) }
        expectForwardsTerminals { $0.collect { $0.count > 1 } }
        expectForwardsTerminals { $0.collect { $0.count > $1 } }
    }

    @Test("releases the collected values for every terminal event and on disposal")
    func releases() {
        for event in [Event<Population.Member, TestError>.completed, .error(.first), .interrupted] {
            let population = Population()
            let (source, input) = Signal<Population.Member, TestError>.pipe()
            let result = source.collect()
            for _ in 0..<3 { input.sendNext(population.member()) }
            expect(population.alive, is: 3)
            input.send(event)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
        let population = Population()
        let (source, input) = Signal<Population.Member, TestError>.pipe()
        let disposable = source.collect().observe { _ in }
        input.sendNext(population.member())
        disposable?.dispose()
        expect(population.alive, is: 0)
    }

    @Test("releases its closure when the source ends")
    func releasesClosure() {
        expectReleasesClosure { source, member in
            source.collect { values in
                member.touch()
                return values.count == 2
            }
        }
        expectReleasesClosure { source, member in
            source.collect { values, _ in
                member.touch()
                return values.count == 2
            }
        }
    }

    @Test("traps unless the count is positive")
    func zero() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.collect(count: 0)
        }
        zero.expectTrap("collect(count: 0)")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.collect(count: -3)
        }
        negative.expectTrap("collect(count: -3)")
    }
}
