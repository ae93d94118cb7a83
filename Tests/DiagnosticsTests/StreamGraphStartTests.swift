import HotSignals
import ReactiveDiagnostics
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

extension StreamGraph.Snapshot {
    fileprivate func named(_ name: String) -> [StreamGraph.Node] { nodes.filter { $0.name == name } }

    fileprivate var starts: [StreamGraph.Node] { nodes.filter { $0.kind == .start } }
}

// In processes of their own, because everything in the process is recorded.
@Suite("StreamGraph and starts", .watched)
struct StreamGraphStartTests {
    @Test("shows starts that have not ended, under the names of their producers, and where these were given")
    func starts() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let inputs = Log<Signal<Int, Never>.Observer>()
            let producer = SignalProducer<Int, Never> { observer, _ in inputs.append(observer) }
            let plain = producer.start()
            let named = producer.named("request")
            let line = UInt(#line)
            let disposable = named.map { $0 }.start()
            let snapshot = StreamGraph.snapshot()
            precondition(snapshot.nodes.count == 2 && snapshot.starts.count == 2, "\(snapshot)")
            precondition(snapshot.named("producer").count == 1 && snapshot.named("request").count == 1, "\(snapshot)")
            let request = snapshot.named("request")[0]
            precondition(request.fileID == #fileID && request.line == line && request.age >= .zero, "\(snapshot)")
            disposable.dispose()
            precondition(StreamGraph.snapshot().nodes.map(\.name) == ["producer"], "\(StreamGraph.snapshot())")
            inputs.all[0].sendCompleted()
            precondition(StreamGraph.snapshot().nodes.isEmpty, "\(StreamGraph.snapshot())")
            inputs.removeAll()
            withExtendedLifetime(plain) {}
        }
    }

