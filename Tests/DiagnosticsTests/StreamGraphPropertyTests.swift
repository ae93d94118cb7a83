import HotSignals
import ReactiveDiagnostics
import ReactiveSignals
import TestSupport
import Testing

// In a process of its own, because everything in the process is recorded.
@Suite("StreamGraph and properties", .watched)
struct StreamGraphPropertyTests {
    @Test("shows properties with what they are derived from, their observers and their changes")
    func properties() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let name = MutableProperty("jane").named("name")
            let line = UInt(#line)
            let age = MutableProperty(30).named("age")
            let constant = Property(value: 1)
            let length = name.map(\.count)
            let both = length.combineLatest(with: age)
            both.signal.observeNext { _ in }
            for value in 31..<34 { age.value = value }
            let snapshot = StreamGraph.snapshot()
            precondition(snapshot.nodes.allSatisfy { $0.kind == .property }, "\(snapshot)")
            let byName = snapshot.nodes.reduce(into: [:]) { $0[$1.name] = $1 }
            precondition(snapshot.nodes.count == 4 && byName.count == 4, "\(snapshot)")
            let (first, second) = (byName["name"], byName["age"])
            precondition(first?.fileID == #fileID && first?.line == line && first?.parents == [], "\(snapshot)")
            precondition(first?.changes == 0 && second?.changes == 3, "\(snapshot)")
            let log = Log<String>()
            precondition(StreamGraph.observe(second?.id ?? 0) { log.append("\($0)") } != nil)
            age.value = 99
            precondition(log.all.count == 1 && log.all[0].contains("99"), "\(log.all)")
            let map = snapshot.nodes.first { $0.parents == [first?.id] }
            precondition(map?.changes == nil, "\(snapshot)")
            let combined = snapshot.nodes.first { $0.parents.count == 2 }
            precondition(combined?.parents == [map?.id, second?.id].compactMap(\.self), "\(snapshot)")
            precondition(combined?.observers == 1 && first?.observers == 0, "\(snapshot)")
            withExtendedLifetime((constant, both)) {}
        }
    }

    @Test("shows what a combination that is older than the graph is derived from")
    func older() async {
        await #expect(processExitsWith: .success) {
            let (name, age) = (MutableProperty("jane"), MutableProperty(30))
            let both = name.combineLatest(with: age)
            StreamGraph.start()
            age.signal.observeNext { _ in }
            both.signal.observeNext { _ in }
            let snapshot = StreamGraph.snapshot()
            let combined = snapshot.nodes.first { $0.name.contains("+combineLatest:") }
            precondition(combined?.parents.isEmpty == false, "\(snapshot)")
            precondition(combined?.name == "+combineLatest: (property, property)", "\(snapshot)")
            withExtendedLifetime((name, age, both)) {}
        }
    }

    @Test("names the thread that waits to change a property while an observer takes long")
    func waiting() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let count = MutableProperty(0).named("count")
            let (isInside, mayLeave) = (Latch("the observer is called"), Latch("the observer may return"))
            count.signal.observeNext { value in
                guard value == 1 else { return }
                isInside.open()
                mayLeave.wait()
            }
            let first = TestThread("a setter") { count.value = 1 }
            isInside.wait()
            let second = TestThread("a setter that waits") { count.value = 2 }
            precondition(becomesTrue { StreamGraph.snapshot().waits.count == 1 })
            let begin = GraphRegistry.now
            let early = StreamGraph.snapshot(after: nil, now: begin)
            let late = StreamGraph.snapshot(after: early, now: begin + 2_000_000_000)
            precondition(Set(late.warnings.map(\.kind)) == [.waitsLong, .deliversLong], "\(late)")
            precondition(late.warnings.allSatisfy { $0.description.contains("count #") }, "\(late)")
            mayLeave.open()
            first.join()
            second.join()
            precondition(StreamGraph.snapshot(after: late).warnings == [])
        }
    }

    @Test("keeps nothing alive, whether it is observed or not")
    func memory() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            do {
                let root = MutableProperty(0)
                let derived = root.map { $0 }.filter(initial: 0) { _ in true }
                derived.signal.observeNext { _ in }
                precondition(StreamGraph.snapshot().nodes.count == 3, "\(StreamGraph.snapshot())")
                root.value = 1
            }
            precondition(GraphRegistry.count == 0, "\(StreamGraph.snapshot())")
        }
    }
}
