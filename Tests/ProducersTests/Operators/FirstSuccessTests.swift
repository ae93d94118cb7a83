import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("firstSuccess")
struct FirstSuccessTests {
    private let inputs = (0..<3).map { _ in Manual() }

    private var producers: [Numbers] { inputs.map(\.producer) }

    private var starts: [Int] { inputs.map(\.starts.value) }

    private var disposals: [Int] { inputs.map(\.disposals.value) }

    private func expectEmpty(_ scheduler: TestScheduler) {
        let now = scheduler.now
        scheduler.run()
        #expect(scheduler.now == now, "no timer is left")
    }

    // MARK: All at once

    @Test("goes on with the first producer that sends a value, and disposes of the others")
    func first() {
        let log = Numbers.firstSuccess(producers).logged()
        expect(starts, is: [1, 1, 1])
        inputs[0].input?.sendError(.first)
        inputs[2].input?.sendNext(1)
        expect(disposals, is: [1, 1, 0])
        inputs[1].input?.sendNext(9)
        inputs[2].input?.sendNext(2)
        inputs[2].input?.sendCompleted()
        expect(log.all, is: ["1", "2", "completed"])
        expect(disposals, is: [1, 1, 1])
    }

    @Test("fails with all errors, in the order of the producers")
    func allFail() {
        let errors = Log<AllFailed<TestError>>()
        Numbers.firstSuccess(producers).startWithError { errors.append($0) }
        inputs[2].input?.sendError(.second)
        inputs[1].input?.sendCompleted()
        expect(errors.count, is: 0)
        inputs[0].input?.sendError(.first)
        expect(errors.all, is: [AllFailed(errors: [.first, .second])])

        let none = Numbers.firstSuccess([ending(with: .completed), ending(with: .interrupted)])
        none.startWithError { errors.append($0) }
        expect(errors.all.last, is: AllFailed(errors: []))
    }

    @Test("ends as the winner does", arguments: terminals)
    func winnerEnds(_ terminal: Event<Int, TestError>) {
        let events = Log<Event<Int, AllFailed<TestError>>>()
        Numbers.firstSuccess(producers).start { events.append($0) }
        inputs[0].input?.sendError(.second)
        inputs[1].input?.sendNext(1)
        inputs[1].input?.send(terminal)
        expect(events.all, is: [.next(1), terminal.mapError { AllFailed(errors: [$0]) }])
        expect(disposals, is: [1, 1, 1])
    }

    @Test("starts nothing after a value, and nothing at all without producers")
    func synchronous() {
        let counter = Counter()
        let counted = Numbers.never.on(starting: { counter.increment() })
        let log = Numbers.firstSuccess([ending(with: .error(.first)), Numbers([1, 2]), counted]).logged()
        expect(log.all, is: ["1", "2", "completed"])
        expect(counter.value, is: 0)
        expect(Numbers.firstSuccess([]).logged().all, is: ["completed"])
    }

    @Test("tries many producers that fail immediately on a constant stack")
    func many() {
        let failing = Array(repeating: ending(with: .error(.first)), count: 10_000)
        expect(Numbers.firstSuccess(failing + [Numbers(value: 1)]).logged().all, is: ["1", "completed"])
        let staggered = Numbers.firstSuccess(
            failing + [Numbers(value: 1)], staggeredBy: .seconds(1), on: TestScheduler())
        expect(staggered.logged().all, is: ["1", "completed"])
    }

    @Test("disposes of all when it is disposed of, also from inside")
    func disposal() {
        let (log, disposable) = Numbers.firstSuccess(producers).startLogged()
        disposable.dispose()
        expect(log.all, is: ["interrupted"])
        expect(disposals, is: [1, 1, 1])

        let inside = Log<String>()
        Numbers.firstSuccess(producers).startDisposably { event, disposable in
            inside.append(event.text)
            disposable.dispose()
        }
        inputs[0].input?.sendNext(1)
        expect(inside.all, is: ["1", "interrupted"])
        expect(disposals, is: [2, 2, 2])
    }

