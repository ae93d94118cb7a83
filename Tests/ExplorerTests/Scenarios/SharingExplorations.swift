#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Replay and sharing")
    struct SharingExplorations {
        /// A producer that several starts share, with one observer each.
        private struct Parts: Sendable {
            let source: Source<TestFailure>
            let shared: SignalProducer<Int, TestFailure>
            let recorders: [Recorder<Int, TestFailure>]
            let starts: [Held<any Disposable>]

            init(
                _ trial: Trial, _ source: Source<TestFailure>? = nil,
                _ share: (SignalProducer<Int, TestFailure>) -> SignalProducer<Int, TestFailure>
            ) {
                let source = source ?? Source(trial)
                self.source = source
                shared = share(source.producer)
                recorders = (0..<3).map { Recorder(trial, "observer \($0)") }
                starts = (0..<3).map { _ in Held(nil) }
            }

            func start(_ index: Int) { starts[index].value = shared.start(recorders[index]) }

            func dispose(_ index: Int) { recorders[index].cancel(starts[index].value) }

            /// - Parameter startsOnce: Whether the source starts at most once, whatever happens.
            func system(_ trial: Trial, startsOnce: Bool, _ threads: [[@Sendable () -> Void]]) -> System {
                System(threads: threads, outcome: { recorders.map(\.outcome).joined(separator: ", ") }) {
                    for number in 0..<source.starts { source.complete(at: number) }
                    for (recorder, start) in zip(recorders, starts) {
                        if start.value != nil { recorder.expectOneEnd() }
                        start.value = nil
                    }
                    source.expectCleanups()
                    if startsOnce { trial.expect(source.starts <= 1, "\(source.starts) starts") }
                }
            }
        }

        enum End: CaseIterable, Sendable {
            case completes, fails, isReleased

            func happen(to source: Source<TestFailure>) {
                switch self {
                case .completes: source.complete(at: 0)
                case .fails: source.fail(TestFailure(), at: 0)
                case .isReleased: source.release()
                }
            }
        }

        @Test("replayLazily: new starts receive earlier and following values", arguments: [0, 1, Int.max])
        func joining(capacity: Int) {
            expectLinearizable("replayLazily(upTo: \(capacity)): two starts beside a sender") { trial in
                let parts = Parts(trial) { $0.replayLazily(upTo: capacity) }
                let source = parts.source
                parts.start(0)
                source.send(1)
                return parts.system(
                    trial, startsOnce: true,
                    [
                        [{ source.send(2) }, { source.send(3) }, { source.complete() }],
                        [{ parts.start(1) }], [{ parts.start(2) }],
                    ])
            }
        }

        @Test("the first of several starts begins the work", arguments: [false, true])
        func beginning(isObserved: Bool) {
            expectLinearizable("\(isObserved ? "share" : "replayLazily"): the first start", preemptions: 2) { trial in
                let parts = Parts(trial) {
                    isObserved ? $0.share(replay: 1, while: .observed) : $0.replayLazily(upTo: 1)
                }
                let source = parts.source
                return parts.system(
                    trial, startsOnce: true,
                    [[{ parts.start(0) }], [{ parts.start(1) }], [{ source.send(1) }, { source.send(2) }]])
            }
        }

        @Test("replayLazily: starts are disposed of while the source ends", arguments: End.allCases)
        func disposal(end: End) {
            expectLinearizable("replayLazily: starts are disposed of, the source \(end)") { trial in
                let parts = Parts(trial) { $0.replayLazily(upTo: 1) }
                let source = parts.source
                parts.start(0)
                return parts.system(
                    trial, startsOnce: true,
                    [
                        [{ source.send(1) }, { end.happen(to: source) }],
                        [{ parts.start(1) }, { parts.dispose(1) }], [{ parts.dispose(0) }],
                    ])
            }
        }

        @Test("replayLazily: the producer is released while its start is disposed of and the source sends")
        func release() {
            expectLinearizable("replayLazily: the producer is released", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial)
                let shared = Held(source.producer.replayLazily(upTo: 1))
                let recorder = Recorder<Int, TestFailure>(trial)
                let start = shared.value?.start(recorder)
                return System(
                    threads: [
                        [{ source.send(1) }, { source.complete() }], [{ shared.value = nil }],
                        [{ recorder.cancel(start) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    source.expectCleanups()
                }
            }
        }

        @Test("share: the last start is disposed of while another one begins", arguments: [0, 1])
        func leaving(capacity: Int) {
            expectLinearizable("share(replay: \(capacity)): starts leave and come", preemptions: 2) { trial in
                let parts = Parts(trial) { $0.share(replay: capacity, while: .observed) }
                let source = parts.source
                parts.start(0)
                return parts.system(
                    trial, startsOnce: false,
                    [[{ parts.dispose(0) }], [{ parts.start(1) }], [{ source.send(1, at: 0) }]])
            }
        }

        @Test("share: the source ends while starts are disposed of and begin", arguments: End.allCases)
        func ending(end: End) {
            expectLinearizable("share: the source \(end), starts leave and come") { trial in
                let parts = Parts(trial) { $0.share(replay: 1, while: .observed) }
                let source = parts.source
                parts.start(0)
                return parts.system(
                    trial, startsOnce: false,
                    [
                        [{ source.send(1, at: 0) }, { end.happen(to: source) }],
                        [{ parts.start(1) }, { parts.dispose(1) }], [{ parts.start(2) }],
                    ])
            }
        }

        @Test("share: each later start begins a synchronous source again")
        func synchronous() {
            // Two or all starts may share the first run, as a start joins before it begins the work.
            let (ended, running) = ("[] COMPLETED", "[] ")
            let shared = [
                [ended, ended, running], [ended, running, ended], [running, ended, ended], [ended, ended, ended],
            ]
            expectLinearizable(
                "share: a source that ends in its start", preemptions: 2,
                also: Set(shared.map { $0.joined(separator: ", ") })
            ) { trial in
                let source = Source<TestFailure>(trial) { observer, number in
                    if number == 0 { observer.sendCompleted() }
                }
                let parts = Parts(trial, source) { $0.share(replay: 1, while: .observed) }
                return parts.system(
                    trial, startsOnce: false, [[{ parts.start(0) }], [{ parts.start(1) }], [{ parts.start(2) }]])
            }
        }

        @Test("multicast: connects while starts begin and are disposed of")
        func multicast() {
            expectLinearizable("multicast: connect, start and dispose", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial)
                let connection = source.producer.multicast(replay: 1)
                let parts = Parts(trial, source) { _ in connection.producer }
                let connected = Held<any Disposable>(nil)
                return parts.system(
                    trial, startsOnce: true,
                    [
                        [{ connected.value = connection.connect() }, { connected.value?.dispose() }],
                        [{ parts.start(0) }], [{ source.send(1) }, { source.complete() }],
                    ])
            }
        }

        @Test("partition: both streams are started and disposed of on other threads", arguments: [false, true])
        func partition(isDisposed: Bool) {
            expectLinearizable("partition\(isDisposed ? ", disposed of" : "")", preemptions: 2) { trial in
                let source = Source<TestFailure>(trial)
                let (matches, others) = source.producer.partition { $0 > 10 }
                let recorders = (0..<2).map { Recorder<Int, TestFailure>(trial, "observer \($0)") }
                let starts = (0..<2).map { _ in Held<any Disposable>(nil) }
                let start: [@Sendable () -> Void] = [
                    { starts[0].value = matches.start(recorders[0]) }, { starts[1].value = others.start(recorders[1]) },
                ]
                let cancel: @Sendable () -> Void = { recorders[0].cancel(starts[0].value) }
                return System(
                    threads: [
                        [start[0]] + (isDisposed ? [cancel] : []), [start[1]],
                        [{ source.send(1) }, { source.send(11) }],
                    ],
                    outcome: { recorders.map(\.outcome).joined(separator: ", ") }
                ) {
                    for number in 0..<source.starts { source.complete(at: number) }
                    for start in starts { start.value?.dispose() }
                    for recorder in recorders { recorder.expectOneEnd() }
                    source.expectCleanups()
                }
            }
        }

        enum Third: CaseIterable, Sendable { case sends, disposes, fails, releases }

        @Test("groupBy: each value is sent to its group, and the groups end with the start", arguments: Third.allCases)
        func grouping(third: Third) {
            expectLinearizable("groupBy, a thread \(third)") { trial in
                let source = Source<TestFailure>(trial)
                let recorder = Recorder<Int, TestFailure>(trial)
                let start = source.producer.groupBy { $0 / 10 }.flatMap(.merge) { $0.producer }.start(recorder)
                return System(
                    threads: [
                        [{ source.send(1) }, { source.send(12) }],
                        [{ source.send(11) }, { source.complete() }],
                        [
                            {
                                switch third {
                                case .sends: source.send(2)
                                case .disposes: recorder.cancel(start)
                                case .fails: source.fail(TestFailure())
                                case .releases: source.release()
                                }
                            }
                        ],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    source.expectCleanups()
                    withExtendedLifetime(start) {}
                }
            }
        }

        @Test("groupBy: a group is started on other threads while it receives values")
        func startingGroups() {
            expectLinearizable("groupBy: two starts of a group") { trial in
                let source = Source<TestFailure>(trial)
                let group = Held<SignalProducer<Int, TestFailure>>(nil)
                let start = source.producer.groupBy { _ in 0 }.start { event in
                    if let value = event.value { group.value = value.producer }
                }
                source.send(1)
                let recorders = (0..<2).map { Recorder<Int, TestFailure>(trial, "observer \($0)") }
                return System(
                    threads: [
                        [{ source.send(2) }, { source.complete() }],
                        [{ _ = group.value?.start(recorders[0]) }], [{ _ = group.value?.start(recorders[1]) }],
                    ],
                    outcome: { recorders.map(\.outcome).joined(separator: ", ") }
                ) {
                    for recorder in recorders { recorder.expectOneEnd() }
                    source.expectCleanups()
                    group.value = nil
                    withExtendedLifetime(start) {}
                }
            }
        }
    }
}
#endif
