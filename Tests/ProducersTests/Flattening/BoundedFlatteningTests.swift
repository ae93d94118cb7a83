import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// Inner streams that the test drives, flattened by a strategy.
private final class Rig: Sendable {
    let outer: Signal<Int, TestError>.Observer
    let inners = (0..<6).map { _ in Manual() }
    let log: Log<String>
    let disposable: any Disposable

    init(_ strategy: FlattenStrategy) {
        let (signal, outer) = Signal<Int, TestError>.pipe()
        self.outer = outer
        let producers = inners.map(\.producer)
        (log, disposable) = signal.producer.flatMap(strategy, raising: .second) { producers[$0] }.startLogged()
    }

    func begin(_ indices: Range<Int>) {
        for index in indices { outer.sendNext(index) }
    }

    func send(_ value: Int, from index: Int) { inners[index].input?.sendNext(value) }
    func complete(_ index: Int) { inners[index].input?.sendCompleted() }
    var starts: [Int] { inners.map(\.starts.value) }
    var disposals: [Int] { inners.map(\.disposals.value) }
}

@Suite("Flattening with a bounded queue")
struct BoundedFlatteningTests {
    @Test("drops the inner stream that has waited longest")
    func dropOldest() {
        let rig = Rig(.concat(waiting: 2, whenFull: .dropOldest))
        rig.begin(0..<5)
        for index in [0, 3, 4] { rig.complete(index) }
        expect(rig.starts, is: [1, 0, 0, 1, 1, 0])
        rig.outer.sendCompleted()
        expect(rig.log.all, is: ["completed"])
    }

    @Test("drops the arriving inner stream, and accepts others when there is room again")
    func dropNewest() {
        let rig = Rig(.concat(waiting: 2, whenFull: .dropNewest))
        rig.begin(0..<4)
        rig.complete(0)
        rig.begin(4..<5)
        for index in [1, 2, 4] { rig.complete(index) }
        expect(rig.starts, is: [1, 1, 1, 0, 1, 0])
        rig.outer.sendCompleted()
        expect(rig.log.all, is: ["completed"])
    }

    @Test("fails with the given error, disposes of running streams, and drops queued ones")
    func fail() {
        let rig = Rig(.concurrent(limit: 2, waiting: 1, whenFull: .fail))
        rig.begin(0..<3)
        rig.send(1, from: 0)
        expect(rig.log.all, is: ["1"])
        rig.begin(3..<5)
        expect(rig.log.all, is: ["1", "error second"])
        expect(rig.starts, is: [1, 1, 0, 0, 0, 0])
        expect(rig.disposals, is: [1, 1, 0, 0, 0, 0])
    }

    @Test("counts queued streams, not running ones")
    func counts() {
        let rig = Rig(.concurrent(limit: 2, waiting: 1, whenFull: .dropOldest))
        rig.begin(0..<4)
        rig.complete(0)
        expect(rig.starts, is: [1, 1, 0, 1, 0, 0])
        rig.begin(4..<5)
        rig.complete(1)
        expect(rig.starts, is: [1, 1, 0, 1, 1, 0])
    }

    @Test("queues no stream when the limit is zero", arguments: [Overflow.dropOldest, .dropNewest])
    func none(_ overflow: Overflow) {
        let rig = Rig(.concurrent(limit: 2, waiting: 0, whenFull: overflow))
        rig.begin(0..<4)
        rig.complete(0)
        rig.begin(4..<5)
        expect(rig.starts, is: [1, 1, 0, 0, 1, 0])

        let failing = Rig(.concat(waiting: 0, whenFull: .fail))
        failing.begin(0..<1)
        failing.complete(0)
        failing.begin(1..<2)
        expect(failing.log.all, is: [])
        failing.begin(2..<3)
        expect(failing.log.all, is: ["error second"])
    }

    @Test("bounds an ordered strategy too, counting a stream with buffered values as running")
    func ordered() {
        let rig = Rig(.concurrent(limit: 2, ordered: true, waiting: 1, whenFull: .dropNewest))
        rig.begin(0..<2)
        rig.send(1, from: 1)
        rig.complete(1)
        rig.begin(2..<4)
        expect(rig.starts, is: [1, 1, 0, 0, 0, 0])
        rig.complete(0)
        expect(rig.log.all, is: ["1"])
        expect(rig.starts, is: [1, 1, 1, 0, 0, 0])
    }

    @Test("needs no queue for streams of a single value, or of none")
    func values() {
        for strategy in [
            FlattenStrategy.concat(waiting: 0, whenFull: .fail),
            .concurrent(limit: 2, ordered: true, waiting: 0, whenFull: .fail),
        ] {
            let log = Numbers(1...100).flatMap(strategy, raising: .first) { $0 % 2 == 0 ? .empty : Numbers(value: $0) }
                .logged()
            expect(log.count, is: 51)
            expect(log.all.last, is: "completed")
        }
    }

