import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("take(last:)")
struct TakeLastTests {
    @Test("sends the last values on completion, and otherwise only the terminal event", arguments: 0...5)
    func takes(count: Int) {
        expectModel {
            $0.take(last: count)
        } does: { values, ending in
            (ending == .completed ? values.suffix(count).map(String.init) : []) + [ending?.text].compactMap(\.self)
        }
    }

    @Test("sends the last values of many", arguments: 1...9)
    func many(count: Int) {
        let (source, input) = Source.pipe()
        let log = source.take(last: count).logged()
        for value in 1...100 { input.sendNext(value) }
        #expect(log.all.isEmpty)
        input.sendCompleted()
        #expect(log.all == (101 - count...100).map(String.init) + ["completed"])
    }

    @Test("with the largest count, sends all values and reserves no memory in advance")
    func greatest() {
        let (source, input) = Source.pipe()
        let log = source.take(last: .max).logged()
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "3", "completed"])
    }

    @Test("can send nil")
    func optional() {
        let (source, input) = Signal<Int?, Never>.pipe()
        let log = source.take(last: 2).logged()
        for value in [1, nil, nil] { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["nil", "nil", "completed"])
    }

    @Test("sends the same values to a late observer")
    func late() {
        let (source, input) = Source.pipe()
        let result = source.take(last: 2)
        for value in 1...3 { input.sendNext(value) }
        let log = result.logged()
        input.sendCompleted()
        expect(log.all, is: ["2", "3", "completed"])
    }

    @Test("stops during the flush when downstream has enough values")
    func enough() {
        let (source, input) = Source.pipe()
        let passed = Log<Int>()
        let log = source.take(last: 3).on(next: { passed.append($0) }).take(first: 1).logged()
        for value in 1...4 { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["2", "completed"])
        expect(passed.all, is: [2])
    }

    @Test("sends nothing more to an observer that is disposed of during the flush")
    func disposedInside() {
        let (source, input) = Source.pipe()
        let disposable = SerialDisposable()
        let log = Log<String>()
        let result = source.take(last: 3)
        disposable.inner = result.observe { event in
            log.append(event.text)
            disposable.dispose()
        }
        let other = result.logged()
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["1"])
        expect(other.all, is: ["1", "2", "3", "completed"])
    }

    @Test("drops events sent during the flush, as the source has completed")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.take(last: 2).observe { event in
            log.append(event.text)
            input.sendNext(9)
            input.sendError(.first)
        }
        for value in 1...2 { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("retains no more values than it may send, and none after the end", arguments: 0...3)
    func releases(count: Int) {
        for ending in [Event<Population.Member, TestError>.completed, .error(.first), .interrupted] {
            let population = Population()
            let (source, input) = Signal<Population.Member, TestError>.pipe()
            let result = source.take(last: count)
            for sent in 1...5 {
                input.sendNext(population.member())
                expect(population.alive, is: min(sent, count))
            }
            input.send(ending)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
    }

    @Test("releases its values when it is disposed of or released")
    func disposal() {
        let population = Population()
        let (source, input) = Signal<Population.Member, TestError>.pipe()
        let disposable = source.take(last: 2).observe { _ in }
        input.sendNext(population.member())
        expect(population.alive, is: 1)
        disposable?.dispose()
        expect(population.alive, is: 0)
        do {
            let result = source.take(last: 2)
            input.sendNext(population.member())
            withExtendedLifetime(result) { expect(population.alive, is: 1) }
        }
        expect(population.alive, is: 0)
        withExtendedLifetime((source, input)) {}
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { for count in 0...2 { expectForwardsTerminals { $0.take(last: count) } } }

    @Test("has the count in its name")
    func name() {
        let (source, input) = Source.pipe()
        expect(source.take(last: 2).name, is: "[pipe] -take(last: 2)")
        expect(source.take(last: 0).name, is: "[pipe] -take(last: 0)")
        withExtendedLifetime(input) {}
    }

    @Test("traps when the count is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.take(last: -1)
        }
        result.expectTrap("take(last: -1)")
    }
}
