import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Threads in a ring: each is busy with what the one before wants, either a delivery or the evaluation of an element.
@Suite("Waits for memos and gates", .watched)
struct MemoWaitTests {
    enum Kind: Character, Sendable {
        case gate = "g"
        case memo = "m"
    }

    /// All rings of two and three threads in which at least one is busy with a delivery and one with an element.
    static let rings = ["gm", "mg", "ggm", "gmg", "mgg", "gmm", "mgm", "mmg"]

    /// A ring in which thread `i` is busy with resource `i`, and wants the next one meanwhile.
    private final class Ring: Sendable {
        private let kinds: [Kind]
        private let pipes: [(output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)]
        private let memos = Log<MemoizedSequence<Int>>()
        /// What was delivered by each signal.
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

        /// By thread `index`: gets busy with its resource.
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

        /// One event for each delivery that somebody wanted.
        var expected: [Int] { kinds.indices.filter { kinds[$0] == .gate } }
    }

    @Test("a ring with a delivery in it is resolved, whichever thread is the last to wait", arguments: rings)
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
            // The others wait one after the other, beginning after the last.
            for index in indices.map({ ($0 + last + 1) % text.count }) {
                mayWant[index].open()
                if index != last { threads[index].waitUntilAsleep() }
            }
            for thread in threads { thread.join(atMost: 60) }
            expect(ring.wrong.value, is: 0)
            expect(ring.deliveries.all.sorted(), is: ring.expected)
        }
    }

    @Test("a ring with a delivery in it is resolved in any order of events", arguments: rings)
    func races(ring text: String) {
        let rounds = (0..<raceRounds).map { _ in
            // All are busy before the first wants something.
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

    @Test("a sender that hands over leaves those asleep that wait for the same gate, and they are woken later")
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
        for thread in [owner, evaluator] + others { thread.join(atMost: 60) }
        // The event that was handed over is delivered by the thread that had the element to read.
        expect(log.all.prefix(3), is: [1, 7, 2])
        expect(log.all.sorted(), is: [1, 2, 3, 4, 5, 7])
        input.sendCompleted()
    }
}
