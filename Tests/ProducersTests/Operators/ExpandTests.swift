import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("expand(_:_:)")
struct ExpandTests {
    /// The children of a number in a tree of digits: 1 has 2 and 3, 2 has 4 and 5, and so on up to 9.
    private static let children: @Sendable (Int) -> Numbers = { Numbers($0 < 5 ? [2 * $0, 2 * $0 + 1] : []) }

    private func texts(_ numbers: Int...) -> [String] { numbers.map { "\($0)" } + ["completed"] }

    // MARK: Order

    @Test("walks a tree in breadth, the source included")
    func breadth() {
        let tree = Numbers(value: 1).expand(.merge, Self.children)
        expect(tree.logged().all, is: texts(1, 2, 3, 4, 5, 6, 7, 8, 9))
        let forest = Numbers([3, 4]).expand(.merge, Self.children)
        expect(forest.logged().all, is: texts(3, 4, 6, 7, 8, 9))
        let limited = Numbers(value: 1).expand(.concurrent(limit: 2), Self.children)
        expect(limited.logged().all, is: texts(1, 2, 3, 4, 5, 6, 7, 8, 9))
    }

    @Test("walks a tree in depth")
    func depth() {
        let tree = Numbers(value: 1).expand(.concat, Self.children)
        expect(tree.logged().all, is: texts(1, 2, 4, 8, 9, 5, 3, 6, 7))
        let forest = Numbers([3, 4]).expand(.concat, Self.children)
        expect(forest.logged().all, is: texts(3, 6, 7, 4, 8, 9))
    }

    @Test("walks the values of a signal, each as it arrives")
    func signals() {
        for (strategy, values) in [(FlattenStrategy.merge, [2, 4, 5, 8, 9]), (.concat, [2, 4, 8, 9, 5])] {
            let (signal, input) = Signal<Int, TestError>.pipe()
            let log = signal.expand(strategy, Self.children).logged()
            input.sendNext(2)
            expect(log.all, is: values.map { "\($0)" })
            input.sendNext(5)
            input.sendCompleted()
            expect(log.all, is: values.map { "\($0)" } + ["5", "completed"])
        }
    }

    /// The events when two streams send by hand: that of 1, and that of 2, which it sends.
    private func asynchronous(_ strategy: FlattenStrategy) -> (log: Log<String>, inputs: [Manual]) {
        let inputs = (0..<2).map { _ in Manual() }
        let log = Numbers(value: 1).expand(strategy) { value in
            value <= 2 ? inputs[value - 1].producer : Numbers.empty
        }.logged()
        return (log, inputs)
    }

    @Test("in breadth, sends values as they arrive")
    func asynchronousBreadth() {
        let (log, inputs) = asynchronous(.merge)
        inputs[0].input?.sendNext(2)
        inputs[0].input?.sendNext(3)
        inputs[1].input?.sendNext(4)
        inputs[0].input?.sendCompleted()
        expect(log.all, is: ["1", "2", "3", "4"])
        inputs[1].input?.sendCompleted()
        expect(log.all, is: texts(1, 2, 3, 4))
        expect(inputs.map(\.disposals.value), is: [1, 1])
    }

    @Test("in depth, lets values wait for what follows from the previous ones")
    func asynchronousDepth() {
        let (log, inputs) = asynchronous(.concat)
        inputs[0].input?.sendNext(2)
        inputs[0].input?.sendNext(3)
        inputs[1].input?.sendNext(4)
        inputs[0].input?.sendCompleted()
        expect(log.all, is: ["1", "2", "4"])
        inputs[1].input?.sendCompleted()
        expect(log.all, is: texts(1, 2, 4, 3))
        expect(inputs.map(\.disposals.value), is: [1, 1])
    }

    // MARK: Depth and size

    @Test(
        "expands many levels on a constant stack", .notUnderThreadSanitizer,
        arguments: [FlattenStrategy.merge, .concat, .concurrent(limit: 3)])
    func levels(_ strategy: FlattenStrategy) {
        let count = thorough(min(100_000, manyLevels))
        let last = Locked(0)
        Numbers(value: 0).expand(strategy) { $0 < count ? Numbers(value: $0 + 1) : .empty }
            .startWithResult { result in last.withLock { $0 = (try? result.get()) ?? -1 } }
        expect(last.withLock { $0 }, is: count)
        let custom = Numbers(value: 0).expand(strategy) { value in
            Numbers { observer, _ in
                if value < count { observer.sendNext(value + 1) }
                observer.sendCompleted()
            }
        }
        expect(custom.count().logged().all, is: ["\(count + 1)", "completed"])
    }

    @Test("is stopped by take(first:) if the work never ends", arguments: [FlattenStrategy.merge, .concat])
    func endless(_ strategy: FlattenStrategy) {
        let log = Numbers(value: 1).expand(strategy) { Numbers([$0 + 1, $0 + 2]) }.take(first: 4).logged()
        expect(log.count, is: 5)
        expect(log.all.last, is: "completed")
    }

    // MARK: Ends

    @Test("ends with its source", arguments: [FlattenStrategy.merge, .concat])
    func follows(_ strategy: FlattenStrategy) {
        expectFollows { $0.expand(strategy) { _ in Numbers.empty } }
        expectReleases { producer, member in
            producer.expand(strategy) { _ in
                member.touch()
                return Numbers.empty
            }
        }
    }

