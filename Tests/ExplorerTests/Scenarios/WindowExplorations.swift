#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// Windows, which buffer values until they are started.
    @Suite("Windows")
    struct WindowExplorations {
        private typealias Numbers = SignalProducer<Int, TestFailure>

        private func window(starts: Int, disposes: Bool) -> Scenario {
            Scenario("a window of 2 values, \(starts) starts beside the sender\(disposes ? ", a disposal" : "")") {
                trial in
                let (signal, input) = Signal<Int, TestFailure>.pipe()
                let windows = Log<Numbers>()
                let observation = signal.window(count: 2).observe { event in
                    if let window = event.value { windows.note(window) }
                }
                input.sendNext(1)
                let recorded = (0..<starts).map { _ in RecordedStart<Int, TestFailure>(trial) }
                let source = trial.token()
                trial.thread {
                    source.touch()
                    for value in 2...3 { input.sendNext(value) }
                    input.sendCompleted()
                }
                for start in recorded {
                    trial.thread {
                        if let window = windows.entries.first { start.start(window) }
                    }
                }
                if disposes { trial.thread { observation?.dispose() } }
                trial.finally {
                    if starts == 1 { recorded[0].expectStart(of: [1, 2]) }
                    let values = recorded.flatMap(\.recorder.values)
                    for start in recorded { start.recorder.expectOneEnd() }
                    // The first start gets what has been buffered.
                    trial.expect(values.filter { $0 == 1 }.count == 1, "got \(values)")
                    let count = windows.entries.count
                    trial.expect(count == 2 || count == 1 && disposes, "\(count) windows")
                    let ends = recorded.allSatisfy { $0.recorder.end == .completed }
                    trial.expect(ends, "a start has not completed")
                }
            }
        }

        @Test("a window loses nothing if it is started while its values are sent", arguments: [1, 2])
        func starts(count: Int) { exhaust(window(starts: count, disposes: false), preemptions: 1) }

        enum Stream: CaseIterable { case window, group }

        @Test("the source is stopped when neither the result nor a stream is observed", arguments: Stream.allCases)
        func lastUser(kind: Stream) {
            exhaust(
                Scenario("a \(kind) loses its observer, and so does the result") { trial in
                    let source = Source<TestFailure>(trial)
                    let starts = Log<any Disposable>()
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let receive: @Sendable (Numbers) -> Void = { starts.note($0.start(recorder)) }
                    let result =
                        switch kind {
                        case .window: source.producer.window(count: 2).start { $0.value.map(receive) }
                        case .group: source.producer.groupBy { _ in 0 }.start { ($0.value?.producer).map(receive) }
                        }
                    source.send(1)
                    trial.thread { source.send(2) }
                    trial.thread { recorder.cancel(starts.entries.first) }
                    trial.thread { result.dispose() }
                    trial.finally {
                        recorder.expectOneEnd()
                        source.expectCleanups()
                    }
                }, preemptions: 1)
        }

        @Test("a window loses nothing if the result is disposed of meanwhile", arguments: [1, 2])
        func disposal(starts: Int) { exhaust(window(starts: starts, disposes: true), preemptions: 1) }
    }
}
#endif
