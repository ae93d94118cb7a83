import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("collect(every:upTo:on:)")
struct CollectEveryUpToTests {
    private func batches(_ diagram: String) -> [String] {
        timeline(of: diagram) { $0.collect(every: .seconds(5), upTo: 3, on: $1) }
    }

    @Test("sends an array as soon as it is full")
    func full() {
        expect(batches("123456"), is: ["[1, 2, 3] at 2", "[4, 5, 6] at 5"])
    }

    @Test("sends an array when its first value has waited for the interval, and no empty arrays")
    func old() {
        expect(batches("--12"), is: ["[1, 2] at 7"])
        expect(batches("1-----2"), is: ["[1] at 5", "[2] at 11"])
        // The second array's interval does not start with the first array.
        expect(batches("123--4"), is: ["[1, 2, 3] at 2", "[4] at 10"])
        expect(batches(""), is: [])
    }

    @Test("sends the remaining values before completing")
    func completes() {
        expect(batches("12|"), is: ["[1, 2] at 2", "completed at 2"])
        expect(batches("123|"), is: ["[1, 2, 3] at 2", "completed at 3"])
        expect(batches("|"), is: ["completed at 0"])
    }

    @Test("discards a partial array on an error or an interruption")
    func fails() {
        expect(batches("12X"), is: ["error first at 2"])
        expect(batches("123!"), is: ["[1, 2, 3] at 2", "interrupted at 3"])

        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = source.collect(every: .seconds(5), upTo: 2, on: scheduler).logged()
        for value in 1...5 { input.sendNext(value) }
        input.sendError(.first)
        scheduler.advance()
        expect(log.all, is: ["[1, 2]", "[3, 4]", "error first"], "full arrays are sent before the error")
    }

    @Test("collects values that arrive during a delivery in later arrays")
    func busy() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<[Int]>()
        let disposable = source.collect(every: .seconds(5), upTo: 2, on: scheduler).observe { event in
            guard let values = event.value else { return }
            log.append(values)
            if values == [1, 2] { for value in 3...7 { input.sendNext(value) } }
        }
        input.sendNext(1)
        input.sendNext(2)
        scheduler.advance()
        expect(log.all, is: [[1, 2], [3, 4], [5, 6]])
        scheduler.advance(by: .seconds(5))
        expect(log.all, is: [[1, 2], [3, 4], [5, 6], [7]])
        disposable?.dispose()
        wind(input, up: scheduler)
    }

    @Test("ends on its scheduler, and drops pending values when it is disposed of")
    func endsOnScheduler() {
        expectEndsOnScheduler { $0.collect(every: .seconds(5), upTo: 3, on: $1) }
        expectDropsPending { $0.collect(every: .seconds(5), upTo: 3, on: $1).map(\.count) }
    }

    @Test("has the count in its name")
    func name() {
        let result = Signal<Int, Never>.pipe().output.collect(every: .seconds(5), upTo: 7, on: TestScheduler())
        expect(result.name, is: "[pipe] -collect(every:upTo: 7)")
    }

    @Test("traps unless the interval and the count are positive")
    func badInput() async throws {
        let interval = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.collect(every: .zero, upTo: 1, on: QueueScheduler())
        }
        interval.expectTrap("collect(every: 0.0 seconds)")
        let count = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.collect(every: .seconds(1), upTo: 0, on: QueueScheduler())
        }
        count.expectTrap("collect(upTo: 0)")
    }
}