    @Test(
        "fails with an inner stream, and takes an interrupted one for a completed one",
        arguments: [FlattenStrategy.merge, .concat])
    func innerEnds(_ strategy: FlattenStrategy) {
        for (terminal, text) in zip(terminals, ["completed", "error first", "completed"]) {
            let inner = Manual()
            let source = Manual()
            let log = source.producer.expand(strategy) { $0 == 1 ? inner.producer : Numbers.empty }.logged()
            source.input?.sendNext(1)
            inner.input?.sendNext(2)
            if terminal.error == nil { source.input?.sendCompleted() }
            inner.input?.send(terminal)
            expect(log.all, is: ["1", "2", text])
            expect([source.disposals.value, inner.disposals.value], is: [1, 1])
        }
        let immediate = Numbers(value: 1).expand(strategy) { _ in Numbers(error: .second) }
        expect(immediate.logged().all, is: ["1", "error second"])
    }

    @Test("disposes of everything, also from inside", arguments: [FlattenStrategy.merge, .concat])
    func disposal(_ strategy: FlattenStrategy) {
        let inner = Manual()
        let producer = Numbers.never.prefix(value: 1).expand(strategy) { _ in inner.producer }
        let (log, disposable) = producer.startLogged()
        inner.input?.sendNext(2)
        expect(inner.starts.value, is: 2)
        disposable.dispose()
        expect(log.all, is: ["1", "2", "interrupted"])
        expect(inner.disposals.value, is: 2)

        let inside = Log<String>()
        Numbers([1, 2]).expand(strategy) { _ in Numbers(value: 3) }.startDisposably { event, disposable in
            inside.append(event.text)
            disposable.dispose()
        }
        expect(inside.all, is: ["1", "interrupted"])
    }

    @Test("takes sends from inside in order", arguments: [FlattenStrategy.merge, .concat])
    func reentrant(_ strategy: FlattenStrategy) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = Log<String>()
        signal.expand(strategy) { $0 < 10 ? Numbers(value: $0 * 10) : .empty }.observe { event in
            log.append(event.text)
            if event.value == 1 { input.sendNext(2) }
        }
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["1", "10", "2", "20", "completed"])
    }

    // MARK: Limits

    /// Sends 1, whose stream sends 2, 3, 4 and 5, of which only 2 has a stream, by hand.
    private func bounded(
        _ overflow: Overflow, waiting: Int = 2, raising error: TestError? = nil
    ) -> (log: Log<String>, inner: Manual) {
        let inner = Manual()
        let log = Numbers(value: 1)
            .expand(.concat(waiting: waiting, whenFull: overflow), raising: error) { value in
                value == 1 ? Numbers([2, 3, 4, 5]) : value == 2 ? inner.producer : .empty
            }.logged()
        return (log, inner)
    }

    @Test("in depth, bounds the values that wait")
    func boundedDepth() {
        for (overflow, rest) in [(Overflow.dropOldest, [4, 5]), (.dropNewest, [3, 4])] {
            let (log, inner) = bounded(overflow)
            inner.input?.sendNext(6)
            inner.input?.sendCompleted()
            expect(log.all, is: texts(1, 2, 6, rest[0], rest[1]))
        }
        expect(bounded(.fail, raising: .second).log.all, is: ["1", "error second"])
        let (none, inner) = bounded(.dropOldest, waiting: 0)
        inner.input?.sendCompleted()
        expect(none.all, is: texts(1, 2))
    }

    @Test("in depth, drops the value that has waited longest, on any level")
    func oldest() {
        let inputs = (0..<3).map { _ in Manual() }
        let source = Manual()
        let log = source.producer.expand(.concat(waiting: 2, whenFull: .dropOldest)) { value in
            value < 3 ? inputs[value].producer : Numbers.empty
        }.logged()
        source.input?.sendNext(1)
        inputs[1].input?.sendNext(2)
        inputs[1].input?.sendNext(7)
        source.input?.sendNext(8)
        source.input?.sendNext(9)
        for input in [inputs[2], inputs[1], source] { input.input?.sendCompleted() }
        expect(log.all, is: texts(1, 2, 8, 9))
    }

    @Test("in breadth, bounds the streams that wait")
    func boundedBreadth() {
        let inputs = (0..<6).map { _ in Manual() }
        func expand(_ overflow: Overflow, raising error: TestError? = nil) -> Log<String> {
            Numbers([1, 2, 3, 4, 5]).expand(.concurrent(limit: 2, waiting: 1, whenFull: overflow), raising: error) {
                inputs[$0].producer
            }.logged()
        }
        _ = expand(.dropNewest)
        expect(inputs.map(\.starts.value), is: [0, 1, 1, 0, 0, 0])
        inputs[1].input?.sendCompleted()
        expect(inputs.map(\.starts.value), is: [0, 1, 1, 1, 0, 0])
        expect(expand(.fail, raising: .first).all, is: ["1", "2", "3", "4", "error first"])
        for input in inputs { input.release() }
    }

    // MARK: Names and traps

    @Test("is called by its name")
    func name() {
        expect(Numbers.never.expand(.merge) { Numbers(value: $0) }.name, is: "[never] -expand:")
        expect(Numbers.never.expand(.concat) { Numbers(value: $0) }.name, is: "[never] -expand:")
    }

    @Test("traps for strategies without an order, and for .fail without an error")
    func traps() async throws {
        let latest = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.expand(.latest) { Numbers(value: $0) }
        }
        latest.expectTrap("expand(.latest): the strategy must be .merge, .concat or .concurrent, not ordered")
        let ordered = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, TestError>.never.expand(.concurrent(limit: 2, ordered: true)) { Numbers(value: $0) }
        }
        ordered.expectTrap("expand(.concurrent(limit: 2, ordered: true))")
        let fail = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.expand(.concat(waiting: 1, whenFull: .fail)) { Numbers(value: $0) }
        }
        fail.expectTrap("expand .concat(waiting: 1, whenFull: .fail): the overflow .fail needs the parameter raising")
    }
}
