import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

private let strategies: [FlattenStrategy] = [
    .merge, .concat, .concurrent(limit: 2), .latest, .race, .throttle, .concurrent(limit: 2, ordered: true),
    .concat(waiting: 10, whenFull: .dropNewest),
]
/// The strategies that treat an inner interruption as a completion.
private let lenient: [FlattenStrategy] = [
    .merge, .concat, .concurrent(limit: 2), .latest, .concurrent(limit: 2, ordered: true),
    .concat(waiting: 10, whenFull: .dropNewest),
]
private let strict: [FlattenStrategy] = [.race, .throttle]

/// A stream of streams that the test drives: an outer stream and some inner ones.
private final class Rig: Sendable {
    let outer: Signal<Int, TestError>.Observer
    let inners = (0..<4).map { _ in Manual() }
    let log: Log<String>
    let disposable: any Disposable

    init(_ strategy: FlattenStrategy, begun: [Int] = []) {
        let (signal, outer) = Signal<Int, TestError>.pipe()
        self.outer = outer
        let producers = inners.map(\.producer)
        (log, disposable) = signal.producer.flatMap(strategy) { producers[$0] }.startLogged()
        for index in begun { outer.sendNext(index) }
    }

    func send(_ value: Int, from index: Int) { inners[index].input?.sendNext(value) }
    func complete(_ index: Int) { inners[index].input?.sendCompleted() }
    func interrupt(_ index: Int) { inners[index].input?.sendInterrupted() }
    func fail(_ index: Int) { inners[index].input?.sendError(.second) }
    var starts: [Int] { inners.map(\.starts.value) }
    var disposals: [Int] { inners.map(\.disposals.value) }
}

@Suite("Flattening")
struct FlatteningTests {
    // MARK: What all strategies have in common

    @Test("completes when the outer stream has completed and no inner stream is running", arguments: strategies)
    func completion(_ strategy: FlattenStrategy) {
        let inLast = Rig(strategy, begun: [0])
        inLast.send(1, from: 0)
        inLast.outer.sendCompleted()
        expect(inLast.log.all, is: ["1"])
        inLast.send(2, from: 0)
        inLast.complete(0)
        expect(inLast.log.all, is: ["1", "2", "completed"])
        expect(inLast.disposals[0], is: 1)

        let outLast = Rig(strategy, begun: [0])
        outLast.complete(0)
        expect(outLast.log.all, is: [])
        outLast.outer.sendCompleted()
        expect(outLast.log.all, is: ["completed"])

        let none = Rig(strategy)
        none.outer.sendCompleted()
        expect(none.log.all, is: ["completed"])
    }

    @Test(
        "fails with the outer stream immediately, before it disposes of the running inner streams",
        arguments: strategies)
    func outerError(_ strategy: FlattenStrategy) {
        order(of: strategy, { $0.sendError(.first) }, expecting: "error first")
    }

    @Test(
        "is interrupted with the outer stream immediately, before it disposes of the running inner streams",
        arguments: strategies)
    func outerInterruption(_ strategy: FlattenStrategy) {
        order(of: strategy, { $0.sendInterrupted() }, expecting: "interrupted")
    }

    private func order(
        of strategy: FlattenStrategy, _ end: (Signal<Int, TestError>.Observer) -> Void, expecting text: String
    ) {
        let (signal, outer) = Signal<Int, TestError>.pipe()
        let log = Log<String>()
        let inner = Log<Signal<Int, TestError>.Observer>()
        signal.flatMap(strategy) { number in
            Numbers { observer, lifetime in
                inner.append(observer)
                lifetime.observeEnded { log.append("\(number) disposed") }
            }
        }.observe { log.append($0.text) }
        outer.sendNext(1)
        inner.all.first?.sendNext(5)
        end(outer)
        inner.all.first?.sendNext(6)
        outer.sendNext(2)
        expect(log.all, is: ["5", text, "1 disposed"])
        expect(inner.count, is: 1)
        inner.removeAll()
    }

