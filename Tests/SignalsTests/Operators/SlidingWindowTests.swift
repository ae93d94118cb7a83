import ReactiveSignals
import TestSupport
import Testing

@Suite("slidingWindow")
struct SlidingWindowTests {
    @Test("sends the last values with each value, once there are enough", arguments: 1...5)
    func model(count: Int) {
        expectModel {
            $0.slidingWindow(count)
        } does: { values, ending in
            let ends = values.indices.map { $0 + 1 }.filter { $0 >= count }
            return ends.map { "\(values[($0 - count)..<$0])" } + [ending?.text].compactMap(\.self)
        }
    }

    @Test("does not modify arrays that it has sent")
    func keepsArrays() {
        let (source, input) = Source.pipe()
        let windows = Log<[Int]>()
        source.slidingWindow(3).observe { event in
            if let window = event.value { windows.append(window) }
        }
        for value in 1...6 { input.sendNext(value) }
        expect(windows.all, is: [[1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6]])
    }

    @Test("delivers re-entrant events in order")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.slidingWindow(2).observe { event in
            log.append(event.text)
            if let last = event.value?.last, last < 4 { input.sendNext(last + 1) }
        }
        for value in 1...2 { input.sendNext(value) }
        expect(log.all, is: ["[1, 2]", "[2, 3]", "[3, 4]"])
        input.sendCompleted()
    }

    @Test("retains the values of one array, and none after the end")
    func releases() {
        for ending in [Event<Population.Member, TestError>.completed, .error(.first), .interrupted] {
            let population = Population()
            let (source, input) = Signal<Population.Member, TestError>.pipe()
            let result = source.slidingWindow(3)
            for count in [1, 2, 3, 3, 3] {
                input.sendNext(population.member())
                expect(population.alive, is: count)
            }
            input.send(ending)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
        let population = Population()
        let (source, input) = Signal<Population.Member, TestError>.pipe()
        let disposable = source.slidingWindow(3).observe { _ in }
        input.sendNext(population.member())
        disposable?.dispose()
        expect(population.alive, is: 0)
    }

    @Test("reserves no memory for a window that is never filled")
    func huge() {
        let (source, input) = Source.pipe()
        let log = source.slidingWindow(.max).logged()
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["completed"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.slidingWindow(2) } }

    @Test("has the operator's name")
    func name() { expect(Source.never.slidingWindow(2).name, is: "[never] -slidingWindow: 2") }

    @Test("traps unless the count is positive")
    func zero() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.slidingWindow(0)
        }
        result.expectTrap("slidingWindow(0)")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.slidingWindow(-2)
        }
        negative.expectTrap("slidingWindow(-2)")
    }
}
