import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Each start begins the next one upstream.
@Suite("A long chain of starts", .watched)
struct LongChainTests {
    private typealias Numbers = SignalProducer<Int, Never>

    private static let length = 200

    /// A producer that notes when its work begins, and sends nothing.
    private static func noting(_ number: Int, in log: Log<Int>) -> Numbers {
        Numbers { observer, lifetime in
            log.append(number)
            lifetime.observeEnded { _ = observer }
        }
    }

    @Test("begins the receiver before the argument")
    func receiverFirst() {
        let log = Log<Int>()
        var result = Self.noting(0, in: log)
        for number in 1...Self.length { result = result.merge(with: Self.noting(number, in: log)) }
        let start = result.start()
        expect(log.all, is: Array(0...Self.length))
        start.dispose()
    }

    @Test("begins a trigger before the source")
    func triggerFirst() {
        let log = Log<Int>()
        var result = Self.noting(0, in: log)
        for number in 1...Self.length { result = result.take(until: Self.noting(number, in: log)) }
        let start = result.start()
        expect(log.all, is: (0...Self.length).reversed())
        start.dispose()
    }

    private static let joined: [(name: String, join: @Sendable (Numbers, Numbers) -> Numbers)] = [
        ("merge", { $0.merge(with: $1) }),
        ("race", { .race($0, $1) }),
        ("combineLatest", { $0.combineLatest(with: $1).map { $0.0 } }),
        ("zip", { $0.zip(with: $1).map { $0.0 } }),
        ("withLatest", { $1.withLatest(from: $0).map { $0.1 } }),
        ("sample", { $0.sample(on: $1.map { _ in () }) }),
        ("lift", { $0.lift { first in { first.merge(with: $0) } }($1) }),
        ("bounded zip", { $0.zip(with: $1, bufferLimit: 9, whenFull: .dropOldest).map { $0.0 } }),
    ]

    @Test("begins trees in the order of nested starts", arguments: joined.indices)
    func trees(_ index: Int) {
        let join = Self.joined[index].join
        // A short chain gives the order at the ends.
        func begins(_ length: Int) -> [Int] {
            let log = Log<Int>()
            var result = join(Self.noting(0, in: log), Self.noting(1, in: log))
            for number in 1..<length {
                let pair = join(Self.noting(2 * number, in: log), Self.noting(2 * number + 1, in: log))
                result = join(result, pair)
            }
            let start = result.start()
            start.dispose()
            return log.all
        }
        let short = begins(20)
        let long = begins(Self.length)
        expect(long.count, is: 2 * Self.length)
        // Either the innermost pair comes first, or it comes last.
        expect(long.filter { $0 < 40 }, is: short)
    }

    @Test("begins nothing more when it has been disposed of")
    func disposed() {
        let log = Log<Int>()
        let whole = SerialDisposable()
        let ending = Numbers { observer, _ in
            log.append(0)
            whole.dispose()
            observer.sendCompleted()
        }
        let deep = (1...Self.length).reduce(Self.noting(1, in: log)) { result, _ in result.concat(.empty) }
        let both = (1...Self.length).reduce(ending.merge(with: deep)) { result, _ in result.concat(.empty) }
        let ends = Log<String>()
        both.startWithSignal { signal, start in
            whole.inner = start
            signal.observe { ends.append($0.text) }
        }
        expect(log.all, is: [0])
        expect(ends.all, is: ["interrupted"])
    }

    @Test("has begun when `start` returns, also within the work of another one")
    func within() {
        let log = Log<Int>()
        let inner = (1...Self.length).reduce(Self.noting(1, in: log)) { result, _ in result.concat(.empty) }
        let outer = Numbers { observer, lifetime in
            log.append(0)
            lifetime += inner.start()
            log.append(2)
            observer.sendCompleted()
        }
        (1...Self.length).reduce(outer) { result, _ in result.concat(.empty) }.start()
        expect(log.all, is: [0, 1, 2])
    }

    @Test("calls `started` when the source has begun")
    func started() {
        let log = Log<Int>()
        var result = Self.noting(0, in: log)
        for number in 1...Self.length { result = result.concat(.empty).on(started: { log.append(number) }) }
        let start = result.start()
        expect(log.all, is: Array(0...Self.length))
        start.dispose()
    }

    @Test("runs a tap around the beginning of the source")
    func tapped() {
        let log = Log<Int>()
        var result = Self.noting(0, in: log)
        for _ in 1...Self.length { result = result.concat(.empty).tapped(by: Surrounding(log: log)) }
        let start = result.start()
        let expected = Array(repeating: -1, count: Self.length) + [0] + Array(repeating: -2, count: Self.length)
        expect(log.all, is: expected)
        start.dispose()
    }

