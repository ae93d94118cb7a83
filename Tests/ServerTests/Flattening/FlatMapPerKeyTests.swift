import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// A key that is counted as long as it is remembered.
private struct CountedKey: Hashable, Sendable {
    let name: Int
    let member: Population.Member

    static func == (left: CountedKey, right: CountedKey) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Suite("flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)")
struct FlatMapPerKeyTests {
    private let scheduler = TestScheduler()
    private let source = Manual()
    /// The inner streams, by the value that they are made of. The key of a value is its first digit.
    private let inputs = (0..<40).map { _ in Manual() }

    private func flattened(
        _ strategy: FlattenStrategy, idle: Duration = .zero, maxKeys: Int = 10, _ overflow: Overflow = .dropNewest,
        raising error: TestError? = nil
    ) -> Numbers {
        source.producer.flatMap(
            perKey: { $0 / 10 }, strategy, idle: idle, maxKeys: maxKeys, whenFull: overflow, raising: error,
            on: scheduler
        ) { [inputs] in inputs[$0].producer }
    }

    private func send(_ values: Int...) {
        for value in values { source.input?.sendNext(value) }
    }

    /// The values whose inner streams are running.
    private var running: [Int] {
        inputs.indices.filter { inputs[$0].starts.value > inputs[$0].disposals.value }
    }

    private func complete(_ values: Int...) {
        for value in values { inputs[value].input?.sendCompleted() }
    }

    // MARK: Within a key

