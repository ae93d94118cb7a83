import HotSignals
import ReactiveSignals
import TestSupport
import Testing

extension StreamGraph.Snapshot {
    fileprivate func events(_ name: String) -> UInt64? { nodes.first { $0.name == name }?.events }

    fileprivate func id(_ name: String) -> UInt64 { nodes.first { $0.name == name }?.id ?? 0 }
}

private struct Trouble: Error {}

// In processes of their own, because everything in the process is recorded.
@Suite("StreamGraph and events", .watched)
struct StreamGraphEventsTests {
    @Test("counts the values of a signal once each, however many observers come and go, and also without any")
    func counts() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let (signal, input) = Signal<Int, Never>.pipe()
            signal.named("orders")
            let received = Locked(0)
            var sent: UInt64 = 0
            var observers: [any Disposable] = []
            // Up to 40 observers, which takes several buffers, and back to none.
            for round in 0..<80 {
                input.sendNext(1)
                sent += 1
                precondition(StreamGraph.snapshot().events("orders") == sent, "\(StreamGraph.snapshot())")
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
            input.sendNext(7)
            precondition(received.withLock { $0 } == 7 && StreamGraph.snapshot().events("orders") == sent + 1)
            input.sendCompleted()
            withExtendedLifetime(signal) {}
        }
    }

    @Test("counts at the root and not at map, and what is sent from inside an observer")
    func roots() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let (signal, input) = Signal<Int, Never>.pipe()
            let mapped = signal.named("orders").map { $0 }
            mapped.observeNext { value in if value < 3 { input.sendNext(value + 1) } }
            mapped.observeNext { _ in }
            input.sendNext(0)
            let snapshot = StreamGraph.snapshot()
            precondition(snapshot.events("orders") == 4, "\(snapshot)")
            precondition(snapshot.nodes.contains { $0.name == "map:" && $0.events == nil }, "\(snapshot)")
            precondition("\(snapshot)".contains("events: 4"), "\(snapshot)")
            StreamGraph.stop()
            input.sendNext(3)
            precondition(StreamGraph.snapshot().events("orders") == 5, "what has been recorded still counts")
            input.sendCompleted()
        }
    }

    @Test("counts while other threads take snapshots and add and remove observers")
    func threads() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let (signal, input) = Signal<Int, Never>.pipe(contention: .enqueue)
            signal.named("orders")
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
                var last: UInt64 = 0
                while !isOver.withLock({ $0 }) {
                    let events = StreamGraph.snapshot().events("orders") ?? 0
                    precondition(events >= last)
                    last = events
                }
            }
            for sender in senders { sender.join() }
            isOver.withLock { $0 = true }
            observer.join()
            reader.join()
            // Events that found the gate taken by a disposal are delivered by a thread of the library.
            let isEveryOneCounted = await eventually {
                StreamGraph.snapshot().events("orders") == UInt64(2 * rounds)
            }
            precondition(isEveryOneCounted, "\(StreamGraph.snapshot())")
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
