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
                    if !disposes {
                        // The first start gets what has been buffered.
                        trial.expect(values.filter { $0 == 1 }.count == 1, "got \(values)")
                        trial.expect(windows.entries.count == 2, "\(windows.entries.count) windows")
                        let ends = recorded.allSatisfy { $0.recorder.end == .completed }
                        trial.expect(ends, "a start has not completed")
                    }
                }
            }
        }

        @Test("a window loses nothing if it is started while its values are sent", arguments: [1, 2])
        func starts(count: Int) { exhaust(window(starts: count, disposes: false), preemptions: 1) }

        @Test("a window ends when the result is disposed of", arguments: [1, 2])
        func disposal(starts: Int) { exhaust(window(starts: starts, disposes: true), preemptions: 1) }
    }
}
#endif
