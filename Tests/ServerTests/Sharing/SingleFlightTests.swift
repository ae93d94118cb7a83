import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Work per key that the test drives. Holds the latest input for each key.
private final class ManualWork: Sendable {
    /// Holds the inputs of previous runs, too, because releasing an input interrupts its run.
    private let inputs = Locked<[Int: [Signal<Int, TestError>.Observer]]>([:])
    let begun = Log<Int>()
    let ended = Log<Int>()

    func make(_ key: Int) -> Numbers {
        Numbers { [self] observer, lifetime in
            begun.append(key)
            inputs.withLock { $0[key, default: []].append(observer) }
            lifetime.observeEnded { self.ended.append(key) }
        }
    }

    func send(_ event: Event<Int, TestError>, for key: Int) {
        inputs.withLock { $0[key]?.last }?.send(event)
    }

    func finish(_ key: Int, with value: Int) {
        send(.next(value), for: key)
        send(.completed, for: key)
    }

    func release() {
        let former = inputs.withLock { inputs in
            defer { inputs = [:] }
            return inputs
        }
        withExtendedLifetime(former) {}
    }
}

@Suite("SingleFlight", .watched)
struct SingleFlightTests {
    private func make(
        _ clock: TestScheduler, maxEntries: Int = 10, keepsErrors: Bool = false
    ) -> (work: ManualWork, flights: SingleFlight<Int, Int, TestError>) {
        let work = ManualWork()
        let flights = SingleFlight<Int, Int, TestError>(
            timeToLive: .seconds(10), maxEntries: maxEntries, on: clock, keepsErrors: keepsErrors
        ) { work.make($0) }
        return (work, flights)
    }

    @Test("starts for the same key share its work, and starts for different keys do not")
    func shares() {
        let work = ManualWork()
        let flights = SingleFlight<Int, Int, TestError> { work.make($0) }
        let first = flights.producer(for: 1).logged()
        work.send(.next(5), for: 1)
        let second = flights.producer(for: 1).logged()
        let other = flights.producer(for: 2).logged()
        expect(work.begun.all, is: [1, 2])
        expect(flights.count, is: 2)
        work.finish(1, with: 6)
        for log in [first, second] { expect(log.all, is: ["5", "6", "completed"]) }
        expect(other.all, is: [])
        expect(flights.count, is: 1)
        flights.producer(for: 1).start()
        expect(work.begun.all, is: [1, 2, 1])
        work.send(.error(.first), for: 2)
        expect(other.all, is: ["error first"])
        work.release()
    }

    @Test("ten thousand starts from several threads do the work once, and the last disposal cancels it")
    func crowd() {
        let count = Sanitizer.current == nil ? 10_000 : 1_000
        let (begun, ended, received) = (Counter(), Counter(), Counter())
        let input = Locked<Signal<Int, Never>.Observer?>(nil)
        let flights = SingleFlight<String, Int, Never> { _ in
            SignalProducer { observer, lifetime in
                begun.increment()
                input.withLock { $0 = observer }
                lifetime.observeEnded { ended.increment() }
            }
        }
        let producer = flights.producer(for: "key")
        let starts = Log<any Disposable>()
        onThreads(4, "starts") { _ in
            for _ in 0..<count / 4 {
                starts.append(producer.start { if case .next = $0 { received.increment() } })
            }
        }
        expect(begun.value, is: 1)
        input.withLock { $0 }?.sendNext(1)
        expect(received.value, is: count)
        let all = starts.all
        onThreads(4, "leaves") { thread in
            for index in stride(from: thread, to: count, by: 4) where index != 7 { all[index].dispose() }
        }
        expect(ended.value, is: 0)
        all[7].dispose()
        // Another thread may complete disposals that overlap.
        #expect(becomesTrue { ended.value == 1 && flights.count == 0 })
        input.withLock { $0 = nil }
    }

    @Test("keeps the values of completed work for their time to live")
    func timeToLive() {
        let clock = TestScheduler()
        let (work, flights) = make(clock)
        flights.producer(for: 1).start()
        clock.advance(by: .seconds(5))
        work.send(.next(1), for: 1)
        work.finish(1, with: 2)
        clock.advance(by: .seconds(9))
        expect(flights.producer(for: 1).logged().all, is: ["1", "2", "completed"])
        expect(work.begun.count, is: 1)
        expect(flights.count, is: 1)
        clock.advance(by: .seconds(1))
        // The timer has removed the result.
        expect(flights.count, is: 0)
        flights.producer(for: 1).start().dispose()
        expect(work.begun.count, is: 2)
        work.release()
    }

