import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// Transformations that the test ends, identified by the values that they were called with.
private final class Kitchen: Sendable {
    private struct State {
        var errands: [Int: Errand] = [:]
        var running: Set<Int> = []
        var most = 0
    }

    private let state = Locked(State())
    let begun = Log<Int>()

    /// The values that are being transformed.
    var running: [Int] { state.withLock { $0.running.sorted() } }
    /// The highest number of concurrent transformations.
    var most: Int { state.withLock { $0.most } }

    func errand(for value: Int) -> Errand {
        let made = Errand()
        return state.withLock { state in
            if let errand = state.errands[value] { return errand }
            state.errands[value] = made
            return made
        }
    }

    func transform(_ value: Int) async throws(TestError) -> Int {
        begun.append(value)
        state.withLock { state in
            state.running.insert(value)
            state.most = max(state.most, state.running.count)
        }
        defer { _ = state.withLock { $0.running.remove(value) } }
        return try await errand(for: value).run()
    }

    /// Ends a transformation with its value times ten.
    func finish(_ values: Int...) {
        for value in values { errand(for: value).finish(.success(10 * value)) }
    }

    func fail(_ value: Int) { errand(for: value).finish(.failure(.first)) }
}

/// The behavior that both kinds of streams share.
@Suite("mapAsync(maxConcurrent:ordered:_:)", .watched)
struct MapAsyncTests {
    private let executor = HandDrivenExecutor()
    private let kitchen = Kitchen()
    private let log = Log<String>()

