import HotSignals
import ReactiveDiagnostics
import ReactiveSignals
import TestSupport
import Testing

extension StreamGraph.Snapshot {
    fileprivate func id(_ name: String) -> UInt64 { nodes.first { $0.name == name }?.id ?? 0 }
}

private struct Trouble: Error {}

/// Counts the values of a stream, which a snapshot does not.
private struct ValueCount: StreamTap {
    let count = Counter()

    func event<Value, Failure>(_ event: Event<Value, Failure>, in state: Void) {
        if event.value != nil { count.increment() }
    }
}

// In processes of their own, because everything in the process is recorded.
@Suite("StreamGraph and events", .watched)
struct StreamGraphEventsTests {
    @Test("a recorded signal delivers to observers that come and go, and a tap counts its values once each")
    func counts() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let tap = ValueCount()
            let (source, input) = Signal<Int, Never>.pipe()
            let signal = source.named("orders").tapped(by: tap)
            let received = Locked(0)
            var observers: [any Disposable] = []
            // Up to 40 observers, which takes several buffers, and back to none.
            for round in 0..<80 {
                input.sendNext(1)
                precondition(tap.count.value == round + 1, "\(tap.count.value)")
                if round < 40 {
                    observers.append(signal.observeNext { value in received.withLock { $0 += value } }!)
                } else {
                    // From the beginning, the middle and the end.
                    observers.remove(at: [0, observers.count / 2, observers.count - 1][round % 3]).dispose()
                }
            }
            precondition(received.withLock { $0 } == (0..<40).reduce(0, +) + (1...40).reduce(0, +))
            precondition(observers.isEmpty)
            signal.observeNext { value in received.withLock { $0 = value } }
            StreamGraph.stop()
            input.sendNext(7)
            precondition(received.withLock { $0 } == 7 && tap.count.value == 81)
            input.sendCompleted()
            withExtendedLifetime(signal) {}
        }
    }

    @Test("a snapshot is the same before and after an event")
    func events() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let (signal, input) = Signal<Int, Never>.pipe()
            let mapped = signal.named("orders").map { $0 }
            mapped.observeNext { value in if value < 3 { input.sendNext(value + 1) } }
            let begin = GraphRegistry.now
            let before = StreamGraph.snapshot(after: nil, now: begin)
            input.sendNext(0)
            precondition(StreamGraph.snapshot(after: nil, now: begin) == before, "\(before)")
            input.sendCompleted()
        }
    }

    @Test("no value is lost while other threads take snapshots and add and remove observers")
    func threads() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let tap = ValueCount()
            let (source, input) = Signal<Int, Never>.pipe(contention: .enqueue)
            let signal = source.named("orders").tapped(by: tap)
            let rounds = 2_000
            let isOver = Locked(false)
            let senders = (0..<2).map { number in
                TestThread("sender \(number)") { for _ in 0..<rounds { input.sendNext(1) } }
            }
            let observer = TestThread("an observer") {
                while !isOver.withLock({ $0 }) {
                    let disposables = (0..<9).map { _ in signal.observeNext { _ in } }
                    for disposable in disposables { disposable?.dispose() }
                }
            }
            let reader = TestThread("a reader") {
                while !isOver.withLock({ $0 }) { precondition(!StreamGraph.snapshot().nodes.isEmpty) }
            }
            for sender in senders { sender.join() }
            isOver.withLock { $0 = true }
            observer.join()
            reader.join()
            // Events that found the gate taken by a disposal are delivered by a thread of the library.
            let isEveryOneCounted = await eventually { tap.count.value == 2 * rounds }
            precondition(isEveryOneCounted, "\(tap.count.value)")
            withExtendedLifetime(signal) {}
        }
    }

    @Test("observes a stream by its number, until it ends or the observer is disposed of")
    func observes() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let (signal, input) = Signal<Int, Trouble>.pipe()
            let mapped = signal.named("orders").map { "\($0)" }
            mapped.observe { _ in }
            let log = Log<String>()
            let snapshot = StreamGraph.snapshot()
            let first = StreamGraph.observe(snapshot.id("orders")) { log.append("\($0)") }
            StreamGraph.observe(snapshot.id("map:")) { log.append("mapped \($0)") }
            precondition(StreamGraph.snapshot().nodes.first { $0.name == "orders" }?.observers == 2)
            input.sendNext(1)
            first?.dispose()
            input.sendNext(2)
            input.sendError(Trouble())
            precondition(log.all.count == 4 && log.all[3].hasPrefix("mapped") && log.all[3].contains("Trouble"))
            precondition(Set(log.all[0...1]).count == 2 && log.all[0...1].contains { $0.hasPrefix("mapped") })
            precondition(StreamGraph.observe(snapshot.id("orders")) { _ in } == nil, "it has ended")
            precondition(StreamGraph.observe(.max) { _ in } == nil, "there is no such node")
        }
    }
}
