#if Explore
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// Chains of more than two starts, which a loop begins here.
    @Suite("The loop of a long chain")
    struct StartLoopExplorations {
        private typealias Numbers = SignalProducer<Int, TestFailure>

        /// A chain of starts that ends with the given one, and comes to the loop.
        private static func long(_ source: Numbers) -> Numbers {
            (0..<3).reduce(source) { result, _ in result.concat(.empty) }
        }

        @Test("two threads begin branches of one chain")
        func branches() {
            expectLinearizable("two branches begin", preemptions: 2) { trial in
                let firsts = (0..<2).map { _ in Source<TestFailure>(trial) }
                let seconds = (0..<2).map { _ in Source<TestFailure>(trial) }
                let recorder = Recorder<Int, TestFailure>(trial)
                let branches = (0..<2).map { firsts[$0].producer.concat(Self.long(seconds[$0].producer)) }
                let start = Self.long(branches[0].merge(with: branches[1])).start(recorder)
                return System(
                    threads: [
                        [{ firsts[0].complete() }, { seconds[0].send(1) }],
                        [{ firsts[1].complete() }, { seconds[1].send(11) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.cancel(start)
                    recorder.expectOneEnd()
                    for source in firsts + seconds { source.expectCleanups() }
                }
            }
        }

        @Test("a start is disposed of while two threads begin branches of it")
        func branchesDisposed() {
            expectLinearizable("two branches begin beside a disposal") { trial in
                let firsts = (0..<2).map { _ in Source<TestFailure>(trial) }
                let seconds = (0..<2).map { number in
                    Source<TestFailure>(trial) { observer, _ in observer.sendNext(number) }
                }
                let recorder = Recorder<Int, TestFailure>(trial)
                let branches = (0..<2).map { firsts[$0].producer.concat(Self.long(seconds[$0].producer)) }
                let start = Self.long(branches[0].merge(with: branches[1])).start(recorder)
                return System(
                    threads: [
                        [{ firsts[0].complete() }], [{ firsts[1].complete() }, { seconds[1].fail(TestFailure()) }],
                        [{ recorder.cancel(start) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    for source in firsts + seconds { source.expectCleanups() }
                }
            }
        }

        @Test("a start is disposed of while a producer that follows begins")
        func disposal() {
            expectLinearizable("a producer that follows begins beside a disposal", preemptions: 2) { trial in
                let first = Source<TestFailure>(trial)
                let second = Source<TestFailure>(trial) { observer, _ in observer.sendNext(1) }
                let recorder = Recorder<Int, TestFailure>(trial)
                let start = Self.long(first.producer.concat(Self.long(second.producer))).start(recorder)
                return System(
                    threads: [
                        [{ first.complete() }, { second.send(2) }],
                        [{ recorder.cancel(start) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    first.expectCleanups()
                    second.expectCleanups()
                }
            }
        }

        @Test("a trigger ends a start while its loop runs")
        func trigger() {
            expectLinearizable("a loop beside a trigger", preemptions: 2, also: ["[] COMPLETED"]) { trial in
                let trigger = Source<Never>(trial)
                let source = Source<TestFailure>(trial) { observer, _ in observer.sendNext(1) }
                let recorder = Recorder<Int, TestFailure>(trial)
                let chain = Self.long(Self.long(source.producer).take(until: trigger.producer.map { _ in }))
                return System(
                    threads: [
                        [{ _ = chain.start(recorder) }, { source.send(2) }, { source.complete() }],
                        [{ trigger.send(0) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    source.expectCleanups()
                    trigger.expectCleanups()
                }
            }
        }

        @Test("a producer ends on another thread before the loop has ended that began it")
        func handover() {
            expectLinearizable("a producer that follows begins beside the loop of the first", preemptions: 2) { trial in
                let first = Source<TestFailure>(trial)
                let second = Source<TestFailure>(trial)
                let recorder = Recorder<Int, TestFailure>(trial)
                let chain = Self.long(Self.long(first.producer).concat(Self.long(second.producer)))
                return System(
                    threads: [
                        [{ _ = chain.start(recorder) }, { second.send(1) }, { second.complete() }],
                        [{ first.complete() }, { second.send(11) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    first.complete()
                    second.complete()
                    recorder.expectOneEnd()
                    first.expectCleanups()
                    second.expectCleanups()
                }
            }
        }

        @Test("an attempt fails on another thread before the loop has ended that began it", arguments: [false, true])
        func attempts(isRepeated: Bool) {
            expectLinearizable(
                "\(isRepeated ? "a round" : "an attempt") begins beside the loop of the former one", preemptions: 2
            ) { trial in
                let source = Source<TestFailure>(trial)
                let recorder = Recorder<Int, TestFailure>(trial)
                let chain = Self.long(source.producer)
                let again = Self.long(isRepeated ? chain.repeat(2) : chain.retry(upTo: 1))
                return System(
                    threads: [
                        [{ _ = again.start(recorder) }, { source.send(1, at: 1) }],
                        [
                            { isRepeated ? source.complete(at: 0) : source.fail(TestFailure(), at: 0) },
                            { source.send(11, at: 1) },
                        ],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    source.complete(at: 0)
                    source.complete(at: 1)
                    recorder.expectOneEnd()
                    source.expectCleanups()
                }
            }
        }
    }
}
#endif