    // MARK: Staggered

    @Test("starts the next one when the interval is over")
    func interval() {
        let scheduler = TestScheduler()
        let log = Numbers.firstSuccess(producers, staggeredBy: .seconds(3), on: scheduler).logged()
        expect(starts, is: [1, 0, 0])
        scheduler.advance(by: .seconds(2))
        expect(starts, is: [1, 0, 0])
        scheduler.advance(by: .seconds(1))
        expect(starts, is: [1, 1, 0])
        scheduler.advance(by: .seconds(3))
        expect(starts, is: [1, 1, 1])
        inputs[1].input?.sendNext(1)
        expect(disposals, is: [1, 0, 1])
        inputs[1].input?.sendCompleted()
        expect(log.all, is: ["1", "completed"])
        expectEmpty(scheduler)
    }

    @Test("starts the next one early if the one before it ends without a value, and not if an earlier one does")
    func early() {
        let scheduler = TestScheduler()
        let errors = Log<AllFailed<TestError>>()
        Numbers.firstSuccess(producers, staggeredBy: .seconds(3), on: scheduler).startWithError { errors.append($0) }
        scheduler.advance(by: .seconds(3))
        expect(starts, is: [1, 1, 0])
        inputs[0].input?.sendError(.first)
        expect(starts, is: [1, 1, 0])
        scheduler.advance(by: .seconds(1))
        inputs[1].input?.sendCompleted()
        expect(starts, is: [1, 1, 1])
        expectEmpty(scheduler)
        inputs[2].input?.sendError(.second)
        expect(errors.all, is: [AllFailed(errors: [.first, .second])])
    }

    @Test("counts the interval from each start")
    func again() {
        let scheduler = TestScheduler()
        let log = Numbers.firstSuccess(producers, staggeredBy: .seconds(3), on: scheduler).logged()
        scheduler.advance(by: .seconds(2))
        inputs[0].input?.sendError(.first)
        expect(starts, is: [1, 1, 0])
        scheduler.advance(by: .seconds(2))
        expect(starts, is: [1, 1, 0])
        scheduler.advance(by: .seconds(1))
        expect(starts, is: [1, 1, 1])
        expectEmpty(scheduler)
        expect(log.count, is: 0)
        for input in inputs { input.release() }
    }

    @Test("stops its timer when there is a winner, and when it is disposed of")
    func stops() {
        let scheduler = TestScheduler()
        let log = Numbers.firstSuccess(producers, staggeredBy: .seconds(3), on: scheduler).logged()
        inputs[0].input?.sendNext(1)
        expectEmpty(scheduler)
        expect(starts, is: [1, 0, 0])
        inputs[0].input?.sendCompleted()
        expect(log.all, is: ["1", "completed"])

        let disposable = Numbers.firstSuccess(producers, staggeredBy: .seconds(3), on: scheduler).start()
        disposable.dispose()
        expectEmpty(scheduler)
        expect(starts, is: [2, 0, 0])
    }

    @Test("survives a scheduler whose timers fire before it returns them")
    func hasty() {
        let log = Numbers.firstSuccess(producers, staggeredBy: .seconds(3), on: HastyScheduler()).logged()
        expect(starts, is: [1, 1, 1])
        inputs[1].input?.sendNext(1)
        inputs[1].input?.sendCompleted()
        expect(log.all, is: ["1", "completed"])
        expect(disposals, is: [1, 1, 1])
    }

    // MARK: Names and traps

    @Test("is called by its inputs")
    func name() {
        let (a, b) = (Numbers.never.named("a"), Numbers.never.named("b"))
        expect(Numbers.firstSuccess([a, b]).name, is: "+firstSuccess: (a, b)")
    }

    @Test("traps if the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.firstSuccess([Numbers.never], staggeredBy: .seconds(-1), on: QueueScheduler())
        }
        result.expectTrap("firstSuccess(staggeredBy: -1.0 seconds): the interval must not be negative")
    }
}
