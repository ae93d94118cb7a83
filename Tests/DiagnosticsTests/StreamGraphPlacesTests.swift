import Foundation
import HotSignals
import ReactiveDiagnostics
import ReactiveSignals
import TestSupport
import Testing

private struct Trouble: Error {}

/// A case of a table: the line that makes something, and what it makes.
private struct Made {
    let what: String
    let line: UInt
    let made: Any

    init(_ what: String, _ line: UInt, _ made: Any) { (self.what, self.line, self.made) = (what, line, made) }
}

private func place(_ line: UInt) -> StreamGraph.Place { StreamGraph.Place(fileID: #fileID, line: line) }

extension StreamGraph.Snapshot {
    /// The number of observers that each line of this file has added to a stream.
    fileprivate func observers(of name: String) -> [UInt: Int] {
        let places = nodes.first { $0.name == name }?.observerPlaces ?? []
        precondition(places.allSatisfy { $0.place.fileID == #fileID }, "\(self)")
        return Dictionary(uniqueKeysWithValues: places.map { ($0.place.line, $0.count) })
    }
}

// In processes of their own, because everything in the process is recorded.
@Suite("StreamGraph and places", .watched)
struct StreamGraphPlacesTests {
    @Test("tells where a signal, a property or an action without a name was made")
    func roots() async { await #expect(processExitsWith: .success) { checkRoots() } }

    @Test("a property wrapper is made where it is declared, and a name counts more than that")
    func wrappers() async { await #expect(processExitsWith: .success) { checkWrappers() } }

    @Test("tells where each observer was added, by whatever method, until it is removed")
    func observers() async { await #expect(processExitsWith: .success) { checkObservers() } }

    @Test("adds up the observers of a line, also those that were added and removed inside a delivery")
    func counts() async { await #expect(processExitsWith: .success) { checkCounts() } }

    @Test("tells nothing of observers that were added while nothing was recorded, or that the library adds")
    func unknown() async { await #expect(processExitsWith: .success) { checkUnknown() } }

    @Test("tells where a start was begun, by whatever method")
    func starts() async { await #expect(processExitsWith: .success) { await checkStarts() } }

    @Test("tells of a start both where its producer was named and where it was begun, and nothing of inner starts")
    func namedStarts() async { await #expect(processExitsWith: .success) { checkNamedStarts() } }

    @Test("tells where async code waits for a stream")
    func waiting() async { await #expect(processExitsWith: .success) { await checkWaiting() } }

    @Test("names the places of the observers, also behind operators, when an event takes long")
    func suspects() async { await #expect(processExitsWith: .success) { checkSuspects() } }

    @Test("names the places of the stream and its observers when a send blocks the thread of a task for 10 ms")
    func blockedTasks() async { await #expect(processExitsWith: .success) { checkBlockedTasks() } }

    @Test(
        "takes a thread for one of an event loop by its name",
        arguments: [("NIO-ELT-0-#3", true), ("NIO-SGLTN-0-#1", true), ("NIO", false)])
    func eventLoops(name: String, isEventLoop: Bool) { #expect(WaitLog.isEventLoop(name) == isEventLoop) }

    @Test("a snapshot with places can be encoded and decoded, and so can one without")
    func coding() throws {
        var node = StreamGraph.Node(id: 1, kind: .signal, name: "orders", age: .seconds(1))
        for isKnown in [false, true] {
            if isKnown {
                node.startPlace = place(3)
                node.observerPlaces = [StreamGraph.ObserverPlace(place: place(70_000), count: 2)]
            }
            let data = try JSONEncoder().encode(node)
            #expect(try JSONDecoder().decode(StreamGraph.Node.self, from: data) == node)
            #expect(String(decoding: data, as: UTF8.self).contains("observerPlaces") == isKnown)
        }
    }

    @Test("packs a place into a word: lines beyond 65,535 count as that, and the library's own places are none")
    func packing() {
        #expect(CodeLocation("App/Orders.swift", 12).place.map { "\($0.fileID):\($0.line)" } == "App/Orders.swift:12")
        #expect(CodeLocation("App/Orders.swift", 65_535).place?.line == 65_535)
        #expect(CodeLocation("App/Orders.swift", 65_536).place?.line == 65_535)
        #expect(CodeLocation("App/Orders.swift", .max).place?.fileID == "App/Orders.swift")
        #expect(CodeLocation("HotSignals/Signal.swift", 3).place == nil)
        #expect(CodeLocation("HotSignalsApp/Signal.swift", 3).place?.line == 3)
        #expect(CodeLocation(bits: 0).place == nil && CodeLocation(bits: 0).file == nil)
    }
}

// Functions, because every line of a body that is an argument of a macro has the number of the macro.

private func checkRoots() {
    @MutableProperty var wrapped = 0
    _ = wrapped
    StreamGraph.start()
    let never = SignalProducer<Int, Never>.never
    // Each on one line.
    let all = [
        Made("pipe", #line, Signal<Int, Never>.pipe()),
        Made("pipe(capacity:)", #line, Signal<Int, Never>.pipe(capacity: 1)),
        Made(
            "Signal", #line, Signal<Int, Never> { observer, lifetime in lifetime.observeEnded { _ = observer } }
        ),
        Made("MutableProperty", #line, MutableProperty(0)),
        Made("initial:then:", #line, Property(initial: 0, then: never)),
        Made("optional", #line, Property<Int?>(initial: nil, then: never)),
        Made("Action", #line, Action<Int, Int, Never> { SignalProducer(value: $0) }),
        Made("Action of nothing", #line, Action<Void, Int, Never> { SignalProducer(value: 1) }),
        Made(
            "enabledIf", #line, Action<Int, Int, Never>(enabledIf: Property(value: true)) { .init(value: $0) }),
        Made("state", #line, Action<Int, Int, Never>(state: MutableProperty(0)) { .init(value: $0 + $1) }),
        Made("async", #line, Action<Int, Int, Never>(async: { (input: Int) async -> Int in input })),
    ]
    let snapshot = StreamGraph.snapshot()
    for one in all {
        let isThere = snapshot.nodes.contains { $0.fileID == #fileID && $0.line == one.line }
        precondition(isThere, "\(one.what), line \(one.line):\n\(snapshot)")
    }
    // The five signals of an action, and the tails of what the library makes, have no place of their own.
    let lines = Set(all.map(\.line))
    for node in snapshot.nodes where node.fileID != nil {
        precondition(node.fileID == #fileID && lines.contains(node.line ?? 0), "\(node)\n\(snapshot)")
    }
    withExtendedLifetime(all) {}
}

private func checkWrappers() {
    StreamGraph.start()
    struct State {
        static let line = UInt(#line + 1)
        @MutableProperty var count = 0
    }
    let state = State()
    let property = MutableProperty(0)
    precondition(StreamGraph.snapshot().nodes.contains { $0.line == State.line }, "\(StreamGraph.snapshot())")
    property.named("quota")
    let line = UInt(#line - 1)
    let node = StreamGraph.snapshot().nodes.first { $0.name == "quota" }
    precondition(node?.line == line, "\(StreamGraph.snapshot())")
    withExtendedLifetime((state, property)) {}
}

private func checkObservers() {
    StreamGraph.start()
    let (signal, input) = Signal<Int, Never>.pipe()
    let (fallible, fallibleInput) = Signal<Int, Trouble>.pipe()
    signal.named("orders")
    fallible.named("payments")
    let observer = Signal<Int, Never>.Observer { _ in }
    let all: [(UInt, (any Disposable)?)] = [
        (#line, signal.observe(observer)),
        (#line, signal.observe { _ in }),
        (#line, signal.observeNext { _ in }),
        (#line, signal.observeCompleted {}),
        (#line, signal.observeInterrupted {}),
        (#line, signal.observeResult { _ in }),
        (#line, signal.observeIsolated { _ in }),
        (#line, signal.observeResultIsolated { _ in }),
        (#line, signal.observeNextIsolated { _ in }),
        (#line, signal.observe(Signal<Int, Never>.Observer(next: { _ in }))),
    ]
    let others: [(UInt, (any Disposable)?)] = [
        (#line, fallible.observe { _ in }),
        (#line, fallible.observeError { _ in }),
    ]
    // An operator is a node of its own.
    let mapped = signal.map { $0 }
    for round in 0..<all.count {
        let expected = Dictionary(uniqueKeysWithValues: all.dropFirst(round).map { ($0.0, 1) })
        let snapshot = StreamGraph.snapshot()
        precondition(snapshot.observers(of: "orders") == expected, "\(round): \(expected)\n\(snapshot)")
        all[round].1?.dispose()
    }
    precondition(StreamGraph.snapshot().nodes.first { $0.name == "orders" }?.observerPlaces == nil)
    let lines = Dictionary(uniqueKeysWithValues: others.map { ($0.0, 1) })
    precondition(StreamGraph.snapshot().observers(of: "payments") == lines)
    fallibleInput.sendError(Trouble())
    precondition(StreamGraph.snapshot().observers(of: "payments") == [:])
    withExtendedLifetime((signal, mapped, input, others)) {}
}

private func checkCounts() {
    StreamGraph.start()
    let (signal, input) = Signal<Int, Never>.pipe()
    signal.named("orders")
    var many: [(any Disposable)?] = []
    let line = UInt(#line + 1)
    for _ in 0..<1_000 { many.append(signal.observeNext { _ in }) }
    let insideLine = UInt(#line + 2)
    let outside = signal.observeNext { value in
        let inside = signal.observeNext { _ in }
        if value == 1 { inside?.dispose() }
    }
    precondition(StreamGraph.snapshot().observers(of: "orders") == [line: 1_000, insideLine - 1: 1])
    input.sendNext(1)
    precondition(StreamGraph.snapshot().observers(of: "orders") == [line: 1_000, insideLine - 1: 1])
    input.sendNext(2)
    input.sendNext(3)
    for index in 0..<400 { many[index]?.dispose() }
    outside?.dispose()
    let snapshot = StreamGraph.snapshot()
    precondition(snapshot.observers(of: "orders") == [line: 600, insideLine: 2], "\(snapshot)")
    precondition(snapshot.nodes.first { $0.name == "orders" }?.observerPlaces?.first?.count == 600)
    precondition("\(snapshot)".contains("602 observers at \(place(line)) (600) and \(place(insideLine)) (2)"))
    withExtendedLifetime((signal, input)) {}
}

private func checkUnknown() {
    let (before, beforeInput) = Signal<Int, Never>.pipe()
    StreamGraph.start()
    let (signal, input) = Signal<Int, Never>.pipe()
    signal.named("orders")
    before.observeNext { _ in }
    let property = Property(initial: 0, then: signal)
    let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
    let link = action <~ signal
    let count = GraphRegistry.count
    let snapshot = StreamGraph.snapshot()
    precondition(snapshot.nodes.allSatisfy { $0.observerPlaces == nil }, "\(snapshot)")
    // What is disposed of is not shown, even if it is retained. What is released leaves nothing behind.
    var disposed = (0..<100).map { _ in signal.observeNext { _ in } }
    for one in disposed { one?.dispose() }
    precondition(StreamGraph.snapshot().nodes.allSatisfy { $0.observerPlaces == nil })
    precondition(GraphRegistry.count == count + 100)
    disposed = []
    precondition(GraphRegistry.count == count, "\(GraphRegistry.count) instead of \(count)")
    withExtendedLifetime((beforeInput, input, property, action, link)) {}
}

private func checkStarts() async {
    StreamGraph.start()
    let inputs = Locked<[Any]>([])
    let work = SignalProducer<Int, Never> { observer, _ in inputs.withLock { $0.append(observer) } }
    let chain = work.map { $0 }.observe(on: QueueScheduler())
    let (signal, input) = Signal<Int, Never>.pipe()
    let property = MutableProperty(0)
    let action = Action<Int, Int, Never> { _ in work }
    let fallible = SignalProducer<Int, Trouble> { observer, _ in inputs.withLock { $0.append(observer) } }
    let observer = Signal<Int, Never>.Observer { _ in }
    try? await withSignalScope(throwing: Trouble.self) { scope throws(Trouble) in
        let all: [(UInt, Any)] = [
            (#line, work.start()),
            (#line, work.start { _ in }),
            (#line, work.start(observer)),
            (#line, work.startWithNext { _ in }),
            (#line, work.startWithCompleted {}),
            (#line, work.startWithInterrupted {}),
            (#line, work.startWithResult { _ in }),
            (#line, work.startIsolated { _ in }),
            (#line, work.startWithNextIsolated { _ in }),
            (#line, work.startWithResultIsolated { _ in }),
            (#line, work.startWithSignal { signal, _ in signal }),
            (#line, work.startAwaitable { _ in }),
            (#line, work.start(in: scope)),
            (#line, work.startWithNext(in: scope) { _ in }),
            (#line, signal.observe(in: scope) { _ in }),
            (#line, signal.observeNext(in: scope) { _ in }),
            (#line, property.producer.startWithNext { _ in }),
            (#line, property.observeIsolated { _ in }),
            (#line, action.apply(1).start()),
            (#line, fallible.start(in: scope)),
            (#line, fallible.startWithError { _ in }),
            (#line, chain.start()),
            (#line, chain.startWithNext { _ in }),
            (#line, chain.startWithResult { _ in }),
            (#line, chain.startWithSignal { signal, _ in signal }),
            (#line, chain.startIsolated { _ in }),
            (#line, chain.start(in: scope)),
            (#line, work.combineLatest(with: work).start()),
            (#line, work.flatMap(.merge) { SignalProducer(value: $0) }.start()),
            (#line, work.concat(work).startWithNext { _ in }),
        ]
        let snapshot = StreamGraph.snapshot()
        let found = Set(snapshot.nodes.compactMap(\.startPlace))
        for (line, _) in all { precondition(found.contains(place(line)), "line \(line):\n\(snapshot)") }
        precondition(found.count == all.count, "\(found.count) places instead of \(all.count):\n\(snapshot)")
        precondition(snapshot.nodes.allSatisfy { $0.startPlace == nil || $0.kind == .start })
        withExtendedLifetime((all, input, property, action)) {}
        scope.cancelAll()
    }
}

private func checkNamedStarts() {
    StreamGraph.start()
    let kept = Locked<[Any]>([])
    let work = SignalProducer<Int, Never> { observer, _ in kept.withLock { $0.append(observer) } }
    let inner = work.named("inner")
    let innerNamed = UInt(#line - 1)
    let outer = SignalProducer<Int, Never> { observer, _ in
        kept.withLock { $0.append(observer) }
        observer.sendNext(1)
    }
    .flatMap(.merge) { _ in inner }.named("outer")
    let named = UInt(#line - 1)
    let start = outer.start()
    let begun = UInt(#line - 1)
    let snapshot = StreamGraph.snapshot()
    let outerNode = snapshot.nodes.first { $0.name == "outer" }
    precondition(outerNode?.line == named && outerNode?.startPlace == place(begun), "\(snapshot)")
    let innerNode = snapshot.nodes.first { $0.name == "inner" }
    precondition(innerNode?.line == innerNamed && innerNode?.startPlace == nil, "\(snapshot)")
    precondition("\(snapshot)".contains("outer #\(outerNode!.id) (\(place(named)))"), "\(snapshot)")
    precondition("\(snapshot)".contains("started at \(place(begun))"), "\(snapshot)")
    precondition(snapshot.dot.contains("started at \(place(begun))"), snapshot.dot)
    start.dispose()
}

private func checkWaiting() async {
    StreamGraph.start()
    let (signal, input) = Signal<Int, Never>.pipe()
    signal.named("orders")
    let kept = Locked<[Any]>([])
    let work = SignalProducer<Int, Never> { observer, _ in kept.withLock { $0.append(observer) } }
    let tasks = [
        Task { _ = await signal.wait() },
        Task { _ = await work.wait() },
        Task { _ = await work.first() },
        Task { _ = await work.collectAll() },
    ]
    let line = UInt(#line)
    let areThere = await eventually {
        let snapshot = StreamGraph.snapshot()
        let starts = Set(snapshot.nodes.compactMap(\.startPlace?.line))
        return snapshot.observers(of: "orders") == [line - 5: 1] && starts == [line - 4, line - 3, line - 2]
    }
    precondition(areThere, "\(StreamGraph.snapshot())")
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    withExtendedLifetime((signal, input)) {}
}

private func checkBlockedTasks() {
    // On a busy machine, the waits and the delivery may also take so long that there are warnings of them.
    func warnings(in snapshot: StreamGraph.Snapshot) -> [String] {
        snapshot.warnings.filter { $0.kind == .blocksTasks }.map(\.description)
    }
    StreamGraph.start()
    let (signal, input) = Signal<Int, Never>.pipe()
    signal.named("orders")
    let line = UInt(#line - 1)
    let (isInside, mayLeave) = (Latch("the observer is called"), Latch("the observer may return"))
    signal.map { $0 }.observeNext { value in
        guard value == 1 else { return }
        isInside.open()
        mayLeave.wait()
    }
    let first = TestThread("a sender") { input.sendNext(1) }
    isInside.wait()
    // No task yet: the wait of a thread of one's own stops nobody else.
    let thread = TestThread("a sender that waits") { input.sendNext(2) }
    precondition(becomesTrue { StreamGraph.snapshot().waits.count == 1 })
    let begin = GraphRegistry.now
    let without = StreamGraph.snapshot(after: nil, now: begin + 100_000_000)
    precondition(warnings(in: without) == [] && without.waits.count == 1, "\(without)")

    let isSent = Latch("the task has sent")
    // Not on the pool, of whose threads the test itself occupies one.
    Task(executorPreference: DispatchExecutor()) {
        input.sendNext(3)
        isSent.open()
    }
    precondition(becomesTrue { StreamGraph.snapshot().waits.count >= 2 })
    let bothWait = GraphRegistry.now
    let early = StreamGraph.snapshot(after: nil, now: begin)
    precondition(warnings(in: early) == [], "\(early)")
    let late = StreamGraph.snapshot(after: nil, now: GraphRegistry.now + 100_000_000)
    let text = warnings(in: late).first ?? ""
    precondition(warnings(in: late).count == 1, "\(late)")
    precondition(text.contains("waited 1 time to send to orders #") && text.contains("(\(place(line)))"), text)
    precondition(text.hasSuffix("on a scheduler. Look at \(place(line + 3))"), text)

    // The wait counts when it is over, too.
    precondition(becomesTrue { GraphRegistry.now >= bothWait + 20_000_000 })
    mayLeave.open()
    isSent.wait()
    for thread in [first, thread] { thread.join() }
    let over = StreamGraph.snapshot()
    let waits = over.nodes.first { $0.name == "orders" }?.taskWaits
    precondition(over.warnings.map(\.kind) == [.blocksTasks] && over.waits == [], "\(over)")
    precondition(waits?.count == 1 && (waits?.longest ?? .zero) >= .milliseconds(10), "\(over)")
    precondition("\(over)".contains("tasks blocked 1 time for up to "), "\(over)")
    // Only what has happened since a former snapshot.
    precondition(StreamGraph.snapshot(after: over).warnings == [])
    withExtendedLifetime((signal, input)) {}
}

private func checkSuspects() {
    StreamGraph.start()
    let (signal, input) = Signal<Int, Never>.pipe()
    let (isInside, mayLeave) = (Latch("the observer is called"), Latch("the observer may return"))
    let (other, otherInput) = Signal<Int, Never>.pipe()
    other.observeNext { _ in }
    let mapped = signal.named("orders").map { $0 }.filter { _ in true }
    mapped.observeNext { _ in
        isInside.open()
        mayLeave.wait()
    }
    let line = UInt(#line - 4)
    let sender = TestThread("a sender") { input.sendNext(1) }
    isInside.wait()
    let early = StreamGraph.snapshot(after: nil, now: GraphRegistry.now)
    let late = StreamGraph.snapshot(after: early, now: GraphRegistry.now + 2_000_000_000)
    precondition(late.warnings.map(\.kind) == [.deliversLong], "\(late)")
    precondition(late.warnings[0].description.hasSuffix("takes long. Look at \(place(line))"), "\(late)")
    mapped.observeNext { _ in }
    let more = [
        signal.observeNext { _ in },
        signal.observeCompleted {},
        signal.observeInterrupted {},
        signal.observe { _ in },
    ]
    // The event in flight has not let them in yet, but they are known.
    let crowded = StreamGraph.snapshot(after: late, now: GraphRegistry.now + 3_000_000_000)
    precondition(crowded.warnings.map(\.kind) == [.deliversLong], "\(crowded)")
    precondition(crowded.warnings[0].description.hasSuffix(" and others"), "\(crowded)")
    mayLeave.open()
    sender.join()
    precondition(StreamGraph.snapshot().warnings == [])
    withExtendedLifetime((signal, mapped, other, otherInput, more)) {}
}