    @Test("expires all results in turn")
    func timers() {
        let clock = TestScheduler()
        let (work, flights) = make(clock)
        for key in 1...3 {
            flights.producer(for: key).start()
            work.finish(key, with: key)
            clock.advance(by: .seconds(3))
        }
        expect(flights.count, is: 3)
        for count in [2, 1, 0] {
            clock.advance(by: .seconds(count == 2 ? 1 : 3))
            expect(flights.count, is: count)
        }
        work.release()
    }

    @Test("does not use expired results if the timer is late, and keeps results while the clock is behind")
    func lateTimer() {
        let clock = ScriptedClock()
        let begun = Counter()
        let flights = SingleFlight<Int, Int, Never>(timeToLive: .seconds(10), maxEntries: 3, on: clock) { _ in
            SignalProducer.deferred { SignalProducer(value: begun.increment()) }
        }
        let producer = flights.producer(for: 0)
        expect(producer.logged().all, is: ["1", "completed"])
        clock.time = .seconds(-50)
        clock.runScheduled()
        expect(producer.logged().all, is: ["1", "completed"])
        expect(clock.delays, is: [.seconds(60)])
        clock.time = .seconds(10)
        expect(producer.logged().all, is: ["2", "completed"])
        expect(producer.logged().all, is: ["2", "completed"])
        flights.invalidateAll()
        expect(clock.delays, is: [])
        expect(flights.count, is: 0)
    }

    @Test("evicts the least recently used result when there are too many")
    func maximum() {
        let clock = TestScheduler()
        let (work, flights) = make(clock, maxEntries: 2)
        let running = flights.producer(for: 9).logged()
        for key in 1...3 {
            flights.producer(for: key).start()
            work.finish(key, with: key)
            flights.producer(for: 1).start()
        }
        // Key 2 was used before key 1. Work in progress does not count.
        expect(flights.count, is: 3)
        expect(work.begun.all, is: [9, 1, 2, 3])
        flights.producer(for: 2).start()
        expect(work.begun.all, is: [9, 1, 2, 3, 2])
        expect(running.all, is: [])
        work.release()
    }

    @Test("keeps errors only if asked to, and never interruptions")
    func errors() {
        for keepsErrors in [false, true] {
            let clock = TestScheduler()
            let (work, flights) = make(clock, keepsErrors: keepsErrors)
            let log = flights.producer(for: 1).logged()
            work.send(.error(.first), for: 1)
            expect(log.all, is: ["error first"])
            let second = flights.producer(for: 1).logged()
            expect(second.all, is: keepsErrors ? ["error first"] : [])
            expect(work.begun.count, is: keepsErrors ? 1 : 2)
            let interrupted = flights.producer(for: 2).logged()
            work.send(.interrupted, for: 2)
            expect(interrupted.all, is: ["interrupted"])
            flights.producer(for: 2).start()
            expect(work.begun.all.filter { $0 == 2 }.count, is: 2)
            work.release()
        }
    }

    @Test("does the work of an invalidated key again, while existing starts keep sharing the previous work")
    func invalidates() {
        let clock = TestScheduler()
        let (work, flights) = make(clock)
        let former = flights.producer(for: 1).startLogged()
        work.send(.next(1), for: 1)
        flights.invalidate(1)
        flights.invalidate(5)
        expect(work.ended.count, is: 0)
        let second = flights.producer(for: 1).logged()
        expect(work.begun.count, is: 2)
        work.finish(1, with: 2)
        expect(second.all, is: ["2", "completed"])
        expect(former.log.all, is: ["1"])
        // The previous work does not replace the result.
        former.disposable.dispose()
        expect(work.ended.count, is: 2)
        expect(flights.producer(for: 1).logged().all, is: ["2", "completed"])
        flights.invalidate(1)
        expect(flights.count, is: 0)
        work.release()
    }

    @Test("does the work again for a retry after its end")
    func retry() {
        let starts = Counter()
        let flights = SingleFlight<Int, Int, TestError> { _ in
            .deferred { starts.increment() < 3 ? Numbers(error: .first) : Numbers(value: 7) }
        }
        expect(flights.producer(for: 0).retry(upTo: 5).logged().all, is: ["7", "completed"])
        expect(starts.value, is: 3)
    }

    @Test("does synchronous work for each start, or once if results are kept")
    func synchronous() {
        let clock = TestScheduler()
        let starts = Counter()
        let kept = SingleFlight<Int, Int, Never>(timeToLive: .seconds(1), maxEntries: 1, on: clock) { _ in
            .deferred { SignalProducer(value: starts.increment()) }
        }
        for _ in 0..<3 { expect(kept.producer(for: 1).logged().all, is: ["1", "completed"]) }
        let unkept = SingleFlight<Int, Int, Never> { _ in .deferred { SignalProducer(value: starts.increment()) } }
        for number in 2...3 { expect(unkept.producer(for: 1).logged().all, is: ["\(number)", "completed"]) }
    }

