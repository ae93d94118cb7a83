#if Explore
import ColdProducers
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Flattening")
    struct FlatteningExplorations {
        @Test("a failure beside the completion of another inner stream is not lost")
        func failure() {
            exhaust(
                Scenario("merge: one inner stream fails, the other completes") { trial in
                    let inputs = (0..<2).map { _ in Held<Signal<Int, TestFailure>.Observer>(nil) }
                    let inner = inputs.map { input in
                        SignalProducer<Int, TestFailure> { [token = trial.token()] observer, lifetime in
                            lifetime.observeEnded { token.touch() }
                            input.value = observer
                        }
                    }
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let start = SignalProducer.merge(inner).start(recorder)
                    trial.thread {
                        inputs[0].value?.sendNext(1)
                        inputs[0].value?.sendError(TestFailure())
                    }
                    trial.thread { inputs[1].value?.sendCompleted() }
                    trial.finally {
                        recorder.expectOneEnd()
                        trial.expect(
                            recorder.end == .error(TestFailure()), "the end is \(String(describing: recorder.end))")
                        start.dispose()
                        for input in inputs { input.value = nil }
                    }
                })
        }
    }
}
#endif