    @Test("runs the strategy within each key, and the keys side by side")
    func strategies() {
        let log = flattened(.concat).logged()
        send(10, 11, 20, 21)
        expect(running, is: [10, 20])
        inputs[10].input?.sendNext(1)
        inputs[20].input?.sendNext(2)
        complete(20)
        expect(running, is: [10, 21])
        complete(10)
        expect(running, is: [11, 21])
        source.input?.sendCompleted()
        complete(11)
        expect(log.all, is: ["1", "2"])
        complete(21)
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("replaces, drops and orders streams only within a key")
    func others() {
        var start = flattened(.latest).start()
        send(10, 20, 11)
        expect(running, is: [11, 20])
        start.dispose()
        start = flattened(.throttle).start()
        send(10, 20, 11)
        expect(running, is: [10, 20])
        complete(10)
        send(12)
        expect(running, is: [12, 20])
        start.dispose()
        expect(running, is: [])

        let (log, ordered) = flattened(.concurrent(limit: 2, ordered: true), idle: .seconds(9)).startLogged()
        for first in [10, 12] {
            send(first, first + 1)
            inputs[first + 1].input?.sendNext(2)
            complete(first + 1)
            inputs[first].input?.sendNext(1)
            complete(first)
        }
        expect(log.all, is: ["1", "2", "1", "2"])
        ordered.dispose()
    }

    @Test("bounds what waits within a key")
    func bounded() {
        let log = flattened(.concat(waiting: 1, whenFull: .dropNewest)).logged()
        send(10, 11, 12, 20, 21)
        complete(10)
        complete(11)
        expect(running, is: [20])
        expect(log.all, is: [])
        let failing = flattened(.concat(waiting: 0, whenFull: .fail), raising: .second).logged()
        send(10, 20, 11)
        expect(failing.all, is: ["error second"])
        source.release()
    }

    @Test("sends single values without a stream")
    func values() {
        let log = Numbers([10, 11, 20]).flatMap(
            perKey: { $0 / 10 }, .concat, idle: .zero, maxKeys: 1, whenFull: .dropNewest, on: scheduler
        ) { Numbers(value: $0) }.logged()
        expect(log.all, is: ["10", "11", "20", "completed"])
    }

    // MARK: Forgetting

    private func counted(
        _ population: Population, idle: Duration, maxKeys: Int = 10, _ overflow: Overflow = .dropNewest
    ) -> Numbers {
        source.producer.flatMap(
            perKey: { CountedKey(name: $0 / 10, member: population.member()) }, .concat, idle: idle, maxKeys: maxKeys,
            whenFull: overflow, on: scheduler
        ) { [inputs] in inputs[$0].producer }
    }

    @Test("forgets a key when its work has ended and it has been idle")
    func idle() {
        let population = Population()
        let disposable = counted(population, idle: .seconds(3)).start()
        send(10, 11, 20)
        expect(population.alive, is: 2)
        scheduler.advance(by: .seconds(9))
        expect(population.alive, is: 2, "both work")
        complete(10, 20)
        scheduler.advance(by: .seconds(2))
        complete(11)
        scheduler.advance(by: .seconds(1))
        expect(population.alive, is: 1)
        scheduler.advance(by: .seconds(1))
        send(12)
        complete(12)
        scheduler.advance(by: .seconds(2))
        expect(population.alive, is: 1, "the time begins again")
        scheduler.advance(by: .seconds(1))
        expect(population.alive, is: 0)
        let now = scheduler.now
        scheduler.run()
        #expect(scheduler.now == now, "no timer is left")
        disposable.dispose()
    }

    @Test("forgets a key as soon as its work has ended if the idle time is zero")
    func zero() {
        let population = Population()
        let disposable = counted(population, idle: .zero).start()
        send(10, 11, 20)
        complete(10)
        expect(population.alive, is: 2)
        complete(11)
        expect(population.alive, is: 1)
        complete(20)
        expect(population.alive, is: 0)
        send(12)
        expect(running, is: [12])
        disposable.dispose()
        expect(population.alive, is: 0)
    }

    @Test("begins a stream of a key when the resources of the one before are free, also if the key is forgotten")
    func resources() {
        let (outer, input) = Signal<Int, TestError>.pipe()
        let log = Log<String>()
        let observers = Log<Signal<Int, TestError>.Observer>()
        let result = outer.flatMap(
            perKey: { _ in 1 }, .concat, idle: .zero, maxKeys: 1, whenFull: .dropNewest, on: scheduler
        ) { number in
            Numbers { observer, lifetime in
                log.append("start \(number)")
                observers.append(observer)
                lifetime.observeEnded {
                    if number == 0 { TestThread("the next value") { input.sendNext(1) }.join() }
                    log.append("end \(number)")
                }
            }
        }
        let values = result.logged()
        input.sendNext(0)
        observers.all[0].sendCompleted()
        expect(log.all, is: ["start 0", "end 0", "start 1"])
        input.sendCompleted()
        observers.all[1].sendCompleted()
        expect(values.all, is: ["completed"])
    }

    @Test(
        "drops a value that has waited for the observer if its stream has been disposed of", .watched,
        arguments: [.concat, .merge, .latest, .race, .throttle, .concurrent(limit: 2, ordered: true)]
            as [FlattenStrategy])
    func disposedOf(_ strategy: FlattenStrategy) {
        let (outer, input) = Signal<Int, TestError>.pipe()
        let result = outer.flatMap(
            perKey: { $0 / 10 }, strategy, idle: .zero, maxKeys: 2, whenFull: .dropOldest, on: scheduler
        ) { [inputs] in inputs[$0].producer }
        let log = Log<Int>()
        let isInside = Latch("the first value")
        let observation = result.observe { [core = result.core] event in
            guard case .next(let value) = event else { return }
            log.append(value)
            if value != 0 { return }
            isInside.open()
            #expect(becomesTrue { core.gate.hasWaiters })
            // Its key is used. Then another one comes, and the first one is forgotten.
            input.sendNext(21)
            input.sendNext(30)
        }
        input.sendNext(10)
        input.sendNext(20)
        let waiting = TestThread("the value that waits") { [inputs] in
            isInside.wait()
            inputs[10].input?.sendNext(1)
        }
        inputs[20].input?.sendNext(0)
        waiting.join()
        inputs[30].input?.sendNext(2)
        expect(log.all, is: [0, 2])
        observation?.dispose()
    }

    @Test(
        "drops what waits for the observer of a queued value or of buffered ones if the key is forgotten", .watched,
        arguments: [.concat, .concurrent(limit: 1), .concurrent(limit: 2, ordered: true)] as [FlattenStrategy],
        [false, true])
    func queuedOf(_ strategy: FlattenStrategy, endsLate: Bool) {
        let isOrdered = "\(strategy)".contains("ordered")
        let (outer, input) = Signal<Int, TestError>.pipe()
        let result = outer.flatMap(
            perKey: { $0 / 10 }, strategy, idle: .zero, maxKeys: 2, whenFull: .dropOldest, on: scheduler
        ) { [inputs] in $0 == 11 && !isOrdered ? Numbers(value: 1) : inputs[$0].producer }
        let log = Log<Int>()
        let isInside = Latch("the first value")
        let observation = result.observe { [core = result.core, inputs] event in
            guard case .next(let value) = event else { return }
            log.append(value)
            if value != 0 { return }
            isInside.open()
            #expect(becomesTrue { core.gate.hasWaiters })
            if isOrdered, endsLate { inputs[11].input?.sendCompleted() }
            // The first key is forgotten, and comes again.
            for number in [21, 30, 12] { input.sendNext(number) }
            inputs[12].input?.sendNext(9)
        }
        for number in [10, 11, 20] { input.sendNext(number) }
        if isOrdered {
            for value in [1, 2] { inputs[11].input?.sendNext(value) }
            if !endsLate { inputs[11].input?.sendCompleted() }
        }
        let waiting = TestThread("the end of the first stream") { [inputs] in
            isInside.wait()
            inputs[10].input?.sendCompleted()
        }
        inputs[20].input?.sendNext(0)
        waiting.join()
        expect(log.all, is: [0, 9])
        observation?.dispose()
    }

    @Test(
        "delivers what a stream has sent that has ended, also if the key is forgotten while another one of it runs",
        arguments: [.merge, .concurrent(limit: 3, ordered: true)] as [FlattenStrategy])
    func sentBesideAnother(_ strategy: FlattenStrategy) {
        let isOrdered = "\(strategy)".contains("ordered")
        let (outer, input) = Signal<Int, TestError>.pipe()
        let result = outer.flatMap(
            perKey: { $0 / 10 }, strategy, idle: .zero, maxKeys: 2, whenFull: .dropOldest, on: scheduler
        ) { [inputs] in $0 == 11 ? Numbers([1, 2]) : inputs[$0].producer }
        let log = Log<Int>()
        let observation = result.observe { event in
            guard case .next(let value) = event else { return }
            log.append(value)
            if value != 0 { return }
            // A stream sends and ends. Then its key is forgotten, in which another stream runs.
            for number in isOrdered ? [11, 10, 21, 30] : [10, 11, 21, 30] { input.sendNext(number) }
        }
        input.sendNext(20)
        inputs[20].input?.sendNext(0)
        expect(log.all, is: [0, 1, 2])
        observation?.dispose()
    }

    @Test(
        "delivers what the streams of a key have sent, also if the key is forgotten before that",
        arguments: [.merge, .concat, .latest, .race, .throttle, .concurrent(limit: 2, ordered: true)]
            as [FlattenStrategy])
    func sentBeforeTheEnd(_ strategy: FlattenStrategy) {
        let (outer, input) = Signal<Int, TestError>.pipe()
        let result = outer.flatMap(
            perKey: { $0 / 10 }, strategy, idle: .zero, maxKeys: 2, whenFull: .dropNewest, on: scheduler
        ) { [inputs] in $0 == 10 ? inputs[10].producer : Numbers([1, 2]) }
        let log = Log<Int>()
        let observation = result.observe { event in
            guard case .next(let value) = event else { return }
            log.append(value)
            // The stream of another key sends, ends and is forgotten during this event.
            if value == 0 { input.sendNext(20) }
        }
        input.sendNext(10)
        inputs[10].input?.sendNext(0)
        expect(log.all, is: [0, 1, 2])
        observation?.dispose()
    }

    @Test("remembers a limited number of many keys", arguments: [Duration.zero, .seconds(1)])
    func many(_ idle: Duration) {
        let population = Population()
        let most = Locked(0)
        let count = 20_000
        let numbers = Numbers(0..<count).flatMap(
            perKey: { CountedKey(name: $0, member: population.member()) }, .concat, idle: idle, maxKeys: 100,
            whenFull: .dropOldest, on: scheduler
        ) { value in
            most.withLock { $0 = max($0, population.alive) }
            return Numbers { observer, _ in
                observer.sendNext(value)
                observer.sendCompleted()
            }
        }
        expect(numbers.count().logged().all, is: ["\(count)", "completed"])
        #expect(most.withLock { $0 } <= 101)
        expect(population.alive, is: 0)
    }

    // MARK: Too many keys

    @Test("with .dropNewest, drops values of new keys until one has been forgotten")
    func dropNewest() {
        let disposable = flattened(.concat, idle: .seconds(3), maxKeys: 2).start()
        send(10, 20, 30, 11)
        expect(running, is: [10, 20])
        complete(20)
        send(30)
        expect(running, is: [10])
        scheduler.advance(by: .seconds(3))
        send(30)
        expect(running, is: [10, 30])
        expect(inputs[30].starts.value, is: 1)
        disposable.dispose()
    }

    @Test(
        "goes on when the streams of a key that makes room are disposed of",
        arguments: [FlattenStrategy.merge, .concat, .latest, .race, .throttle, .concurrent(limit: 2, ordered: true)])
    func goesOn(strategy: FlattenStrategy) {
        let log = flattened(strategy, maxKeys: 1, .dropOldest).logged()
        send(10, 20)
        expect(running, is: [20])
        inputs[20].input?.sendNext(2)
        complete(20)
        source.input?.sendCompleted()
        expect(log.all, is: ["2", "completed"])
    }

    @Test("is not ended by the error of a stream that is being disposed of")
    func failureOfForgotten() {
        for strategy in [FlattenStrategy.merge, .race, .concurrent(limit: 2, ordered: true)] {
            let failing = Numbers { observer, lifetime in
                lifetime.observeEnded { observer.sendError(.first) }
            }
            let log = source.producer.flatMap(
                perKey: { $0 }, strategy, idle: .zero, maxKeys: 1, whenFull: .dropOldest, on: scheduler
            ) { $0 == 1 ? failing : Numbers(value: $0) }.logged()
            send(1, 2)
            source.input?.sendCompleted()
            expect(log.all, is: ["2", "completed"])
        }
    }

    @Test("with .dropOldest, forgets the key that has been idle the longest, or the one that was used first")
    func dropOldest() {
        let disposable = flattened(.concat, idle: .seconds(3), maxKeys: 2, .dropOldest).start()
        send(10, 20)
        complete(20)
        send(30)
        expect(running, is: [10, 30])
        send(11, 20)
        expect(running, is: [10, 20], "30 was used first")
        complete(10)
        expect(running, is: [11, 20])
        disposable.dispose()
    }

    @Test("with .fail, fails")
    func fail() {
        let log = flattened(.concat, maxKeys: 2, .fail, raising: .second).logged()
        send(10, 20, 11, 30)
        expect(log.all, is: ["error second"])
        expect(running, is: [])
        expect(inputs[30].starts.value, is: 0)
        expect(source.disposals.value, is: 1)
    }

    @Test("survives keys whose hash values lie")
    func lies() {
        let keys = Log<LyingKey>()
        let truth = LyingKey("a", [1])
        for key in [truth, LyingKey("a", [2]), LyingKey("b", [1]), LyingKey("a", [1])] { keys.append(key) }
        let log = Numbers([0, 1, 2, 3]).flatMap(
            perKey: { keys.all[$0] }, .throttle, idle: .zero, maxKeys: 9, whenFull: .dropNewest, on: scheduler
        ) { Numbers.never.prefix(value: $0) }.startLogged()
        expect(log.log.all, is: ["0", "1", "2"])
        log.disposable.dispose()
        expect(log.log.all.last, is: "interrupted")
    }

    // MARK: Ends

    @Test("ends with its source")
    func follows() {
        expectFollows { source in
            source.flatMap(
                perKey: { $0 }, .merge, idle: .zero, maxKeys: 9, whenFull: .dropNewest, on: TestScheduler()
            ) { Numbers(value: $0) }
        }
        expectReleases { source, member in
            source.flatMap(
                perKey: { member.through($0) }, .merge, idle: .zero, maxKeys: 9, whenFull: .dropNewest,
                on: TestScheduler()
            ) { Numbers(value: member.through($0)) }
        }
    }

    @Test("fails with an inner stream, and disposes of those of all keys")
    func innerFails() {
        let log = flattened(.concat, idle: .seconds(3)).logged()
        send(10, 20, 30)
        complete(30)
        inputs[20].input?.sendError(.second)
        expect(log.all, is: ["error second"])
        expect(running, is: [])
        expect(source.disposals.value, is: 1)
        scheduler.run()
        expect(scheduler.now.offset, is: .zero, "no timer is left")
    }

    @Test("disposes of everything, also from inside")
    func disposal() {
        let (log, disposable) = flattened(.concat).startLogged()
        send(10, 11, 20)
        disposable.dispose()
        expect(log.all, is: ["interrupted"])
        expect(running, is: [])

        let inside = Log<String>()
        flattened(.concat).startDisposably { event, disposable in
            inside.append(event.text)
            disposable.dispose()
        }
        send(10, 20)
        inputs[10].input?.sendNext(1)
        expect(inside.all, is: ["1", "interrupted"])
        expect(running, is: [])
    }

    @Test("works on signals, and for streams that cannot fail")
    func overloads() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (safe, safeInput) = Signal<Int, Never>.pipe()
        let log = Log<String>()
        let key: @Sendable (Int) -> Int = { $0 }
        signal.flatMap(perKey: key, .merge, idle: .zero, maxKeys: 1, whenFull: .dropNewest, on: scheduler) {
            Numbers(value: $0)
        }.observe { log.append($0.text) }
        signal.flatMap(perKey: key, .merge, idle: .zero, maxKeys: 1, whenFull: .dropNewest, on: scheduler) {
            SignalProducer<Int, Never>(value: $0)
        }.observe { log.append($0.text) }
        safe.flatMap(perKey: key, .merge, idle: .zero, maxKeys: 1, whenFull: .dropNewest, on: scheduler) {
            _ in Numbers(error: .second)
        }.observe { log.append($0.text) }
        safe.flatMap(perKey: key, .merge, idle: .zero, maxKeys: 1, whenFull: .dropNewest, on: scheduler) {
            SignalProducer<Int, Never>(value: $0)
        }.observe { log.append($0.text) }
        input.sendNext(1)
        input.sendError(.first)
        safeInput.sendNext(2)
        safeInput.sendCompleted()
        expect(log.all, is: ["1", "1", "error first", "error first", "error second", "2", "completed"])
    }

    // MARK: Traps

    @Test("traps on bad input")
    func badInput() async throws {
        let maxKeys = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.flatMap(
                perKey: { $0 }, .merge, idle: .zero, maxKeys: 0, whenFull: .dropNewest, on: TestScheduler()
            ) { Numbers(value: $0) }
        }
        maxKeys.expectTrap("flatMap(maxKeys: 0): the limit must be positive")
        let idle = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.flatMap(
                perKey: { $0 }, .merge, idle: .seconds(-1), maxKeys: 1, whenFull: .dropNewest, on: TestScheduler()
            ) { Numbers(value: $0) }
        }
        idle.expectTrap("flatMap(idle: -1.0 seconds): the time must not be negative")
        let overflow = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.flatMap(
                perKey: { $0 }, .merge, idle: .zero, maxKeys: 1, whenFull: .fail, on: TestScheduler()
            ) { Numbers(value: $0) }
        }
        overflow.expectTrap("flatMap(whenFull: .fail): the overflow .fail needs the parameter raising")
    }
}