    @Test("a sender that never waits does not wait for an observer of the values that are kept", .watched)
    func enqueues() {
        let (source, input) = Signal<Int, Never>.pipe(contention: .enqueue)
        let flights = SingleFlight<Int, Int, Never> { _ in source.producer }
        let first = flights.producer(for: 0).logged()
        input.sendNext(1)
        let (isReplaying, mayGoOn) = (Latch("a kept value"), Latch("to go on"))
        let second = Log<String>()
        let late = TestThread("late") {
            flights.producer(for: 0).start { event in
                second.append(event.text)
                guard event.value == 1 else { return }
                isReplaying.open()
                mayGoOn.wait()
            }
        }
        isReplaying.wait()
        // Would not return if it waited.
        input.sendNext(2)
        mayGoOn.open()
        late.join()
        input.sendCompleted()
        for log in [first, second] { #expect(becomesTrue { log.all == ["1", "2", "completed"] }) }
    }

    @Test("stops endless work when the last start ends early")
    func leaving() {
        let numbers = CountedNumbers()
        let flights = SingleFlight<Int, Int, TestError> { _ in Numbers(numbers) }
        expect(flights.producer(for: 1).take(first: 2).logged().all, is: ["0", "1", "completed"])
        expect(numbers.asked.value, is: 2)
        expect(flights.count, is: 0)
    }

    @Test("distinguishes keys with equal hash values, and treats a key whose hash value changes as a new key")
    func lies() {
        let clock = TestScheduler()
        let starts = Counter()
        let flights = SingleFlight<LyingKey, String, Never>(timeToLive: .seconds(1), maxEntries: 4, on: clock) { key in
            starts.increment()
            return SignalProducer(value: key.name)
        }
        for _ in 0..<2 {
            for name in ["a", "b", "c"] {
                expect(flights.producer(for: LyingKey(name, [1])).logged().all, is: [name, "completed"])
            }
        }
        expect(starts.value, is: 3)
        let liar = flights.producer(for: LyingKey("liar", Array(0..<50)))
        for _ in 0..<50 { expect(liar.logged().all, is: ["liar", "completed"]) }
        expect(starts.value, is: 53)
        expect(flights.count, is: 4)
        clock.advance(by: .seconds(1))
        expect(flights.count, is: 0)
    }

    @Test("matches the model over random starts, ends, invalidations and disposals", arguments: 0..<20)
    func model(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let clock = TestScheduler()
        let (work, flights) = make(clock, maxEntries: 3)
        var model = FlightModel(timeToLive: 10, maxEntries: 3)
        var starts: [(key: Int, run: Int?, disposable: any Disposable)] = []
        for _ in 0..<1_000 {
            let key = random.number(in: 0...5)
            switch random.number(in: 0...9) {
            case 0...3:
                let run = model.start(key)
                starts.append((key, run, flights.producer(for: key).start()))
            case 4...5:
                // Only work that the test can reach: the latest for the key.
                if model.end(key) { work.finish(key, with: 1) }
            case 6:
                flights.invalidate(key)
                model.invalidate(key)
            case 7:
                clock.advance(by: .seconds(random.number(in: 0...4)))
                model.advance(to: Int(clock.now.offset.components.seconds))
            default:
                guard !starts.isEmpty else { continue }
                let start = starts.remove(at: random.number(in: 0...starts.count - 1))
                start.disposable.dispose()
                if let run = start.run { model.leave(run) }
            }
            expect(flights.count, is: model.count)
            expect(work.begun.count, is: model.runs)
        }
        for start in starts { start.disposable.dispose() }
        expect(work.ended.count, is: work.begun.count)
        work.release()
    }

    @Test("loses no start and leaves no work running when threads start, dispose and invalidate")
    func threads() {
        let clock = QueueScheduler()
        let (begun, ended, ends) = (Counter(), Counter(), Counter())
        let flights = SingleFlight<Int, Int, TestError>(timeToLive: .microseconds(50), maxEntries: 2, on: clock) {
            key in
            Numbers { observer, lifetime in
                begun.increment()
                lifetime.observeEnded { ended.increment() }
                observer.sendNext(key)
                if key != 3 { observer.sendCompleted() }
            }
        }
        let rounds = 4 * raceRounds
        onThreads(3, "flights") { thread in
            for round in 0..<rounds {
                let start = flights.producer(for: round % 4).start { if $0.isTerminating { ends.increment() } }
                if round % 16 == thread { flights.invalidate(round % 4) }
                start.dispose()
            }
        }
        #expect(becomesTrue { ends.value == 3 * rounds && ended.value == begun.value })
        flights.invalidateAll()
        expect(flights.count, is: 0)
    }

    @Test("releases results on invalidation, and everything with the last reference")
    func releases() {
        let population = Population()
        let clock = TestScheduler()
        do {
            let member = population.member()
            let flights = SingleFlight<Int, Population.Member, Never>(
                timeToLive: .seconds(10), maxEntries: 5, on: clock
            ) { [member] _ in
                member.touch()
                return SignalProducer(value: population.member())
            }
            flights.producer(for: 1).start()
            flights.producer(for: 2).start()
            expect(population.alive, is: 3)
            flights.invalidate(1)
            expect(population.alive, is: 2)
        }
        expect(population.alive, is: 0)
        // The timer has been released, too.
        clock.run()
        expect(clock.now.offset, is: .zero)
    }

    static let mistakes: [(message: String, make: @Sendable () -> Void)] = [
        (
            "SingleFlight(timeToLive: 0.0 seconds): the time to live must be positive",
            {
                _ = SingleFlight<Int, Int, Never>(timeToLive: .zero, maxEntries: 1, on: TestScheduler()) { _ in .empty }
            }
        ),
        (
            "SingleFlight(maxEntries: 0): the number of entries must be positive",
            {
                _ = SingleFlight<Int, Int, Never>(timeToLive: .seconds(1), maxEntries: 0, on: TestScheduler()) { _ in
                    .empty
                }
            }
        ),
        (
            "cached(for: -1.0 seconds): the duration must be positive",
            { _ = Numbers.never.cached(for: .seconds(-1), on: TestScheduler()) }
        ),
    ]

    @Test("traps on invalid parameters", arguments: 0..<3)
    func traps(_ index: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
            Self.mistakes[index].make()
        }
        result.expectTrap(Self.mistakes[index].message)
    }
}