    @Test("observes a start by its number")
    func events() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let inputs = Log<Signal<Int, Never>.Observer>()
            let producer = SignalProducer<Int, Never> { observer, _ in inputs.append(observer) }
            let disposable = producer.named("request").map { $0 }.start()
            let request = StreamGraph.snapshot().named("request")
            precondition(request.count == 1, "\(request)")
            let kinds = Log<String>()
            let observation = StreamGraph.observe(request[0].id) { event in
                kinds.append(event.value == nil ? "end" : "value")
            }
            precondition(observation != nil)
            inputs.all[0].sendNext(4)
            disposable.dispose()
            precondition(kinds.all == ["value", "end"], "\(kinds.all)")
            inputs.removeAll()
        }
    }

    @Test("shows a start that sends everything at once only if it has a name")
    func synchronous() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let snapshots = Log<StreamGraph.Snapshot>()
            let numbers = SignalProducer<Int, Never>([1])
            for producer in [numbers, numbers.named("numbers"), numbers.named("inner").map { $0 }.named("outer")] {
                producer.startWithNext { _ in snapshots.append(StreamGraph.snapshot()) }
            }
            let names = snapshots.all.map { $0.nodes.map(\.name) }
            precondition(names == [[], ["numbers"], ["outer"]], "\(names)")
            precondition(StreamGraph.snapshot().nodes.isEmpty)
        }
    }

    @Test("shows inner starts below the starts that have made them, and how many streams wait")
    func inner() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let never = SignalProducer<Int, Never>.never.named("inner")
            let (signal, input) = Signal<Int, Never>.pipe()
            let disposable = signal.named("outer").producer.flatMap(.concat) { _ in never }.start()
            for number in 0..<3 { input.sendNext(number) }
            let snapshot = StreamGraph.snapshot()
            precondition(snapshot.named("inner").count == 1, "\(snapshot)")
            let inner = snapshot.named("inner")[0]
            let result = snapshot.nodes.first { inner.parents.contains($0.id) }
            precondition(result?.kind == .start && result?.name.contains("flatMap") == true, "\(snapshot)")
            let buffer = snapshot.nodes.first { $0.kind == .buffer }
            precondition(buffer?.parents == result.map { [$0.id] }, "\(snapshot)")
            precondition(buffer?.buffer == StreamGraph.BufferState(depth: 2, limit: nil), "\(snapshot)")
            // The start of the signal's producer belongs to the start of the result, and observes the signal.
            let upstream = snapshot.starts.first { $0.id != inner.id && $0.id != result?.id }
            precondition(
                upstream.map { Set($0.parents) }
                    == Set([result?.id, snapshot.named("outer").first?.id].compactMap(\.self)), "\(snapshot)")
            disposable.dispose()
            let after = StreamGraph.snapshot()
            precondition(after.nodes.map(\.name) == ["outer"], "\(after)")
            input.sendCompleted()
            precondition(StreamGraph.snapshot().nodes.isEmpty, "\(StreamGraph.snapshot())")
        }
    }

    @Test("shows the producer that a concat has reached below its start")
    func currentProducer() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let first = SignalProducer<Int, Never>.empty.named("first")
            let second = SignalProducer<Int, Never>.never.named("second")
            let disposable = first.concat(second).named("both").start()
            let snapshot = StreamGraph.snapshot()
            precondition(snapshot.named("both").count == 1 && snapshot.named("first").isEmpty, "\(snapshot)")
            precondition(snapshot.named("second").map(\.parents) == [[snapshot.named("both")[0].id]], "\(snapshot)")
            disposable.dispose()
            precondition(StreamGraph.snapshot().nodes.isEmpty, "\(StreamGraph.snapshot())")
        }
    }

    @Test("a start whose disposable has been released is shown until it ends, and start returns no other object for it")
    func released() async {
        await #expect(processExitsWith: .success) {
            let inputs = Log<Signal<Int, Never>.Observer>()
            let producer = SignalProducer<Int, Never> { observer, _ in inputs.append(observer) }
            let before = producer.start()
            StreamGraph.start()
            var held: (any Disposable)? = producer.named("held").map { $0 }.startWithNext { _ in }
            producer.named("discarded").start()
            let scheduler = TestScheduler()
            SignalProducer<Int, Never>(value: 1).delay(.seconds(1), on: scheduler).named("delayed").start()
            precondition(before is Start && held is Start)
            precondition(held?.isDisposed == false)
            held = nil
            for name in ["held", "discarded", "delayed"] {
                precondition(StreamGraph.snapshot().named(name).count == 1, "\(name) in\n\(StreamGraph.snapshot())")
            }
            scheduler.run()
            for input in inputs.all { input.sendCompleted() }
            precondition(StreamGraph.snapshot().nodes.isEmpty, "\(StreamGraph.snapshot())")
            inputs.removeAll()
            withExtendedLifetime(before) {}
            precondition(GraphRegistry.count == 0, "\(GraphRegistry.count)")
        }
    }

    @Test("a disposable that is released while the start ends or is disposed of leaves nothing behind")
    func releaseRace() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            for round in 0..<raceRounds {
                let inputs = Log<Signal<Int, Never>.Observer>()
                let (end, endInput) = Signal<Void, Never>.pipe()
                let producer = SignalProducer<Int, Never> { observer, _ in inputs.append(observer) }
                let held = Log<any Disposable>()
                held.append(producer.take(until: end.producer).named("raced").start())
                let input = inputs.all[0]
                inputs.removeAll()
                onThreads(2, "raced") { thread in
                    if thread == 0 { return held.removeAll() }
                    if round % 2 == 0 { input.sendCompleted() } else { endInput.sendNext(()) }
                }
                precondition(StreamGraph.snapshot().named("raced").isEmpty, "\(StreamGraph.snapshot())")
                endInput.sendCompleted()
            }
            precondition(GraphRegistry.count == 0, "\(GraphRegistry.count)")
        }
    }

    @Test("a million starts are recorded, shown and forgotten; a tenth without optimization", .notUnderSanitizers)
    func million() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            #if DEBUG
            let count = 100_000
            #else
            let count = 1_000_000
            #endif
            var starts: [any Disposable] = []
            starts.reserveCapacity(count)
            let producer = SignalProducer<Int, Never> { observer, lifetime in
                lifetime.observeEnded { withExtendedLifetime(observer) {} }
            }
            for _ in 0..<count { starts.append(producer.start()) }
            let snapshot = StreamGraph.snapshot()
            precondition(snapshot.nodes.count == count, "\(snapshot.nodes.count)")
            precondition(Set(snapshot.nodes.map(\.id)).count == count)
            for start in starts { start.dispose() }
            starts = []
            precondition(StreamGraph.snapshot().nodes.isEmpty)
            precondition(GraphRegistry.count == 0, "\(GraphRegistry.count)")
        }
    }
}
