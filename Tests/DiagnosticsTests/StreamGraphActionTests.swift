import HotSignals
import ReactiveDiagnostics
import ReactiveSignals
import TestSupport
import Testing

// In a process of its own, because everything in the process is recorded.
@Suite("StreamGraph and actions", .watched)
struct StreamGraphActionTests {
    @Test("shows an action as one node, with its executions and those that wait, and its work below it")
    func actions() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            let inputs = Log<Signal<Int, Never>.Observer>()
            let isAllowed = MutableProperty(true).named("allowed")
            let action = Action<Int, Int, Never>(enabledIf: isAllowed, policy: .queue(waiting: 10)) { _ in
                SignalProducer { observer, _ in inputs.append(observer) }
            }
            precondition(action.name == "action")
            action.named("save")
            let line = UInt(#line)
            precondition(action.name == "save")
            let starts = (0..<4).map { action.apply($0).start() }
            let snapshot = StreamGraph.snapshot()
            let save = snapshot.nodes.filter { $0.kind == .action }
            precondition(save.map(\.name) == ["save"] && save[0].line == line, "\(snapshot)")
            precondition(save[0].fileID == #fileID, "\(snapshot)")
            precondition(save[0].executions == StreamGraph.ExecutionState(running: 1, waiting: 3), "\(snapshot)")
            // The property that enables it, and nothing of its own six signals and three properties.
            precondition(snapshot.nodes.allSatisfy { $0.kind != .signal }, "\(snapshot)")
            let properties = snapshot.nodes.filter { $0.kind == .property }.map(\.name)
            precondition(properties.contains("allowed") && !properties.contains("isEnabled"), "\(snapshot)")
            let work = snapshot.nodes.filter { $0.kind == .start && $0.parents == [save[0].id] }
            precondition(work.contains { $0.name == "producer" }, "\(snapshot)")
            action.draining().start()
            let draining = StreamGraph.snapshot().nodes.filter { $0.kind == .property }.map(\.name)
            precondition(Set(draining) == Set(properties), "\(StreamGraph.snapshot())")
            for start in starts { start.dispose() }
            let last = StreamGraph.snapshot().nodes.first { $0.kind == .action }
            precondition(last?.executions == StreamGraph.ExecutionState(running: 0, waiting: 0), "\(snapshot)")
            inputs.removeAll()
        }
    }

    @Test("keeps nothing alive")
    func memory() async {
        await #expect(processExitsWith: .success) {
            StreamGraph.start()
            do {
                let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
                action.apply(1).start()
                action.draining().start()
                precondition(StreamGraph.snapshot().nodes.map(\.kind) == [.action], "\(StreamGraph.snapshot())")
            }
            precondition(GraphRegistry.count == 0, "\(StreamGraph.snapshot())")
        }
    }
}
