import ReactiveSignals
import TestSupport
import Testing

@Suite("zip(with:bufferLimit:whenFull:raising:)")
struct ZipBoundedTests {
    private func zipped(
        _ overflow: Overflow, limit: Int = 2, raising error: TestError? = nil
    ) -> (
        log: Log<String>, first: Source.Observer, second: Source.Observer
    ) {
        let (first, firstInput) = Source.pipe()
        let (second, secondInput) = Source.pipe()
        let log = first.zip(with: second, bufferLimit: limit, whenFull: overflow, raising: error).logged()
        return (log, firstInput, secondInput)
    }

    @Test("drops the oldest value with .dropOldest")
    func dropOldest() {
        let (log, first, second) = zipped(.dropOldest)
        for value in 1...4 { first.sendNext(value) }
        for value in 11...15 { second.sendNext(value) }
        expect(log.all, is: ["(3, 11)", "(4, 12)"])
        first.sendNext(5)
        expect(log.all.last, is: "(5, 14)")
        second.sendCompleted()
        expect(log.count, is: 3, "a value of the other signal waits")
        first.sendNext(6)
        expect(log.all.suffix(2), is: ["(6, 15)", "completed"])
    }

    @Test("drops the arriving value with .dropNewest")
    func dropNewest() {
        let (log, first, second) = zipped(.dropNewest, limit: 1)
        for value in 1...4 { second.sendNext(value) }
        for value in 11...12 { first.sendNext(value) }
        expect(log.all, is: ["(11, 1)"])
        second.sendNext(5)
        expect(log.all, is: ["(11, 1)", "(12, 5)"])
        first.sendCompleted()
        expect(log.all.last, is: "completed")
    }

    @Test("fails with the given error, and releases buffered values")
    func fail() {
        let population = Population()
        let (first, input) = Signal<Population.Member, TestError>.pipe()
        let (second, other) = Source.pipe()
        let log = Log<String>()
        first.zip(with: second, bufferLimit: 2, whenFull: .fail, raising: .second).observe { event in
            if event.isTerminating { log.append(event.text) }
        }
        for _ in 0..<2 { input.sendNext(population.member()) }
        expect(log.all, is: [])
        input.sendNext(population.member())
        expect(log.all, is: ["error second"])
        expect(population.alive, is: 0)
        withExtendedLifetime(other) {}
    }

    @Test("pairs values like an unbounded zip while the buffer has room")
    func room() {
        let (log, first, second) = zipped(.fail, raising: .first)
        for value in 1...100 {
            first.sendNext(value)
            second.sendNext(value)
        }
        second.sendNext(101)
        second.sendCompleted()
        first.sendNext(101)
        expect(log.count, is: 102)
        expect(log.all.last, is: "completed")
    }

    @Test(
        "ends when either input fails or is interrupted",
        arguments: [Event<Int, TestError>.error(.first), .interrupted])
    func ends(_ event: Event<Int, TestError>) {
        let (log, first, second) = zipped(.dropOldest)
        first.sendNext(1)
        second.send(event)
        expect(log.all, is: [event.text])
    }

    @Test("releases dropped values")
    func releases() {
        let population = Population()
        let (first, input) = Signal<Population.Member, TestError>.pipe()
        let (second, other) = Source.pipe()
        let disposable = first.zip(with: second, bufferLimit: 2, whenFull: .dropOldest).observe { _ in }
        for _ in 0..<10 { input.sendNext(population.member()) }
        expect(population.alive, is: 2)
        disposable?.dispose()
        expect(population.alive, is: 0)
        withExtendedLifetime(other) {}
    }

    @Test("traps unless the limit is positive, and if .fail has no error")
    func traps() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.zip(with: .never as Signal<Int, Never>, bufferLimit: 0, whenFull: .dropOldest)
        }
        zero.expectTrap("zip(bufferLimit: 0): the limit must be positive")
        let error = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.zip(with: .never as Signal<Int, Never>, bufferLimit: 1, whenFull: .fail)
        }
        error.expectTrap("zip(whenFull: .fail): the overflow .fail needs the parameter raising")
    }

    @Test("has its inputs in its name")
    func name() {
        let zipped = Source.never.zip(with: Source.never, bufferLimit: 1, whenFull: .dropOldest)
        expect(zipped.name, is: "+zip: (never, never)")
    }
}