    @Test(
        "fails with an inner stream immediately, then disposes of the others and drops the queue",
        arguments: strategies)
    func innerError(_ strategy: FlattenStrategy) {
        let rig = Rig(strategy, begun: [0, 1, 2])
        let failing = rig.starts.lastIndex(of: 1) ?? 0
        let starts = rig.starts
        rig.fail(failing)
        expect(rig.log.all, is: ["error second"])
        expect(rig.disposals, is: rig.starts, "nothing is left at work")
        expect(rig.starts, is: starts, "what was queued is dropped")
        rig.outer.sendNext(3)
        for index in 0..<4 { rig.send(9, from: index) }
        expect(rig.log.all, is: ["error second"])
        expect(rig.starts, is: starts)
    }

    @Test("starts no inner stream once it has ended, even while the end is being delivered", arguments: strategies)
    func beginsNothingAfterEnd(_ strategy: FlattenStrategy) {
        let (outer, failing, late) = (Manual(), Manual(), Manual())
        let log = Log<String>()
        let producer = outer.producer.flatMap(strategy) { $0 == 0 ? failing.producer : late.producer }
        producer.materialize().start { event in
            log.append(event.text)
            if case .next(.error) = event { outer.input?.sendNext(1) }
        }
        outer.input?.sendNext(0)
        failing.input?.sendError(.first)
        expect(log.all, is: ["ERROR first", "completed"])
        expect(late.starts.value, is: 0)
        expect(outer.disposals.value, is: 1)
    }

    @Test(
        "forwards an inner error before it disposes of the siblings",
        arguments: [FlattenStrategy.merge, .concurrent(limit: 2)])
    func errorOrder(_ strategy: FlattenStrategy) {
        let log = Log<String>()
        let inputs = Log<Signal<Int, TestError>.Observer>()
        let producer = Numbers([0, 1]).flatMap(strategy) { number in
            Numbers { observer, lifetime in
                inputs.append(observer)
                lifetime.observeEnded { log.append("\(number) disposed") }
            }
        }
        producer.start { log.append($0.text) }
        inputs.all[1].sendError(.first)
        expect(log.all.first, is: "error first")
        expect(Set(log.all.dropFirst()), is: ["0 disposed", "1 disposed"])
        inputs.removeAll()
    }

    @Test("treats an inner interruption as a completion", arguments: lenient)
    func innerInterruption(_ strategy: FlattenStrategy) {
        let rig = Rig(strategy, begun: [0])
        rig.send(1, from: 0)
        rig.interrupt(0)
        expect(rig.log.all, is: ["1"])
        rig.outer.sendNext(1)
        rig.send(2, from: 1)
        rig.outer.sendCompleted()
        rig.interrupt(1)
        expect(rig.log.all, is: ["1", "2", "completed"])
    }

    @Test("is interrupted by an inner interruption", arguments: strict)
    func strictInterruption(_ strategy: FlattenStrategy) {
        let rig = Rig(strategy, begun: [0])
        rig.send(1, from: 0)
        rig.interrupt(0)
        expect(rig.log.all, is: ["1", "interrupted"])
        rig.outer.sendNext(1)
        expect(rig.starts, is: [1, 0, 0, 0])
    }

    @Test("treats an inner stream whose input is released as interrupted", arguments: strategies)
    func releasedInner(_ strategy: FlattenStrategy) {
        let rig = Rig(strategy, begun: [0])
        rig.inners[0].release()
        #expect(rig.log.all == (strict.contains(strategy) ? ["interrupted"] : []))
        rig.outer.sendCompleted()
        #expect(rig.log.all == (strict.contains(strategy) ? ["interrupted"] : ["completed"]))
    }

    @Test("on disposal interrupts first, then disposes of all work, and sends nothing more", arguments: strategies)
    func disposal(_ strategy: FlattenStrategy) {
        let rig = Rig(strategy, begun: [0, 1, 2])
        let starts = rig.starts
        rig.disposable.dispose()
        rig.disposable.dispose()
        expect(rig.log.all, is: ["interrupted"])
        expect(rig.disposals, is: starts)
        rig.outer.sendNext(3)
        for index in 0..<4 {
            rig.send(9, from: index)
            rig.complete(index)
        }
        expect(rig.log.all, is: ["interrupted"])
        expect(rig.starts, is: starts)
    }

