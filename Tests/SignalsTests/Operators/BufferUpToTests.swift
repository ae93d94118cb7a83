import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("buffer(upTo:whenFull:on:)")
struct BufferUpToTests {
    /// What is delivered if five values and a terminal event are sent before the scheduler runs.
    private func buffered(_ overflow: Overflow, end: Event<Int, TestError> = .completed) -> [String] {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = source.buffer(upTo: 2, whenFull: overflow, raising: .second, on: scheduler).logged()
        for value in 1...5 { input.sendNext(value) }
        input.send(end)
        #expect(log.all.isEmpty)
        scheduler.advance()
        return log.all
    }

    @Test("when full, drops the oldest values, drops the newest, or fails")
    func overflows() {
        expect(buffered(.dropOldest), is: ["4", "5", "completed"])
        expect(buffered(.dropNewest), is: ["1", "2", "completed"])
        expect(buffered(.fail), is: ["error second"])
    }

    @Test("delivers the terminal event after the values")
    func ends() {
        expect(buffered(.dropNewest, end: .error(.first)), is: ["1", "2", "error first"])
        expect(buffered(.dropNewest, end: .interrupted), is: ["1", "2", "interrupted"])
        expect(buffered(.fail, end: .error(.first)), is: ["error second"], "the overflow came first")
    }

    @Test("does not count the value that its observers are handling")
    func busy() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<Int>()
        let disposable = source.buffer(upTo: 2, whenFull: .dropNewest, on: scheduler).observe { event in
            guard let value = event.value else { return }
            log.append(value)
            if value == 1 { for value in 2...5 { input.sendNext(value) } }
        }
        input.sendNext(1)
        scheduler.advance()
        expect(log.all, is: [1, 2, 3])
        disposable?.dispose()
        wind(input, up: scheduler)
    }

    @Test("ends on its scheduler, and drops pending values when it is disposed of")
    func disposal() {
        expectEndsOnScheduler { $0.buffer(upTo: 2, whenFull: .dropOldest, on: $1) }
        expectDropsPending(by: []) { $0.buffer(upTo: 2, whenFull: .dropOldest, on: $1) }
        expectDropsPending(by: []) { $0.buffer(upTo: 1, whenFull: .dropNewest, on: $1) }
    }

    @Test("releases discarded values at once", arguments: [Overflow.dropOldest, .dropNewest, .fail])
    func releases(overflow: Overflow) {
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Signal<Population.Member, TestError>.pipe()
        let disposable = source.buffer(upTo: 2, whenFull: overflow, raising: .first, on: scheduler).observe { _ in }
        for _ in 0..<5 { input.sendNext(population.member()) }
        expect(population.alive, is: overflow == .fail ? 0 : 2)
        scheduler.advance()
        expect(population.alive, is: 0)
        disposable?.dispose()
    }

    @Test("has the limit in its name")
    func name() {
        let result = Signal<Int, Never>.pipe().output.buffer(upTo: 2, whenFull: .dropOldest, on: TestScheduler())
        expect(result.name, is: "[pipe] -buffer(upTo: 2)")
    }

    @Test("traps unless the limit is positive, and if .fail has no error")
    func badInput() async throws {
        let limit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.buffer(upTo: 0, whenFull: .dropOldest, on: QueueScheduler())
        }
        limit.expectTrap("buffer(upTo: 0)")
        let error = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.buffer(upTo: 1, whenFull: .fail, on: QueueScheduler())
        }
        error.expectTrap("buffer(whenFull: .fail)")
    }
}