    @Test("begins on a scheduler that runs its actions at once")
    func onScheduler() {
        let log = Log<Int>()
        var result = Self.noting(0, in: log)
        for _ in 1...Self.length { result = result.concat(.empty).start(on: NotingScheduler(log: log)) }
        let start = result.start()
        // Each `start(on:)` begins its work when its scheduler has run the action.
        expect(log.all, is: Array(repeating: [-1, -2], count: Self.length).flatMap { $0 } + [0])
        start.dispose()
    }

    @Test("begins what follows a source that ends later, within the call that ends it")
    func laterEnd() {
        let log = Log<Int>()
        let (first, input) = Signal<Int, Never>.pipe()
        var result = first.producer
        for number in 1...Self.length {
            result = result.concat(
                .init { observer, _ in
                    log.append(number)
                    observer.sendCompleted()
                })
        }
        let ends = Log<String>()
        result.start { ends.append($0.text) }
        expect(log.all, is: [])
        input.sendCompleted()
        expect(log.all, is: Array(1...Self.length))
        expect(ends.all, is: ["completed"])
    }

    @Test("begins what follows a source that an observer ends during the start, within that call", arguments: 0..<80)
    func endDuringStart(_ position: Int) {
        let (first, firstInput) = Signal<Int, Never>.pipe()
        let (second, secondInput) = Signal<Int, Never>.pipe()
        var result = first.producer.concat(second.producer.observe(on: ImmediateScheduler()))
        result = result.merge(with: Numbers(value: 1))
        for _ in 0..<position { result = result.concat(.empty) }
        for _ in 0..<(80 - position) { result = result.merge(with: .empty) }
        let values = Log<Int>()
        let start = result.start { event in
            guard let value = event.value else { return }
            values.append(value)
            if value == 1 {
                firstInput.sendCompleted()
                secondInput.sendNext(5)
            }
        }
        expect(values.all, is: [1, 5])
        start.dispose()
    }

    @Test("releases the resources of each part before the next one begins")
    func resources() {
        let log = Log<Int>()
        var result = Numbers.empty
        for number in 1...Self.length {
            result = result.concat(
                .using(resource: { log.append(number) }, release: { log.append(-number) }) { _ in
                    Numbers(value: number)
                })
        }
        let values = Log<Int>()
        result.startWithNext { values.append($0) }
        expect(values.all, is: Array(1...Self.length))
        // The last part of each `concat` ends with it: its resource is released after the terminal event has passed.
        expect(log.all.filter { $0 > 0 }, is: Array(1...Self.length))
        expect(log.all.filter { $0 < 0 }.count, is: Self.length)
    }

    @Test("keeps the tasks of the work in the context of the start")
    func executor() {
        let executor = ManualTaskExecutor()
        let work = Numbers.async { 7 }
        let chain = (1...Self.length).reduce(work) { result, _ in result.merge(with: .empty) }
        let log = Log<String>()
        executor.around { _ = chain.start { log.append($0.text) } }
        expect(log.all, is: [])
        executor.runAll()
        expect(log.all, is: ["7", "completed"])
    }

    @Test("ends other threads' branches while a branch begins")
    func threads() {
        for _ in 0..<thorough(50) {
            let inputs = Log<Signal<Int, Never>.Observer>()
            let part: @Sendable () -> Numbers = {
                let pending = Numbers { observer, _ in inputs.append(observer) }
                return (1...150).reduce(pending) { result, number in result.concat(.init(value: number)) }
            }
            let result = (1...150).reduce(part().merge(with: part())) { result, _ in result.concat(.empty) }
            let values = Log<Int>()
            let ends = Log<String>()
            result.start { event in
                if let value = event.value { values.append(value) } else { ends.append(event.text) }
            }
            let ending = inputs.all
            onThreads(2, "end") { ending[$0].sendCompleted() }
            expect(values.all.sorted(), is: (1...150).flatMap { [$0, $0] })
            expect(ends.all, is: ["completed"])
        }
    }
}

/// Notes when the work begins and when it has begun.
private struct Surrounding: StreamTap {
    let log: Log<Int>

    func run(_ work: () -> Void, in state: Void) {
        log.append(-1)
        work()
        log.append(-2)
    }
}

/// Runs its actions at once, and notes their beginning and their end.
private final class NotingScheduler: Scheduler {
    private let log: Log<Int>

    init(log: Log<Int>) { self.log = log }

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        log.append(-1)
        action()
        log.append(-2)
        return nil
    }
}