    @Test(
        "releases the closure when the outer stream completes, even while an inner stream is running",
        arguments: strategies)
    func releaseOfClosure(_ strategy: FlattenStrategy) {
        let log = Log<String>()
        let (outer, outerInput) = Signal<Int, TestError>.pipe()
        let sources: [SignalProducer<Int, TestError>] = [outer.producer, SignalProducer([1])]
        for source in sources {
            // The closure holds the input whose release ends the inner stream.
            let (inner, innerInput) = Signal<Int, TestError>.pipe()
            source.flatMap(strategy) { [innerInput] _ -> Signal<Int, TestError> in
                withExtendedLifetime(innerInput) {}
                return inner
            }.start { log.append($0.text) }
        }
        outerInput.sendNext(1)
        outerInput.sendCompleted()
        expect(log.all, is: strict.contains(strategy) ? ["interrupted", "interrupted"] : ["completed", "completed"])
    }

    @Test("disposes of inner work in the order in which it started", arguments: [false, true])
    func orderOfDisposal(_ isRaced: Bool) {
        let log = Log<Int>()
        let inputs = Log<Signal<Int, TestError>.Observer>()
        let (signal, outer) = Signal<Int, TestError>.pipe()
        let start = signal.producer.flatMap(isRaced ? .race : .merge) { number in
            Numbers { observer, lifetime in
                inputs.append(observer)
                lifetime.observeEnded { log.append(number) }
            }
        }.start()
        for number in 0..<100 { outer.sendNext(number) }
        if isRaced { inputs.all[99].sendNext(1) } else { start.dispose() }
        expect(log.all, is: Array(0..<(isRaced ? 99 : 100)))
        inputs.removeAll()
        start.dispose()
    }

    @Test("can be disposed of during an inner delivery", arguments: strategies)
    func ownDisposal(_ strategy: FlattenStrategy) {
        let log = Log<String>()
        let own = SerialDisposable()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (inner, innerInput) = Signal<Int, TestError>.pipe()
        own.inner = signal.producer.flatMap(strategy) { _ in inner }.start { event in
            log.append(event.text)
            if event.value == 2 { own.dispose() }
        }
        input.sendNext(0)
        for value in 1...3 { innerInput.sendNext(value) }
        expect(log.all, is: ["1", "2", "interrupted"])
    }

    @Test("holds nothing once it has ended", arguments: strategies)
    func release(_ strategy: FlattenStrategy) {
        for end in 0..<4 {
            let population = Population()
            let (signal, input) = Signal<Int, TestError>.pipe()
            let inner = Log<Signal<Int, TestError>.Observer>()
            let disposable: any Disposable
            do {
                let member = population.member()
                let other = population.member()
                disposable = signal.producer.flatMap(strategy) { _ in
                    member.touch()
                    let third = population.member()
                    return Numbers { observer, _ in
                        third.touch()
                        inner.append(observer)
                    }
                }.start { _ in other.touch() }
            }
            for value in 0..<3 { input.sendNext(value) }
            #expect(population.alive >= 2)
            switch end {
            case 0: disposable.dispose()
            case 1: input.sendError(.first)
            case 2: inner.all.last?.sendError(.second)
            default: input.sendInterrupted()
            }
            inner.removeAll()
            expect(population.alive, is: 0, "end \(end)")
        }
    }