/// A model of ``SingleFlight`` that searches a list.
private struct FlightModel {
    private struct Flight {
        let key: Int
        let run: Int
        var starts: Int
        /// The time at which it expires, once it has completed.
        var expiry: Int?
        var use: Int
        var isListed = true
    }

    let timeToLive: Int
    let maxEntries: Int
    private var flights: [Flight] = []
    private var now = 0
    private var uses = 0
    private(set) var runs = 0

    init(timeToLive: Int, maxEntries: Int) {
        self.timeToLive = timeToLive
        self.maxEntries = maxEntries
    }

    var count: Int { flights.count { $0.isListed } }

    /// Returns the run that the start shares, or nil if it received a result.
    mutating func start(_ key: Int) -> Int? {
        uses += 1
        if let index = flights.firstIndex(where: { $0.isListed && $0.key == key }) {
            flights[index].use = uses
            if flights[index].expiry != nil { return nil }
            flights[index].starts += 1
            return flights[index].run
        }
        runs += 1
        flights.append(Flight(key: key, run: runs, starts: 1, use: uses))
        return runs
    }

    /// Ends the latest run of a key. Returns `false` if none is in progress.
    mutating func end(_ key: Int) -> Bool {
        guard let index = flights.lastIndex(where: { $0.key == key }), flights[index].expiry == nil,
            flights[index].starts > 0
        else { return false }
        if flights[index].isListed {
            uses += 1
            flights[index].expiry = now + timeToLive
            flights[index].use = uses
            let landed = flights.filter { $0.expiry != nil }
            if landed.count > maxEntries, let oldest = landed.min(by: { $0.use < $1.use }) {
                flights.removeAll { $0.run == oldest.run }
            }
        } else {
            flights.remove(at: index)
        }
        return true
    }

    mutating func leave(_ run: Int) {
        guard let index = flights.firstIndex(where: { $0.run == run }), flights[index].expiry == nil else { return }
        flights[index].starts -= 1
        if flights[index].starts == 0 { flights.remove(at: index) }
    }

    mutating func invalidate(_ key: Int) {
        guard let index = flights.firstIndex(where: { $0.isListed && $0.key == key }) else { return }
        if flights[index].expiry != nil {
            flights.remove(at: index)
        } else {
            flights[index].isListed = false
        }
    }

    mutating func advance(to time: Int) {
        now = time
        flights.removeAll { $0.expiry.map { $0 <= time } ?? false }
    }
}
