import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("groupBy(_:bufferLimit:idle:maxKeys:whenFull:raising:on:)")
struct GroupByLimitedTests {
    private let scheduler = TestScheduler()
    private let source = Manual()
    /// The keys, the values with their keys, and the terminal events of the groups and of the result.
    private let log = Log<String>()

    /// The key of a value is its first digit.
    private func grouped(
        maxKeys: Int = 10, idle: Duration = .seconds(3), _ overflow: Overflow = .dropNewest, bufferLimit: Int = 10,
        raising error: TestError? = nil
    ) -> SignalProducer<Group<Int, Int, TestError>, TestError> {
        source.producer.groupBy(
            { $0 / 10 }, bufferLimit: bufferLimit, idle: idle, maxKeys: maxKeys, whenFull: overflow,
            raising: error, on: scheduler)
    }

    @discardableResult
    private func start(_ groups: SignalProducer<Group<Int, Int, TestError>, TestError>) -> any Disposable {
        groups.start { [log] event in
            guard let group = event.value else { return log.append(event.text) }
            log.append("group \(group.key)")
            group.producer.start { log.append("\(group.key): \($0.text)") }
        }
    }

    private func send(_ values: Int...) {
        for value in values { source.input?.sendNext(value) }
    }

    @Test("sends each value to the group of its key, and ends the groups after the result", arguments: terminals)
    func groups(_ terminal: Event<Int, TestError>) {
        start(grouped())
        send(10, 20, 11)
        source.input?.send(terminal)
        expect(
            log.all,
            is: [
                "group 1", "1: 10", "group 2", "2: 20", "1: 11", terminal.text, "1: \(terminal.text)",
                "2: \(terminal.text)",
            ])
        expect(source.disposals.value, is: 1)
        scheduler.run()
        expect(scheduler.now.offset, is: .zero, "no timer is left")
    }

    @Test("completes a group that has been idle, and begins a new one with the next value")
    func idle() {
        let disposable = start(grouped())
        send(10)
        scheduler.advance(by: .seconds(2))
        send(11, 20)
        scheduler.advance(by: .seconds(2))
        expect(log.all, is: ["group 1", "1: 10", "1: 11", "group 2", "2: 20"])
        log.removeAll()
        scheduler.advance(by: .seconds(1))
        expect(log.all, is: ["1: completed", "2: completed"])
        send(12)
        expect(log.all.suffix(2), is: ["group 1", "1: 12"])
        log.removeAll()
        disposable.dispose()
        send(30, 13)
        scheduler.advance(by: .seconds(3))
        expect(log.all, is: ["interrupted", "1: 13", "1: completed"], "the open group goes on, and no new one begins")
        expect(source.disposals.value, is: 1)
    }

    @Test("with a zero idle time, completes each group after its value")
    func zero() {
        start(grouped(maxKeys: 1, idle: .zero, .fail, raising: .second))
        send(10, 11, 20)
        source.input?.sendCompleted()
        expect(
            log.all,
            is: [
                "group 1", "1: 10", "1: completed", "group 1", "1: 11", "1: completed", "group 2", "2: 20",
                "2: completed", "completed",
            ])
        scheduler.run()
        expect(scheduler.now.offset, is: .zero, "no timer was set")
    }

    @Test("limits the number of groups")
    func maxKeys() {
        var disposable = start(grouped(maxKeys: 2, .dropNewest))
        send(10, 20, 30, 11)
        expect(log.all, is: ["group 1", "1: 10", "group 2", "2: 20", "1: 11"])
        disposable.dispose()
        source.release()
        log.removeAll()
        disposable = start(grouped(maxKeys: 2, .dropOldest))
        send(10, 20, 11, 30)
        expect(
            log.all, is: ["group 1", "1: 10", "group 2", "2: 20", "1: 11", "2: completed", "group 3", "3: 30"])
        disposable.dispose()
        source.release()
        log.removeAll()
        start(grouped(maxKeys: 2, .fail, raising: .second))
        send(10, 20, 30)
        expect(
            log.all,
            is: ["group 1", "1: 10", "group 2", "2: 20", "error second", "1: error second", "2: error second"])
    }

    @Test("limits what a group buffers until its first start")
    func bufferLimit() {
        for (overflow, kept) in [(Overflow.dropOldest, ["11", "12"]), (.dropNewest, ["10", "11"])] {
            let groups = Log<Group<Int, Int, TestError>>()
            let disposable = grouped(overflow, bufferLimit: 2).start { event in
                if let group = event.value { groups.append(group) }
            }
            send(10, 11, 12)
            let group = groups.all[0].producer.logged()
            expect(group.all, is: kept)
            send(13, 14, 15)
            expect(group.count, is: 5, "a group that has been started buffers nothing")
            disposable.dispose()
        }
        let groups = Log<Group<Int, Int, TestError>>()
        grouped(.fail, bufferLimit: 1, raising: .second).start { [log] event in
            if let group = event.value { groups.append(group) } else { log.append(event.text) }
        }
        send(10, 11)
        expect(log.all, is: ["error second"])
        expect(groups.all[0].producer.logged().all, is: ["10", "error second"])
    }

    @Test("works on signals, and sets no timer when neither the result nor a group is observed")
    func signals() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = Log<String>()
        let groups = Log<any Disposable>()
        let disposable = signal.groupBy(
            { $0 / 10 }, bufferLimit: 1, idle: .seconds(3), maxKeys: 2, whenFull: .dropOldest, on: scheduler
        ).observe { event in
            guard let group = event.value else { return }
            groups.append(group.producer.start { log.append("\(group.key): \($0.text)") })
        }
        input.sendNext(10)
        input.sendNext(20)
        disposable?.dispose()
        input.sendNext(30)
        input.sendNext(11)
        expect(log.all, is: ["1: 10", "2: 20", "1: 11"])
        for group in groups.all { group.dispose() }
        scheduler.run()
        expect(scheduler.now.offset, is: .zero, "no timer is left")
        input.sendInterrupted()
    }

    @Test("traps on bad input")
    func badInput() async throws {
        let maxKeys = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.groupBy(
                { $0 }, bufferLimit: 1, idle: .seconds(1), maxKeys: 0, whenFull: .dropOldest, on: TestScheduler())
        }
        maxKeys.expectTrap("groupBy(maxKeys: 0): the limit must be positive")
        let limit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.groupBy(
                { $0 }, bufferLimit: 0, idle: .seconds(1), maxKeys: 1, whenFull: .dropOldest, on: TestScheduler())
        }
        limit.expectTrap("groupBy(bufferLimit: 0): the limit must be positive")
        let idle = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.groupBy(
                { $0 }, bufferLimit: 1, idle: .seconds(-1), maxKeys: 1, whenFull: .dropOldest, on: TestScheduler())
        }
        idle.expectTrap("groupBy(idle: -1.0 seconds): the time must not be negative")
        let error = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.groupBy(
                { $0 }, bufferLimit: 1, idle: .seconds(1), maxKeys: 1, whenFull: .fail, on: TestScheduler())
        }
        error.expectTrap("groupBy(whenFull: .fail): the overflow .fail needs the parameter raising")
    }
}