    /// Observes the operator on a signal, or starts it on a producer of the signal.
    private func begin(
        maxConcurrent: Int, ordered: Bool = true, isCold: Bool = false
    ) -> (input: Signal<Int, TestError>.Observer, disposable: (any Disposable)?) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let transform = { @Sendable [kitchen] (value: Int) async throws(TestError) in try await kitchen.transform(value)
        }
        let disposable = executor.within {
            isCold
                ? SignalProducer(signal).mapAsync(maxConcurrent: maxConcurrent, ordered: ordered, transform)
                    .start { [log] in log.append($0.text) }
                : signal.mapAsync(maxConcurrent: maxConcurrent, ordered: ordered, transform)
                    .observe { [log] in log.append($0.text) }
        }
        return (input, disposable)
    }

    @Test("never exceeds the concurrency limit, and starts transformations in order", arguments: 1...3, [false, true])
    func concurrency(maxConcurrent: Int, ordered: Bool) {
        let (input, _) = begin(maxConcurrent: maxConcurrent, ordered: ordered)
        for value in 1...6 { input.sendNext(value) }
        input.sendCompleted()
        executor.run()
        for value in 1...6 {
            expect(kitchen.running, is: Array(value...6).prefix(maxConcurrent).map { $0 })
            expect(log.count, is: value - 1)
            kitchen.finish(value)
            executor.run()
        }
        expect(kitchen.most, is: maxConcurrent)
        expect(kitchen.begun.all, is: [1, 2, 3, 4, 5, 6])
        expect(log.all, is: ["10", "20", "30", "40", "50", "60", "completed"])
    }

    @Test("sends results in the order of the values, or as they finish", arguments: [false, true])
    func order(ordered: Bool) {
        let (input, _) = begin(maxConcurrent: 3, ordered: ordered)
        for value in 1...4 { input.sendNext(value) }
        executor.run()
        kitchen.finish(2)
        executor.run()
        #expect(log.all == (ordered ? [] : ["20"]))
        expect(kitchen.running, is: [1, 3, 4], "what waits for its turn makes room")
        kitchen.finish(3, 1)
        executor.run()
        #expect(log.all == (ordered ? ["10", "20", "30"] : ["20", "30", "10"]))
        input.sendCompleted()
        expect(log.count, is: 3)
        kitchen.finish(4)
        executor.run()
        expect(log.all.suffix(2), is: ["40", "completed"])
    }

    @Test("starts the next transformation before it delivers a result", arguments: [false, true])
    func roomFirst(isCold: Bool) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (executor, kitchen, log) = (executor, kitchen, log)
        let transform = { @Sendable (value: Int) async throws(TestError) in try await kitchen.transform(value) }
        executor.within {
            let note = { @Sendable (event: Event<Int, TestError>) in log.append("\(event.text), \(executor.count)") }
            if isCold {
                SignalProducer(signal).mapAsync(maxConcurrent: 1, transform).start(note)
            } else {
                signal.mapAsync(maxConcurrent: 1, transform).observe(note)
            }
        }
        for value in 1...2 { input.sendNext(value) }
        executor.run()
        kitchen.finish(1)
        executor.runOne()
        expect(log.all, is: ["10, 1"])
        executor.run()
        expect(kitchen.running, is: [2])
        kitchen.finish(2)
        executor.run()
        expect(log.count, is: 2)
        input.sendCompleted()
    }

    @Test("starts no transformation for a value sent in a delivery in which the observer disposes of itself")
    func disposedInside() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let own = SerialDisposable()
        let transform = { @Sendable [kitchen] (value: Int) async throws(TestError) in try await kitchen.transform(value)
        }
        executor.within {
            own.inner = signal.mapAsync(maxConcurrent: 2, transform).observe { [log] event in
                log.append(event.text)
                own.dispose()
                input.sendNext(2)
            }
        }
        input.sendNext(1)
        executor.run()
        kitchen.finish(1)
        executor.runOne()
        expect(log.all, is: ["10"])
        expect(executor.count, is: 0)
    }

    @Test("releases a result that arrives after the end, even while the signal is held")
    func lateResult() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (population, errands) = (Population(), [Errand(), Errand()])
        let result = executor.within {
            signal.mapAsync(maxConcurrent: 2) { (value) async throws(TestError) in
                _ = try await errands[value].run()
                return population.member()
            }
        }
        executor.within { _ = result.observe { [log] in log.append($0.isTerminating ? "end" : "a value") } }
        for value in 0...1 { input.sendNext(value) }
        executor.run()
        errands[0].finish(.failure(.first))
        executor.run()
        errands[1].finish(.success(1))
        executor.run()
        expect(log.all, is: ["end"])
        expect(population.alive, is: 0)
        withExtendedLifetime(result) {}
    }

    @Test("completes with a source that sends no value")
    func empty() {
        begin(maxConcurrent: 1).input.sendCompleted()
        expect(log.all, is: ["completed"])
    }

    @Test(
        "fails immediately with the first error, and cancels the other transformations",
        arguments: [false, true], [false, true])
    func error(ordered: Bool, isCold: Bool) {
        let (input, _) = begin(maxConcurrent: 2, ordered: ordered, isCold: isCold)
        for value in 1...3 { input.sendNext(value) }
        executor.run()
        kitchen.fail(2)
        executor.run()
        expect(log.all, is: ["error first"])
        expect(kitchen.errand(for: 1).cancellations.value, is: 1)
        kitchen.finish(1)
        input.sendNext(4)
        executor.run()
        expect(log.all, is: ["error first"])
        expect(kitchen.begun.all, is: [1, 2])
    }

    @Test("ends immediately with an error or an interruption of the source", arguments: [false, true])
    func sourceEnd(isCold: Bool) {
        for (terminal, value) in zip(terminals.filter { !$0.isCompleted }, [1, 5]) {
            log.removeAll()
            let (input, _) = begin(maxConcurrent: 1, isCold: isCold)
            input.sendNext(value)
            input.sendNext(value + 1)
            executor.run()
            input.send(terminal)
            expect(log.all, is: [terminal.text])
            expect(kitchen.errand(for: value).cancellations.value, is: 1)
        }
        kitchen.finish(1, 5)
        executor.run()
        expect(kitchen.begun.all, is: [1, 5])
        expect(log.count, is: 1)
    }

    @Test("is interrupted by a CancellationError")
    func cancellationError() {
        let (signal, input) = Signal<Int, any Error>.pipe()
        executor.within {
            signal.mapAsync(maxConcurrent: 1) { _ -> Int in throw CancellationError() }
                .observe { [log] in log.append($0.text) }
        }
        input.sendNext(1)
        executor.run()
        expect(log.all, is: ["interrupted"])
    }

    @Test("cancels running transformations and drops queued values on disposal", arguments: [false, true])
    func disposal(isCold: Bool) {
        let (input, disposable) = begin(maxConcurrent: 1, isCold: isCold)
        for value in 1...2 { input.sendNext(value) }
        executor.run()
        disposable?.dispose()
        let end = isCold ? ["interrupted"] : []
        expect(log.all, is: end)
        expect(kitchen.errand(for: 1).cancellations.value, is: 1)
        kitchen.finish(1)
        input.sendNext(3)
        executor.run()
        expect(kitchen.begun.all, is: [1])
        expect(log.all, is: end)
    }

    @Test("cancels the running transformation on disposal after the source has completed", arguments: [false, true])
    func lateDisposal(isCold: Bool) {
        let (input, disposable) = begin(maxConcurrent: 1, isCold: isCold)
        input.sendNext(1)
        executor.run()
        input.sendCompleted()
        disposable?.dispose()
        #expect(log.all == (isCold ? ["interrupted"] : []))
        expect(kitchen.errand(for: 1).cancellations.value, is: 1)
        kitchen.finish(1)
        executor.run()
    }

    @Test("starts no transformation after a disposal during a delivery", arguments: [false, true], [false, true])
    func disposalInside(ordered: Bool, isCold: Bool) {
        let own = SerialDisposable()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let transform = { @Sendable [kitchen] (value: Int) async throws(TestError) in try await kitchen.transform(value)
        }
        let observe = { @Sendable [log] (event: Event<Int, TestError>) in
            log.append(event.text)
            own.dispose()
        }
        own.inner = executor.within {
            isCold
                ? SignalProducer(signal).mapAsync(maxConcurrent: 2, ordered: ordered, transform).start(observe)
                : signal.mapAsync(maxConcurrent: 2, ordered: ordered, transform).observe(observe)
        }
        for value in 1...2 { input.sendNext(value) }
        executor.run()
        kitchen.finish(2)
        kitchen.finish(1)
        executor.run()
        for value in 3...4 { input.sendNext(value) }
        executor.run()
        expect(log.all, is: [ordered ? "10" : "20"] + (isCold ? ["interrupted"] : []))
        expect(kitchen.begun.all, is: [1, 2])
    }

    @Test("does not call the transformation when it is disposed of before the task runs")
    func notBegun() {
        let (input, disposable) = begin(maxConcurrent: 1)
        input.sendNext(1)
        expect(executor.count, is: 1)
        disposable?.dispose()
        executor.run()
        expect(kitchen.begun.all, is: [])
    }

    @Test("transforms the values of a synchronous source, until downstream ends")
    func synchronous() {
        executor.within {
            Numbers(1...5).mapAsync(maxConcurrent: 2) { (value) async throws(TestError) in value * 10 }
                .take(first: 3).start { [log] in log.append($0.text) }
        }
        executor.run()
        expect(log.all, is: ["10", "20", "30", "completed"])
    }

    @Test("starts its tasks in the task context of the start, including those that start later on another thread")
    func taskContext() {
        let (input, _) = begin(maxConcurrent: 1, isCold: true)
        TestThread("a sender") { for value in 1...2 { input.sendNext(value) } }.join()
        expect(executor.count, is: 1)
        executor.run()
        kitchen.finish(1, 2)
        executor.run()
        expect(log.all, is: ["10", "20"])
    }

    @Test("traps unless the limit is positive")
    func noRoom() async throws {
        let signal = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.mapAsync(maxConcurrent: 0) { $0 }
        }
        signal.expectTrap("mapAsync(maxConcurrent: 0)")
        let producer = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.mapAsync(maxConcurrent: -1) { $0 }
        }
        producer.expectTrap("mapAsync(maxConcurrent: -1)")
    }

    @Test(
        "holds nothing after the end, or after disposal while transformations are still running",
        arguments: [false, true])
    func release(isCold: Bool) {
        for isDisposed in [false, true] {
            let (observers, transforms, errand) = (Population(), Population(), Errand())
            let (signal, input) = Signal<Int, TestError>.pipe()
            let disposable = {
                let (observer, member) = (observers.member(), transforms.member())
                let transform = { @Sendable (value: Int) async throws(TestError) in
                    member.touch()
                    return try await errand.run()
                }
                return executor.within {
                    isCold
                        ? SignalProducer(signal).mapAsync(maxConcurrent: 1, transform).start { _ in observer.touch() }
                        : signal.mapAsync(maxConcurrent: 1, transform).observe { _ in observer.touch() }
                }
            }()
            input.sendNext(1)
            executor.run()
            expect(observers.alive, is: 1)
            if isDisposed {
                disposable?.dispose()
                expect(observers.alive, is: 0)
            }
            input.sendCompleted()
            errand.finish(.success(1))
            executor.run()
            expect(observers.alive, is: 0)
            expect(transforms.alive, is: 0)
        }
    }

    @Test("keeps to its limit and ends exactly once when results, values and disposal race")
    func race() {
        for round in 0..<raceRounds {
            let (executor, record, kitchen) = (HandDrivenExecutor(), StrictLog<Int, TestError>(), Kitchen())
            let (signal, input) = Signal<Int, TestError>.pipe()
            let ordered = round % 2 == 0
            let disposable = executor.within {
                SignalProducer(signal).mapAsync(maxConcurrent: 2, ordered: ordered) {
                    (value) async throws(TestError) in try await kitchen.transform(value)
                }.start { record.record($0) }
            }
            if round % 5 == 0 { kitchen.fail(3) }
            kitchen.finish(1, 2, 3, 4)
            onThreads(round % 3 == 0 ? 3 : 4, "values, tasks and a disposal") { index in
                switch index {
                case 0:
                    for value in 1...4 { input.sendNext(value) }
                    input.sendCompleted()
                case 1, 2: for _ in 0..<20 { executor.runOne() }
                default: disposable.dispose()
                }
            }
            executor.run()
            expect(record.mistakes, is: [])
            #expect(record.terminal != nil)
            #expect(kitchen.most <= 2)
            expect(Set(record.values).count, is: record.values.count)
            if ordered { expect(record.values, is: Array([10, 20, 30, 40].prefix(record.values.count))) }
            if round % 3 == 0 {
                #expect(record.terminal == (round % 5 == 0 ? "error first" : "completed"))
                if round % 5 != 0 { expect(record.values.sorted(), is: [10, 20, 30, 40]) }
            }
        }
    }

    @Test("matches the model over random interleavings", arguments: 0..<thorough(500))
    func model(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let (maxConcurrent, ordered, isCold) = (random.number(in: 1...3), random.once(in: 2), random.once(in: 2))
        let (input, disposable) = begin(maxConcurrent: maxConcurrent, ordered: ordered, isCold: isCold)
        var finished: Set<Int> = []
        // The expected results: in order, or those of a set in any order.
        var model = (values: 0, isComplete: false, atEnd: [String]?.none)
        for _ in 0..<random.number(in: 5...60) {
            let running = kitchen.running.filter { !finished.contains($0) }
            switch random.number(in: 0...11) {
            case 0...3 where !model.isComplete:
                input.sendNext(model.values)
                model.values += 1
            case 4...7: executor.runOne { random.number(in: 0...$0 - 1) }
            case 8...9 where !running.isEmpty:
                let value = random.pick(running)
                finished.insert(value)
                if random.once(in: 12) { kitchen.fail(value) } else { kitchen.finish(value) }
            case 10 where random.once(in: 4):
                input.sendCompleted()
                model.isComplete = true
            case 11 where random.once(in: 8) && model.atEnd == nil:
                let before = log.all
                let isOver = ["completed", "error first"].contains(before.last)
                disposable?.dispose()
                model.atEnd = isOver || !isCold ? before : before + ["interrupted"]
            default: break
            }
            #expect(kitchen.running.count <= maxConcurrent)
            if let atEnd = model.atEnd { expect(log.all, is: atEnd) }
        }
        input.sendCompleted()
        while true {
            executor.run()
            let rest = kitchen.running.filter { !finished.contains($0) }
            guard !rest.isEmpty else { break }
            for value in rest {
                finished.insert(value)
                kitchen.finish(value)
            }
        }
        let events = log.all
        if let atEnd = model.atEnd { expect(events, is: atEnd) }
        let results = events.compactMap { Int($0) }
        // The tasks start in any order, but none before there is room.
        let begun = kitchen.begun.all
        expect(Set(begun).count, is: begun.count)
        for (position, value) in begun.enumerated() { #expect(value < position + maxConcurrent) }
        expect(Set(results).count, is: results.count)
        #expect(results.allSatisfy { $0 % 10 == 0 && kitchen.begun.all.contains($0 / 10) })
        if ordered { #expect(results == (0..<results.count).map { $0 * 10 }) }
        if model.atEnd == nil { #expect(["completed", "error first"].contains(events.last)) }
        if events.last == "completed" { #expect(results.sorted() == (0..<model.values).map { $0 * 10 }) }
        #expect(events.count - results.count <= 1)
    }
}
