import ReactiveSignals
import TestSupport
import Testing

@Suite("slidingWindow(upTo:)")
struct SlidingWindowUpToTests {
    @Test("sends the last values with each value, from the first one on", arguments: 1...5)
    func model(count: Int) {
        expectModel {
            $0.slidingWindow(upTo: count)
        } does: { values, ending in
            values.indices.map { "\(Array(values[...$0].suffix(count)))" } + [ending?.text].compactMap(\.self)
        }
    }

    @Test("does not modify arrays that it has sent")
    func keepsArrays() {
        let (source, input) = Source.pipe()
        let windows = Log<[Int]>()
        source.slidingWindow(upTo: 2).observe { event in
            if let window = event.value { windows.append(window) }
        }
        for value in 1...4 { input.sendNext(value) }
        expect(windows.all, is: [[1], [1, 2], [2, 3], [3, 4]])
    }

    @Test("delivers re-entrant events in order")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.slidingWindow(upTo: 2).observe { event in
            log.append(event.text)
            if let last = event.value?.last, last < 3 { input.sendNext(last + 1) }
        }
        input.sendNext(1)
        expect(log.all, is: ["[1]", "[1, 2]", "[2, 3]"])
        input.sendCompleted()
    }

    @Test("retains the values of one array, and none after the end")
    func releases() {
        for ending in [Event<Population.Member, TestError>.completed, .error(.first), .interrupted] {
            let population = Population()
            let (source, input) = Signal<Population.Member, TestError>.pipe()
            let result = source.slidingWindow(upTo: 3)
            for count in [1, 2, 3, 3, 3] {
                input.sendNext(population.member())
                expect(population.alive, is: count)
            }
            input.send(ending)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
    }

    @Test("separately for each start of a producer")
    func starts() {
        let producer = SignalProducer<Int, TestError>([1, 2, 3]).slidingWindow(upTo: 2)
        for _ in 0..<2 {
            let log = Log<String>()
            producer.start { log.append($0.text) }
            expect(log.all, is: ["[1]", "[1, 2]", "[2, 3]", "completed"])
        }
    }

    @Test("reserves no memory for a window that is never filled")
    func huge() {
        let (source, input) = Source.pipe()
        let log = source.slidingWindow(upTo: .max).logged()
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["[1]", "[1, 2]", "[1, 2, 3]", "completed"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.slidingWindow(upTo: 2) } }

    @Test("has the operator's name")
    func name() { expect(Source.never.slidingWindow(upTo: 2).name, is: "[never] -slidingWindow(upTo: 2)") }

    @Test("traps unless the count is positive")
    func traps() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.slidingWindow(upTo: 0)
        }
        zero.expectTrap("slidingWindow(upTo: 0)")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.slidingWindow(upTo: -2)
        }
        negative.expectTrap("slidingWindow(upTo: -2)")
    }
}
