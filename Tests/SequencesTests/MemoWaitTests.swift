import HotSignals
import MemoizedSequences
import ReactiveSignals
import TestSupport
import Testing

/// A cycle of threads: each holds the resource that the previous one wants, either a delivery or the evaluation of an
/// element.
@Suite("Waits for memos and gates", .watched)
struct MemoWaitTests {
    enum Kind: Character, Sendable {
        case gate = "g"
        case memo = "m"
    }

    /// All rings of two and three threads in which at least one holds a delivery and one an element.
    static let rings = ["gm", "mg", "ggm", "gmg", "mgg", "gmm", "mgm", "mmg"]

    /// A ring in which thread `i` holds resource `i` and wants the next one.
    private final class Ring: Sendable {
        private let kinds: [Kind]
        private let pipes: [(output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)]
        private let memos = Log<MemoizedSequence<Int>>()
        /// The values delivered by each signal.
        let deliveries = Log<Int>()
        let wrong = Counter()

        /// - Parameter pause: Called by each thread before it wants something.
        init(_ text: String, pause: @escaping @Sendable (Int) -> Void) {
            kinds = text.compactMap(Kind.init)
            pipes = kinds.map { _ in Signal<Int, Never>.pipe() }
            for index in kinds.indices {
                let body: @Sendable () -> Void = { [unowned self] in
                    pause(index)
                    want((index + 1) % kinds.count)
                }
                memos.append(
                    MemoizedSequence(
                        head: {
                            body()
                            return index
                        }, tail: { .empty }))
                pipes[index].output.observeNext { [deliveries] value in
                    if value < 0 { body() } else { deliveries.append(value) }
                }
            }
        }

        deinit {
            for pipe in pipes { pipe.input.sendCompleted() }
        }

        /// Called by thread `index` to acquire its resource.
        func run(_ index: Int) {
            switch kinds[index] {
            case .gate: pipes[index].input.sendNext(-1)
            case .memo: if memos.all[index].head != index { wrong.increment() }
            }
        }

        private func want(_ index: Int) {
            switch kinds[index] {
            case .gate: pipes[index].input.sendNext(index)
            case .memo: if memos.all[index].head != index { wrong.increment() }
            }
        }

        /// One event per delivery that a thread wanted.
        var expected: [Int] { kinds.indices.filter { kinds[$0] == .gate } }
    }

    @Test("a cycle of waits that includes a delivery is resolved, whichever thread waits last", arguments: rings)
    func order(ring text: String) {
        for last in text.indices.map({ text.distance(from: text.startIndex, to: $0) }) {
            let indices = 0..<text.count
            let entered = indices.map { Latch("thread \($0) is not busy") }
            let mayWant = indices.map { Latch("thread \($0) may not go on") }
            let ring = Ring(text) { index in
                entered[index].open()
                mayWant[index].wait()
            }
            let threads = indices.map { index in TestThread("thread \(index) of \(text)") { ring.run(index) } }
            for latch in entered { latch.wait() }
            // The other threads wait one after another, beginning after the last.
            for index in indices.map({ ($0 + last + 1) % text.count }) {
                mayWant[index].open()
                if index != last { threads[index].waitUntilAsleep() }
            }
            for thread in threads { thread.join() }
            expect(ring.wrong.value, is: 0)
            expect(ring.deliveries.all.sorted(), is: ring.expected)
        }
    }

    @Test("a cycle of waits that includes a delivery is resolved for any order of events", arguments: rings)
    func races(ring text: String) {
        let rounds = (0..<raceRounds).map { _ in
            // All threads hold their resources before the first wants another.
            let rendezvous = Rendezvous(text.count)
            return Ring(text) { _ in rendezvous.meet() }
        }
        onThreads(text.count, text) { index in
            for ring in rounds { ring.run(index) }
        }
        for ring in rounds {
            expect(ring.wrong.value, is: 0)
            expect(ring.deliveries.all.sorted(), is: ring.expected)
        }
    }

    @Test("a sender that hands over its event leaves other waiters of the gate asleep, to be woken later")
    func otherWaiters() {
        let entered = Latch("the element is not being worked out")
        let (output, input) = Signal<Int, Never>.pipe()
        let log = Log<Int>()
        let busy = Latch("nothing is delivered")
        let mayRead = Latch("the observer may not read the element")
        let sequence = MemoizedSequence<Int>(
            head: {
                entered.open()
                input.sendNext(2)
                return 7
            }, tail: { .empty })
        output.observeNext { value in
            log.append(value)
            guard value == 1 else { return }
            busy.open()
            mayRead.wait()
            log.append(sequence.head ?? 0)
        }
        let owner = TestThread("owner") { input.sendNext(1) }
        busy.wait()
        let evaluator = TestThread("evaluator") { _ = sequence.head }
        entered.wait()
        evaluator.waitUntilAsleep()
        let others = (3...5).map { value in
            let thread = TestThread("sender \(value)") { input.sendNext(value) }
            thread.waitUntilAsleep()
            return thread
        }
        mayRead.open()
        for thread in [owner, evaluator] + others { thread.join() }
        // The event that was handed over is delivered by the thread that was to read the element.
        expect(log.all.prefix(3), is: [1, 7, 2])
        expect(log.all.sorted(), is: [1, 2, 3, 4, 5, 7])
        input.sendCompleted()
    }
}