    @Test("bounds the streams that an observer sends while a stream is being started")
    func reentrant() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (first, firstInput) = Signal<Int, TestError>.pipe()
        let log = Log<String>()
        signal.flatMap(.concat(waiting: 1, whenFull: .dropNewest)) { value in
            value == 1 ? SignalProducer(first).prefix(value: 1) : Numbers([value, value * 10])
        }.observe { event in
            log.append(event.text)
            if event.value == 1 { for value in 2...4 { input.sendNext(value) } }
        }
        input.sendNext(1)
        expect(log.all, is: ["1"])
        firstInput.sendCompleted()
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "20", "completed"])
    }

    @Test(
        "releases a dropped stream immediately, and all others at the end",
        arguments: [Overflow.dropOldest, .dropNewest])
    func releases(_ overflow: Overflow) {
        let population = Population()
        let (signal, input) = Signal<Population.Member, TestError>.pipe()
        let disposable = signal.flatMap(.concat(waiting: 1, whenFull: overflow)) { member in
            Numbers { _, lifetime in lifetime.observeEnded { member.touch() } }.concat(.never)
                .on(disposed: { member.touch() })
        }.observe { _ in }
        for _ in 0..<5 { input.sendNext(population.member()) }
        #expect(population.alive <= 2)
        disposable?.dispose()
        expect(population.alive, is: 0)
    }

    @Test("accepts an error for every combination of error types")
    func types() {
        let strategy = FlattenStrategy.concat(waiting: 0, whenFull: .fail)
        typealias Safe = SignalProducer<Int, Never>
        let both: Numbers = Numbers([1, 2]).flatMap(strategy, raising: .first) { _ in Numbers.never }
        expect(both.logged().all, is: ["error first"])
        let outer: Numbers = Numbers([1, 2]).flatMap(strategy, raising: .first) { _ in Safe.never }
        expect(outer.logged().all, is: ["error first"])
        let inner: Numbers = Safe([1, 2]).flatMap(strategy, raising: .first) { _ in Numbers.never }
        expect(inner.logged().all, is: ["error first"])
        let none: Numbers = Safe([1, 2]).flatMap(strategy, raising: TestError.first) { _ in Safe.never }
        expect(none.logged().all, is: ["error first"])

        let twoStreams: Numbers = Numbers([1, 2]).map { _ in Numbers.never }.flatten(strategy, raising: .first)
        expect(twoStreams.logged().all, is: ["error first"])
        let outerStreams: Numbers = Numbers([1, 2]).map { _ in Safe.never }.flatten(strategy, raising: .first)
        expect(outerStreams.logged().all, is: ["error first"])
        let innerStreams: Numbers = Safe([1, 2]).map { _ in Numbers.never }.flatten(strategy, raising: .first)
        expect(innerStreams.logged().all, is: ["error first"])
        let noStreams: Numbers = Safe([1, 2]).map { _ in Safe.never }.flatten(strategy, raising: TestError.first)
        expect(noStreams.logged().all, is: ["error first"])
    }

    @Test("accepts an error on signals, and ignores it for other strategies")
    func signals() {
        typealias Safe = SignalProducer<Int, Never>
        let strategy = FlattenStrategy.concat(waiting: 0, whenFull: .fail)
        let (failing, input) = Signal<Int, TestError>.pipe()
        let (safe, safeInput) = Signal<Int, Never>.pipe()
        let logs: [Log<String>] = [
            failing.flatMap(strategy, raising: .first) { _ in Numbers.never }.logged(),
            failing.flatMap(strategy, raising: .first) { _ in Safe.never }.logged(),
            safe.flatMap(strategy, raising: .first) { _ in Numbers.never }.logged(),
            safe.flatMap(strategy, raising: TestError.first) { _ in Safe.never }.logged(),
            failing.map { _ in Numbers.never }.flatten(strategy, raising: .first).logged(),
            failing.map { _ in Safe.never }.flatten(strategy, raising: .first).logged(),
            safe.map { _ in Numbers.never }.flatten(strategy, raising: .first).logged(),
            safe.map { _ in Safe.never }.flatten(strategy, raising: TestError.first).logged(),
        ]
        let other = failing.flatMap(.merge, raising: .first) { _ in Numbers.never }.logged()
        for value in 1...2 {
            input.sendNext(value)
            safeInput.sendNext(value)
        }
        for log in logs { expect(log.all, is: ["error first"]) }
        expect(other.all, is: [])
        input.sendInterrupted()
    }
}

