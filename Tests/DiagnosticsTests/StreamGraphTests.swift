import Foundation
import HotSignals
import ReactiveDiagnostics
import ReactiveSignals
import TestSupport
import Testing

extension StreamGraph.Snapshot {
    /// The only node with a name.
    fileprivate func node(_ name: String) -> StreamGraph.Node {
        let found = nodes.filter { $0.name == name }
        guard found.count == 1 else { fatalError("\(found.count) nodes with the name \(name) in:\n\(self)") }
        return found[0]
    }

    fileprivate func has(_ name: String) -> Bool { nodes.contains { $0.name == name } }
}

// In processes of their own, because everything in the process is recorded.
@Suite("StreamGraph", .watched)
struct StreamGraphTests {
    @Test("records what is created while it records: signals, operators, their names, places, ages and observers")
    func signals() async {
        await #expect(processExitsWith: .success) {
            precondition(!StreamGraph.isRecording)
            let (before, _) = Signal<Int, Never>.pipe()
            before.named("before")
            StreamGraph.start()
            precondition(StreamGraph.isRecording)
            let (signal, input) = Signal<Int, Never>.pipe()
            signal.named("orders")
            let line = UInt(#line)
            let mapped = signal.map { $0 }.filter { _ in true }
            mapped.observeNext { _ in }
            mapped.observeNext { _ in }
            let (other, otherInput) = Signal<Int, Never>.pipe()
            let zipped = other.named("others").zip(with: mapped)
            let snapshot = StreamGraph.snapshot()
            precondition(!snapshot.has("before"))
            let orders = snapshot.node("orders")
            precondition(orders.kind == .signal && orders.observers == 1 && orders.parents == [], "\(snapshot)")
            precondition(orders.fileID == #fileID && orders.line == line, "\(snapshot)")
            precondition(orders.age >= .zero && orders.age < .seconds(900) && orders.gate == nil, "\(snapshot)")
            let map = snapshot.node("map:")
            precondition(map.kind == .operator && map.parents == [orders.id] && map.observers == 1, "\(snapshot)")
            let filter = snapshot.node("filter:")
            precondition(filter.parents == [map.id] && filter.observers == 3, "\(snapshot)")
            let zip = snapshot.nodes.first { $0.parents.count == 2 }
            precondition(zip?.kind == .operator, "\(snapshot)")
            precondition(zip.map { Set($0.parents) } == [snapshot.node("others").id, filter.id], "\(snapshot)")
            precondition(snapshot.warnings == [] && snapshot.waits == [])

            StreamGraph.stop()
            let (after, afterInput) = Signal<Int, Never>.pipe()
            after.named("after")
            let second = StreamGraph.snapshot()
            precondition(!second.has("after") && second.node("orders").id == orders.id)
            input.sendCompleted()
            precondition(!StreamGraph.snapshot().has("orders"), "ended, but retained")
            withExtendedLifetime((signal, zipped, otherInput, afterInput)) {}
        }
    }

    @Test("keeps nothing alive")
    func memory() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let population = Population()
            do {
                let (signal, input) = Signal<Int, Never>.pipe()
                let member = population.member()
                let mapped = signal.named("short").map { [member] value in
                    member.touch()
                    return value
                }
                let snapshot = StreamGraph.snapshot()
                precondition(snapshot.has("map:") && population.alive == 1, "\(snapshot)")
                withExtendedLifetime((mapped, input)) {}
            }
            precondition(population.alive == 0, "\(population.alive)")
            precondition(StreamGraph.snapshot().nodes.isEmpty, "\(StreamGraph.snapshot())")
            precondition(GraphRegistry.count == 0, "\(GraphRegistry.count)")
        }
    }

    @Test("is Codable and Equatable")
    func coding() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let (signal, input) = Signal<Int, Never>.pipe(capacity: 3)
            let queued = signal.named("o\u{7}\"rders").observe(on: TestThreadScheduler())
            let snapshot = StreamGraph.snapshot()
            // The pipe, its senders, the operator, its queue, and what of it makes the senders wait.
            precondition(snapshot.nodes.count == 5, "\(snapshot)")
            let data = try JSONEncoder().encode(snapshot)
            let decoded = try JSONDecoder().decode(StreamGraph.Snapshot.self, from: data)
            precondition(decoded == snapshot)
            precondition(decoded.description == snapshot.description && !snapshot.description.contains("\u{7}"))
            withExtendedLifetime((queued, input)) {}
        }
    }

    @Test("names the thread that delivers for long, and the thread that waits for it")
    func waiting() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let (signal, input) = Signal<Int, Never>.pipe()
            let (isInside, mayLeave) = (Latch("the observer is called"), Latch("the observer may return"))
            signal.named("orders").observeNext { value in
                guard value == 1 else { return }
                isInside.open()
                mayLeave.wait()
            }
            let first = TestThread("a sender") { input.sendNext(1) }
            isInside.wait()
            // At this time no wait has lasted a second, however late the thread starts.
            let begin = GraphRegistry.now
            let second = TestThread("a sender that waits") { input.sendNext(2) }
            precondition(becomesTrue { signal.core.gate.hasWaiters })
            second.waitUntilAsleep()
            let early = StreamGraph.snapshot(after: nil, now: begin)
            let id = early.node("orders").id
            precondition(early.warnings == [], "\(early)")
            let gate = early.node("orders").gate
            precondition(gate?.waiting == 1 && gate?.owner != nil && gate?.duration == nil, "\(early)")
            precondition(early.waits.count == 1 && early.waits[0].node == id && early.waits[0].kind == .thread)
            precondition(early.waits[0].owner == gate?.owner && early.waits[0].thread != gate?.owner)
            let name = early.waits[0].threadName
            precondition(name?.isEmpty == false && name?.contains("\n") == false, "\(name ?? "no name")")

            let longAfter = GraphRegistry.now + 2_000_000_000
            let late = StreamGraph.snapshot(after: early, now: longAfter)
            precondition(late.warnings.map(\.kind) == [.waitsLong, .deliversLong], "\(late)")
            precondition(late.warnings.allSatisfy { $0.node == id && $0.description.contains("orders #\(id)") })
            precondition(late.node("orders").gate?.duration == .nanoseconds(longAfter - begin), "\(late)")
            precondition(late.warnings[0].description.contains("if that thread wants a lock"), "\(late)")
            precondition(late.warnings[0].description.contains("(\(name ?? "")) has waited"), "\(late)")
            let third = TestThread("another sender that waits") { input.sendNext(3) }
            third.waitUntilAsleep()
            let crowded = StreamGraph.snapshot(after: late, now: GraphRegistry.now + 9_000_000_000)
            precondition(crowded.warnings.map(\.kind) == [.waitsLong, .deliversLong], "\(crowded)")
            precondition(crowded.warnings[0].description.hasSuffix(". So has 1 more thread"), "\(crowded)")
            precondition(crowded.waits.count == 2 && crowded.node("orders").gate?.waiting == 2, "\(crowded)")
            mayLeave.open()
            for thread in [first, second, third] { thread.join() }
            let last = StreamGraph.snapshot(after: late, now: GraphRegistry.now + 9_000_000_000)
            precondition(last.warnings == [] && last.waits == [] && last.node("orders").gate == nil, "\(last)")
            input.sendCompleted()
        }
    }

    @Test("does not take two short events in a row for a long one, and delivers what is sent in the meantime")
    func shortEvents() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let (signal, input) = Signal<Int, Never>.pipe()
            let begin = GraphRegistry.now
            let snapshots = Log<StreamGraph.Snapshot>()
            let received = Log<Int>()
            signal.named("orders").observeNext { value in
                received.append(value)
                // A snapshot in the middle of an event, by the thread that delivers it.
                snapshots.append(StreamGraph.snapshot(after: nil, now: begin + 5_000_000_000 * value))
                if value < 4 { input.sendNext(value + 1) }
            }
            input.sendNext(1)
            precondition(received.all == [1, 2, 3, 4])
            for snapshot in snapshots.all {
                precondition(snapshot.warnings == [] && snapshot.node("orders").gate?.owner != nil, "\(snapshot)")
            }
            input.sendCompleted()
        }
    }

    @Test("shows senders that a consumer suspends, with their waiting")
    func senders() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let (signal, input) = Signal<Int, Never>.pipe(capacity: 1)
            signal.named("bounded")
            var values = signal.values(buffering: .suspending(1)).makeAsyncIterator()
            let sender = Task {
                var sent = 0
                while sent < 10, await input.send(sent) { sent += 1 }
                input.sendCompleted()
            }
            // Senders that find room only at a second look wait for a moment. Only the third one has to wait for long.
            func isFull(_ snapshot: StreamGraph.Snapshot) -> Bool {
                snapshot.node("async sequence").buffer?.depth == 2 && snapshot.node("senders").buffer?.depth == 1
            }
            var snapshot = StreamGraph.snapshot()
            while snapshot.waits.isEmpty || !isFull(snapshot) {
                await Task.yield()
                snapshot = StreamGraph.snapshot()
            }
            let queue = snapshot.node("senders")
            precondition(queue.kind == .buffer && queue.parents == [snapshot.node("bounded").id], "\(snapshot)")
            precondition(queue.buffer == StreamGraph.BufferState(depth: 1, limit: nil), "\(snapshot)")
            precondition(snapshot.waits.map(\.node) == [queue.id] && snapshot.waits[0].kind == .sender)
            precondition(snapshot.warnings == [])
            while await values.next() != nil {}
            await sender.value
            precondition(StreamGraph.snapshot().waits == [])
        }
    }

    @Test("warns of a queue without a bound that grows, and not of one that does not")
    func growth() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let (signal, input) = Signal<Int, Never>.pipe()
            let scheduler = TestThreadScheduler()
            let received = Counter()
            signal.named("orders").observe(on: scheduler).observeNext { _ in received.increment() }
            func send(_ count: Int) { for value in 0..<count { input.sendNext(value) } }
            send(150)
            let first = StreamGraph.snapshot()
            precondition(first.warnings == [])
            precondition(first.node("queue").buffer == StreamGraph.BufferState(depth: 150, limit: nil), "\(first)")
            precondition(StreamGraph.snapshot(after: first).warnings == [])
            send(10)
            let second = StreamGraph.snapshot(after: first)
            precondition(second.warnings.map(\.kind) == [.bufferGrows], "\(second)")
            precondition(second.warnings[0].node == second.node("queue").id)
            let (queue, orders) = (second.node("queue").id, second.nodes.first { $0.name.contains("observe") })
            precondition(
                second.warnings[0].description
                    == "queue #\(queue) of \(orders?.name ?? "") #\(orders?.id ?? 0) has no bound and grows: "
                    + "from 150 to 160", "\(second)")
            scheduler.run()
            precondition(received.value == 160)
            let third = StreamGraph.snapshot(after: second)
            precondition(third.warnings == [] && third.node("queue").buffer?.depth == 0, "\(third)")
            input.sendCompleted()
            // The completion, too: an action that never runs retains the queue, and with it the scheduler.
            scheduler.run()
        }
    }

    @Test("snapshots on several threads while streams come and go")
    func races() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let isOver = OnceFlag()
            onThreads(4, "streams come and go") { index in
                if index < 2 {
                    var former: StreamGraph.Snapshot?
                    while !isOver.isRaised {
                        let snapshot = StreamGraph.snapshot(after: former)
                        precondition(!snapshot.description.isEmpty || snapshot.nodes.isEmpty)
                        former = snapshot
                    }
                    return
                }
                for round in 0..<(raceRounds * 10) {
                    let (signal, input) = Signal<Int, Never>.pipe()
                    let observation = signal.named("s").map { $0 }.observeNext { _ in }
                    input.sendNext(round)
                    observation?.dispose()
                    if round % 2 == 0 { input.sendCompleted() }
                }
                isOver.raise()
            }
            // A disposal in a gate that a snapshot is looking at is performed by another thread.
            precondition(becomesTrue { StreamGraph.snapshot().nodes.isEmpty }, "\(StreamGraph.snapshot())")
        }
    }
}

/// A scheduler that runs its actions when it is told to.
private final class TestThreadScheduler: Scheduler {
    private let actions = Locked<[@Sendable () -> Void]>([])

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        actions.withLock { $0.append(action) }
        return nil
    }

    func run() {
        while true {
            let next = actions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let next else { return }
            next()
        }
    }
}