    @Test(
        "delivers the values of an inner stream that starts inside a delivery of another inner stream",
        arguments: [FlattenStrategy.merge, .concurrent(limit: 2), .latest])
    func nestedInner(_ strategy: FlattenStrategy) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (inner, innerInput) = Signal<Int, TestError>.pipe()
        let log = Log<String>()
        signal.producer.flatMap(strategy) { $0 == 0 ? inner.producer : Numbers([$0, $0 * 10]) }.start { event in
            log.append(event.text)
            // The gate of the result has an owner. The gate of the outer signal is free.
            if event.value == 1 { input.sendNext(5) }
        }
        input.sendNext(0)
        innerInput.sendNext(1)
        expect(log.all, is: ["1", "5", "50"])
        innerInput.sendCompleted()
        input.sendCompleted()
        expect(log.all, is: ["1", "5", "50", "completed"])
    }

    @Test(
        "delivers a single value that arrives inside a delivery of another inner stream",
        arguments: [FlattenStrategy.merge, .concurrent(limit: 2), .latest])
    func nestedValue(_ strategy: FlattenStrategy) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (inner, innerInput) = Signal<Int, TestError>.pipe()
        let log = Log<String>()
        signal.producer.flatMap(strategy) { $0 == 0 ? inner.producer : Numbers(value: $0) }.start { event in
            log.append(event.text)
            if event.value == 1 { input.sendNext(5) }
        }
        input.sendNext(0)
        innerInput.sendNext(1)
        expect(log.all, is: ["1", "5"])
        innerInput.sendCompleted()
        input.sendCompleted()
        expect(log.all, is: ["1", "5", "completed"])
    }

    @Test("loses no value of an inner stream that completes inside its own delivery", arguments: strategies)
    func nestedCompletion(_ strategy: FlattenStrategy) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (inner, innerInput) = Signal<Int, TestError>.pipe()
        let log = Log<String>()
        signal.producer.flatMap(strategy) { _ in inner }.start { event in
            log.append(event.text)
            guard event.value == 1 else { return }
            innerInput.sendNext(2)
            innerInput.sendCompleted()
        }
        input.sendNext(0)
        input.sendCompleted()
        innerInput.sendNext(1)
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test(
        "serializes inner streams on several threads, and loses none of their values",
        arguments: [FlattenStrategy.merge, .concurrent(limit: 4)])
    func threads(_ strategy: FlattenStrategy) {
        for _ in 0..<100 {
            let rig = Rig(strategy, begun: [0, 1, 2, 3])
            rig.outer.sendCompleted()
            onThreads(4, "inner streams") { index in
                for value in 0..<20 { rig.send(index * 100 + value, from: index) }
                rig.complete(index)
            }
            let log = rig.log.all
            expect(log.count, is: 81)
            expect(log.last, is: "completed")
            for index in 0..<4 {
                let own = log.compactMap(Int.init).filter { $0 / 100 == index }
                #expect(own == (0..<20).map { index * 100 + $0 })
            }
        }
    }

    @Test("runs many synchronous inner streams on a small stack", .notUnderSanitizers, arguments: strategies)
    func stack(_ strategy: FlattenStrategy) {
        run(manyLevels, strategy) { Numbers(value: $0) }
        // These inner streams are slower and have larger frames, so there are fewer of them.
        run(thorough(20_000), strategy) { Numbers([$0]) }
        run(thorough(20_000), strategy) { number in
            Numbers { observer, _ in
                observer.sendNext(number)
                observer.sendCompleted()
            }
        }
    }

    private func run(_ count: Int, _ strategy: FlattenStrategy, _ make: @escaping @Sendable (Int) -> Numbers) {
        let (values, ends) = (Counter(), Counter())
        onSmallStack("flattening by \(strategy)") {
            Numbers(1...count).flatMap(strategy, make).start { event in
                if event.isTerminating { ends.increment() } else { values.increment() }
            }
        }
        #expect(values.value == (strategy == .race ? 1 : count))
        expect(ends.value, is: 1)
    }

    @Test(
        "starts many queued inner streams on a small stack", .notUnderSanitizers,
        arguments: [FlattenStrategy.concat, .concurrent(limit: 2)])
    func queue(_ strategy: FlattenStrategy) {
        let (values, ends) = (Counter(), Counter())
        onSmallStack("a queue") {
            let rig = (Manual(), Manual())
            let producers = [rig.0.producer, rig.1.producer]
            Numbers(0..<manyLevels).flatMap(strategy) { $0 < 2 ? producers[$0] : Numbers(value: $0) }.start { event in
                if event.isTerminating { ends.increment() } else { values.increment() }
            }
            rig.0.input?.sendCompleted()
            rig.1.input?.sendCompleted()
        }
        expect(values.value, is: manyLevels - 2)
        expect(ends.value, is: 1)
    }

    @Test("stops an endless inner stream from downstream", arguments: strategies)
    func endlessInner(_ strategy: FlattenStrategy) {
        let asked = Counter()
        let log = Numbers([1]).flatMap(strategy) { _ in Numbers(CountedNumbers(asked)) }.take(first: 3).logged()
        expect(log.all, is: ["0", "1", "2", "completed"])
        expect(asked.value, is: 3)
    }

    @Test("stops an endless outer stream from downstream", arguments: strategies)
    func endlessOuter(_ strategy: FlattenStrategy) {
        let asked = Counter()
        let log = Numbers(CountedNumbers(asked)).flatMap(strategy) { Numbers(value: $0) }.take(first: 1).logged()
        expect(log.all, is: ["0", "completed"])
        expect(asked.value, is: 1)
    }

    @Test("stops an endless outer stream when an inner one fails", arguments: strategies)
    func failingInner(_ strategy: FlattenStrategy) {
        let asked = Counter()
        let log = Numbers(CountedNumbers(asked)).flatMap(strategy) { _ in Numbers(error: .first) }.logged()
        expect(log.all, is: ["error first"])
        expect(asked.value, is: 1)
    }

    // MARK: merge, concat, concurrent

    @Test("merge: runs all inner streams concurrently")
    func merge() {
        let rig = Rig(.merge, begun: [0, 1, 2])
        expect(rig.starts, is: [1, 1, 1, 0])
        rig.send(1, from: 2)
        rig.send(2, from: 0)
        rig.complete(0)
        rig.send(3, from: 1)
        rig.outer.sendCompleted()
        rig.complete(1)
        rig.send(4, from: 2)
        rig.complete(2)
        expect(rig.log.all, is: ["1", "2", "3", "4", "completed"])
        expect(rig.disposals, is: [1, 1, 1, 0])
    }

    @Test("concat: runs inner streams one after another, in order")
    func concat() {
        let rig = Rig(.concat, begun: [0, 1, 2])
        rig.outer.sendCompleted()
        expect(rig.starts, is: [1, 0, 0, 0])
        rig.send(1, from: 0)
        rig.complete(0)
        expect(rig.starts, is: [1, 1, 0, 0])
        expect(rig.disposals, is: [1, 0, 0, 0], "what the first used is free")
        rig.interrupt(1)
        expect(rig.starts, is: [1, 1, 1, 0])
        rig.send(2, from: 2)
        rig.complete(2)
        expect(rig.log.all, is: ["1", "2", "completed"])
    }

    @Test("concurrent: runs no more inner streams than the limit, and queues the others")
    func concurrent() {
        let rig = Rig(.concurrent(limit: 2), begun: [0, 1, 2, 3])
        rig.outer.sendCompleted()
        expect(rig.starts, is: [1, 1, 0, 0])
        rig.complete(1)
        expect(rig.starts, is: [1, 1, 1, 0])
        rig.send(1, from: 0)
        rig.send(2, from: 2)
        rig.complete(2)
        expect(rig.starts, is: [1, 1, 1, 1])
        rig.complete(0)
        expect(rig.log.all, is: ["1", "2"])
        rig.complete(3)
        expect(rig.log.all, is: ["1", "2", "completed"])
    }

    @Test("concurrent: never exceeds the limit, whatever threads end the work")
    func concurrentThreads() {
        for _ in 0..<50 {
            let (begun, tooMany) = (Counter(), Counter())
            let active = Locked(0)
            let waiting = Locked<[Signal<Int, TestError>.Observer]>([])
            let log = Numbers(0..<40).flatMap(.concurrent(limit: 3)) { _ in
                Numbers { observer, _ in
                    begun.increment()
                    let count = active.withLock { active in
                        active += 1
                        return active
                    }
                    if count > 3 { tooMany.increment() }
                    waiting.withLock { $0.append(observer) }
                }
            }.logged()
            onThreads(3, "ending") { _ in
                while begun.value < 40 || active.withLock({ $0 }) > 0 {
                    guard let input = waiting.withLock({ $0.popLast() }) else { continue }
                    active.withLock { $0 -= 1 }
                    input.sendCompleted()
                }
            }
            expect(log.all, is: ["completed"])
            expect(begun.value, is: 40)
            expect(tooMany.value, is: 0)
        }
    }

    @Test("concat, concurrent: releases one inner stream's resources before the next starts", arguments: [1, 2])
    func orderOfRelease(_ limit: Int) {
        let log = Log<String>()
        let inputs = Log<Signal<Int, TestError>.Observer>()
        Numbers(0..<3).flatMap(.concurrent(limit: limit)) { number in
            Numbers { observer, lifetime in
                log.append("start \(number)")
                inputs.append(observer)
                lifetime.observeEnded { log.append("end \(number)") }
            }
        }.start()
        log.removeAll()
        inputs.all[0].sendCompleted()
        expect(log.all, is: ["end 0", "start \(limit)"])
        for _ in 0..<3 {
            for input in inputs.all { input.sendInterrupted() }
        }
        inputs.removeAll()
    }

    @Test(
        "concat, concurrent, throttle: a stream that arrives while another one releases its resources begins afterwards",
        arguments: [
            .concat, .concurrent(limit: 1), .concat(waiting: 1, whenFull: .dropNewest), .throttle,
            .concurrent(limit: 2, ordered: true),
        ] as [FlattenStrategy])
    func arrivesMeanwhile(_ strategy: FlattenStrategy) {
        let (log, inputs) = (Log<String>(), Log<Signal<Int, TestError>.Observer>())
        let (outer, input) = Signal<Int, TestError>.pipe()
        let result = outer.flatMap(strategy) { number in
            Numbers { observer, lifetime in
                log.append("start \(number)")
                inputs.append(observer)
                lifetime.observeEnded {
                    log.append("end \(number) begins")
                    if number == 0 { TestThread("the next value") { input.sendNext(9) }.join() }
                    log.append("end \(number)")
                }
            }
        }
        let observation = result.observe { _ in }
        // The ordered strategy has no room left.
        let count = "\(strategy)".contains("ordered") ? 2 : 1
        for number in 0..<count { input.sendNext(number) }
        log.removeAll()
        inputs.all[0].sendCompleted()
        expect(log.all, is: ["end 0 begins", "end 0", "start 9"])
        observation?.dispose()
    }

    @Test("concurrent, ordered: streams that end before their turn keep their places until their resources are free")
    func endsBeforeItsTurn() {
        let (log, inputs) = (Log<String>(), Log<Signal<Int, TestError>.Observer>())
        let (outer, input) = Signal<Int, TestError>.pipe()
        let result = outer.flatMap(.concurrent(limit: 2, ordered: true)) { number in
            Numbers { observer, lifetime in
                log.append("start \(number)")
                inputs.append(observer)
                lifetime.observeEnded {
                    if number == 1 {
                        TestThread("the first stream's end") {
                            inputs.all[0].sendCompleted()
                            input.sendNext(3)
                        }.join()
                    }
                    log.append("end \(number)")
                }
            }
        }
        let values = result.logged()
        for number in 0..<3 { input.sendNext(number) }
        inputs.all[1].sendNext(10)
        // The third begins in place of the first.
        inputs.all[1].sendCompleted()
        expect(log.all, is: ["start 0", "start 1", "end 0", "start 2", "end 1", "start 3"])
        for input in inputs.all { input.sendCompleted() }
        input.sendCompleted()
        expect(values.all, is: ["10", "completed"])
    }

    // MARK: latest

    @Test("latest: disposes of the previous inner stream before the next starts, and swallows its interruption")
    func latestOrder() {
        let log = Log<String>()
        let inputs = Log<Signal<Int, TestError>.Observer>()
        let (signal, outer) = Signal<Int, TestError>.pipe()
        signal.flatMap(.latest) { number in
            Numbers { observer, lifetime in
                log.append("start \(number)")
                inputs.append(observer)
                lifetime.observeEnded { log.append("end \(number)") }
            }
        }.observe { log.append($0.text) }
        outer.sendNext(1)
        inputs.all[0].sendNext(10)
        outer.sendNext(2)
        inputs.all[0].sendNext(11)
        inputs.all[1].sendNext(20)
        outer.sendCompleted()
        inputs.all[0].sendCompleted()
        inputs.all[1].sendCompleted()
        expect(log.all, is: ["start 1", "10", "end 1", "start 2", "20", "completed", "end 2"])
        inputs.removeAll()
    }

    @Test("latest: queues a re-entrant outer value until the synchronous inner stream has ended")
    func latestNested() {
        let (signal, outer) = Signal<Int, TestError>.pipe()
        let log = Log<String>()
        signal.producer.flatMap(.latest) { $0 == 0 ? Numbers(0..<5) : Numbers(value: -1) }.start { event in
            log.append(event.text)
            if event.value == 3 { outer.sendNext(1) }
        }
        outer.sendNext(0)
        outer.sendCompleted()
        expect(log.all, is: ["0", "1", "2", "3", "4", "-1", "completed"])
    }

    @Test("latest: completes when the outer stream and the latest inner stream have ended")
    func latestCompletion() {
        let rig = Rig(.latest, begun: [0, 1])
        expect(rig.disposals, is: [1, 0, 0, 0])
        rig.complete(0)
        rig.outer.sendCompleted()
        expect(rig.log.all, is: [])
        rig.interrupt(1)
        expect(rig.log.all, is: ["completed"])
    }

    @Test("latest: the end of a replaced inner stream never ends the result, even when it races with the replacement")
    func latestRace() {
        for _ in 0..<500 {
            let rig = Rig(.latest, begun: [0])
            onThreads(2, "replacement") { thread in
                if thread == 0 {
                    rig.outer.sendNext(1)
                    rig.outer.sendCompleted()
                } else {
                    rig.send(1, from: 0)
                    rig.complete(0)
                }
            }
            expect(rig.log.all.filter { $0 != "1" }, is: [], "the latest is at work")
            rig.send(2, from: 1)
            rig.complete(1)
            expect(rig.log.all.suffix(2), is: ["2", "completed"])
            expect(rig.starts, is: [1, 1, 0, 0])
            expect(rig.disposals, is: [1, 1, 0, 0])
        }
    }

    // MARK: race

    @Test("race: the first event of any kind wins, running losers are disposed of, and later streams are not started")
    func race() {
        let rig = Rig(.race, begun: [0, 1, 2])
        expect(rig.starts, is: [1, 1, 1, 0])
        rig.send(1, from: 1)
        expect(rig.disposals, is: [1, 0, 1, 0])
        rig.outer.sendNext(3)
        expect(rig.starts, is: [1, 1, 1, 0])
        rig.send(9, from: 0)
        rig.complete(2)
        rig.send(2, from: 1)
        rig.complete(1)
        expect(rig.log.all, is: ["1", "2"])
        rig.outer.sendCompleted()
        expect(rig.log.all, is: ["1", "2", "completed"])
    }

    @Test("race: an inner stream that only completes wins")
    func raceCompletion() {
        let rig = Rig(.race, begun: [0, 1])
        rig.complete(1)
        expect(rig.disposals, is: [1, 1, 0, 0])
        expect(rig.log.all, is: [])
        rig.send(1, from: 0)
        rig.outer.sendNext(2)
        expect(rig.starts, is: [1, 1, 0, 0])
        rig.outer.sendCompleted()
        expect(rig.log.all, is: ["completed"])
    }

    @Test("race: an inner stream that fails or is interrupted wins", arguments: [true, false])
    func raceEnds(_ fails: Bool) {
        let rig = Rig(.race, begun: [0, 1])
        if fails { rig.fail(0) } else { rig.interrupt(0) }
        expect(rig.log.all, is: [fails ? "error second" : "interrupted"])
        expect(rig.disposals, is: [1, 1, 0, 0])
    }

    @Test("race: disposes of the losers before it forwards the winner's event", arguments: [0, 1, 2, 3])
    func raceOrder(_ kind: Int) {
        let log = Log<String>()
        let inputs = Log<Signal<Int, TestError>.Observer>()
        let (signal, outer) = Signal<Int, TestError>.pipe()
        signal.flatMap(.race) { number in
            Numbers { observer, lifetime in
                inputs.append(observer)
                if number == 0 { lifetime.observeEnded { log.append("loser disposed") } }
            }
        }.observe { log.append($0.text) }
        for number in 0..<2 { outer.sendNext(number) }
        if kind == 1 { outer.sendCompleted() }
        switch kind {
        case 0: inputs.all[1].sendNext(1)
        case 1: inputs.all[1].sendCompleted()
        case 2: inputs.all[1].sendError(.first)
        default: inputs.all[1].sendInterrupted()
        }
        expect(log.all, is: ["loser disposed", ["1", "completed", "error first", "interrupted"][kind]])
        inputs.removeAll()
        outer.sendInterrupted()
    }

    @Test("race: a synchronous inner stream wins before the next is started")
    func raceSynchronous() {
        let late = Manual()
        let producers = [Numbers.never, Numbers([1, 2]), late.producer]
        let log = Numbers(0..<3).flatMap(.race) { producers[$0] }.logged()
        expect(log.all, is: ["1", "2", "completed"])
        expect(late.starts.value, is: 0)
    }

    @Test("race: exactly one of several threads wins")
    func raceThreads() {
        for _ in 0..<200 {
            let rig = Rig(.race, begun: [0, 1, 2, 3])
            rig.outer.sendCompleted()
            onThreads(4, "runners") { index in
                for value in 0..<5 { rig.send(index * 10 + value, from: index) }
                rig.complete(index)
            }
            let winner = rig.log.all.first.flatMap(Int.init).map { $0 / 10 } ?? -1
            #expect(rig.log.all == (0..<5).map { "\(winner * 10 + $0)" } + ["completed"])
            expect(rig.disposals, is: [1, 1, 1, 1])
        }
    }

    // MARK: throttle

    @Test("throttle: drops inner streams while one is running, and accepts the next one after it")
    func throttle() {
        let rig = Rig(.throttle, begun: [0, 1])
        expect(rig.starts, is: [1, 0, 0, 0])
        rig.send(1, from: 0)
        rig.complete(0)
        rig.outer.sendNext(2)
        expect(rig.starts, is: [1, 0, 1, 0])
        rig.outer.sendNext(3)
        rig.send(2, from: 2)
        rig.outer.sendCompleted()
        rig.complete(2)
        expect(rig.log.all, is: ["1", "2", "completed"])
        expect(rig.starts, is: [1, 0, 1, 0])
    }

    @Test("disposal during a delivery stops inner work that sends synchronously", arguments: strategies)
    func disposalDuringInnerStart(_ strategy: FlattenStrategy) {
        let (outer, input) = Signal<Int, TestError>.pipe()
        let (log, own, numbers) = (Log<String>(), SerialDisposable(), CountedNumbers())
        own.inner = outer.producer.flatMap(strategy) { _ in Numbers(numbers) }.start { event in
            log.append(event.text)
            if event.value == 2 { own.dispose() }
        }
        input.sendNext(0)
        expect(log.all, is: ["0", "1", "2", "interrupted"])
        expect(numbers.asked.value, is: 3)
    }

    @Test("disposal upstream of the result stops inner work that sends synchronously", arguments: strategies)
    func disposalByInnerWork(_ strategy: FlattenStrategy) {
        let (outer, input) = Signal<Int, TestError>.pipe()
        let (own, numbers) = (SerialDisposable(), CountedNumbers())
        let log = Log<String>()
        own.inner = outer.producer
            .flatMap(strategy) { _ in
                Numbers(numbers).on(next: { if $0 == 2 { own.dispose() } })
            }
            .start { log.append($0.text) }
        input.sendNext(0)
        expect(log.all, is: ["0", "1", "interrupted"])
        expect(numbers.asked.value, is: 3)
    }
}