@Suite("Flattening concurrently in order")
struct OrderedFlatteningTests {
    @Test("buffers the values of later streams until the earlier streams complete")
    func order() {
        let rig = Rig(.concurrent(limit: 3, ordered: true))
        rig.begin(0..<4)
        expect(rig.starts, is: [1, 1, 1, 0, 0, 0])
        rig.send(20, from: 2)
        rig.send(10, from: 1)
        rig.send(1, from: 0)
        rig.complete(1)
        expect(rig.log.all, is: ["1"])
        expect(rig.starts[3], is: 0, "what is buffered counts as running")
        rig.complete(0)
        expect(rig.log.all, is: ["1", "10", "20"])
        expect(rig.starts[3], is: 1)
        rig.send(21, from: 2)
        rig.send(30, from: 3)
        rig.outer.sendCompleted()
        rig.complete(3)
        expect(rig.log.all, is: ["1", "10", "20", "21"])
        rig.complete(2)
        expect(rig.log.all, is: ["1", "10", "20", "21", "30", "completed"])
        expect(rig.disposals, is: [1, 1, 1, 1, 0, 0])
    }

    @Test("treats an interruption as completion, and fails immediately without the buffered values")
    func ends() {
        let interrupted = Rig(.concurrent(limit: 2, ordered: true))
        interrupted.begin(0..<2)
        interrupted.send(10, from: 1)
        interrupted.inners[0].input?.sendInterrupted()
        expect(interrupted.log.all, is: ["10"])

        let failing = Rig(.concurrent(limit: 2, ordered: true))
        failing.begin(0..<2)
        failing.send(10, from: 1)
        failing.inners[1].input?.sendError(.first)
        expect(failing.log.all, is: ["error first"])
        expect(failing.disposals, is: [1, 1, 0, 0, 0, 0])
    }

    @Test("forwards the values of streams that start while buffered values are sent")
    func synchronous() {
        let first = Manual()
        let log = SignalProducer<Int, TestError>([0, 1, 2, 3, 4, 5])
            .flatMap(.concurrent(limit: 2, ordered: true)) { $0 == 0 ? first.producer : Numbers([$0, $0 * 10]) }
            .logged()
        first.input?.sendNext(7)
        expect(log.all, is: ["7"])
        first.input?.sendCompleted()
        expect(log.all, is: ["7", "1", "10", "2", "20", "3", "30", "4", "40", "5", "50", "completed"])
    }

    @Test("buffers the values that a stream sends while its buffer is being sent")
    func whileSending() {
        let rig = Rig(.concurrent(limit: 2, ordered: true))
        let inner = rig.inners[1]
        let (signal, outer) = Signal<Int, TestError>.pipe()
        let first = Manual()
        let log = Log<String>()
        signal.flatMap(.concurrent(limit: 2, ordered: true)) { $0 == 0 ? first.producer : inner.producer }
            .observe { event in
                log.append(event.text)
                if event.value == 1 {
                    inner.input?.sendNext(3)
                    inner.input?.sendCompleted()
                }
            }
        outer.sendNext(0)
        outer.sendNext(1)
        inner.input?.sendNext(1)
        inner.input?.sendNext(2)
        first.input?.sendCompleted()
        outer.sendCompleted()
        expect(log.all, is: ["1", "2", "3", "completed"])
    }

    @Test("releases buffered values on disposal")
    func releases() {
        let population = Population()
        let (signal, outer) = Signal<Int, TestError>.pipe()
        let inputs = Log<Signal<Population.Member, TestError>.Observer>()
        let disposable = signal.flatMap(.concurrent(limit: 2, ordered: true)) { _ in
            SignalProducer<Population.Member, TestError> { observer, _ in inputs.append(observer) }
        }.observe { _ in }
        outer.sendNext(0)
        outer.sendNext(1)
        for _ in 0..<3 { inputs.all[1].sendNext(population.member()) }
        expect(population.alive, is: 3)
        disposable?.dispose()
        expect(population.alive, is: 0)
        inputs.removeAll()
    }

    @Test("runs streams that end immediately without deepening the stack")
    func stack() {
        onSmallStack("ordered") {
            let count = Counter()
            let first = Manual()
            Numbers(0..<50_000).flatMap(.concurrent(limit: .max, ordered: true)) {
                $0 == 0 ? first.producer : Numbers([$0, $0])
            }.start { if $0.value != nil { count.increment() } }
            first.input?.sendCompleted()
            expect(count.value, is: 99_998)
        }
    }

    @Test("keeps the order of streams that send on separate threads")
    func threads() {
        for _ in 0..<raceRounds {
            let (signal, outer) = Signal<Int, TestError>.pipe()
            let inners = (0..<3).map { _ in Manual() }
            let producers = inners.map(\.producer)
            let log = signal.flatMap(.concurrent(limit: 3, ordered: true)) { producers[$0] }.logged()
            for index in 0..<3 { outer.sendNext(index) }
            outer.sendCompleted()
            onThreads(3, "ordered") { index in
                for value in 0..<5 { inners[index].input?.sendNext(index * 10 + value) }
                inners[index].input?.sendCompleted()
            }
            let values = (0..<3).flatMap { index in (0..<5).map { "\(index * 10 + $0)" } }
            #expect(becomesTrue { log.all.last == "completed" })
            expect(log.all, is: values + ["completed"])
        }
    }
}
