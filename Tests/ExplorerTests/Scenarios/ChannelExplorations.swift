#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// Channels of two terminals, and the terminals of properties.
    @Suite("Channels")
    struct ChannelExplorations {
        private typealias Channel = SignalChannel<Int, TestFailure>

        enum Third: CaseIterable, Sendable { case completes, fails, disposes, releases }

        @Test("a value reaches the other side once, and both sides have the same end", arguments: Third.allCases)
        func channel(third: Third) {
            expectLinearizable("a channel: a value on each side, a thread \(third)", preemptions: 2) { trial in
                let channel = Held(Channel())
                let recorders = [Recorder<Int, TestFailure>(trial, "leading"), Recorder(trial, "following")]
                let starts = [channel.value?.leading, channel.value?.following].enumerated().map { index, side in
                    side?.producer.start(recorders[index])
                }
                return System(
                    threads: [
                        [{ channel.value?.leading.sendNext(1) }, { channel.value?.leading.sendNext(2) }],
                        [{ channel.value?.following.sendNext(11) }],
                        [
                            {
                                switch third {
                                case .completes: channel.value?.leading.sendCompleted()
                                case .fails: channel.value?.following.sendError(TestFailure())
                                case .disposes: recorders[1].cancel(starts[1])
                                case .releases: channel.value = nil
                                }
                            }
                        ],
                    ],
                    outcome: { recorders.map(\.outcome).joined(separator: ", ") }
                ) {
                    channel.value?.leading.sendInterrupted()
                    channel.value = nil
                    for recorder in recorders { recorder.expectOneEnd() }
                    withExtendedLifetime(starts) {}
                }
            }
        }

        @Test("of two ends that are sent at the same time, both sides receive the same one")
        func ends() {
            exhaust(
                Scenario("a channel: each side ends it, and a start comes") { trial in
                    let channel = Channel()
                    let recorders = (0..<3).map { Recorder<Int, TestFailure>(trial, "observer \($0)") }
                    let starts = Log<any Disposable>()
                    starts.note(channel.leading.producer.start(recorders[0]))
                    starts.note(channel.following.producer.start(recorders[1]))
                    trial.thread { channel.leading.sendError(TestFailure()) }
                    trial.thread { channel.following.sendCompleted() }
                    trial.thread { starts.note(channel.following.producer.start(recorders[2])) }
                    trial.finally {
                        for recorder in recorders {
                            recorder.expectOneEnd()
                            trial.expect(recorder.end == recorders[0].end, "two ends")
                        }
                        withExtendedLifetime(starts) {}
                    }
                })
        }

        @Test("the terminal of a property echoes nothing, and ends with it", arguments: [false, true])
        func terminal(isReleased: Bool) {
            exhaust(
                Scenario("a terminal: a value, a set\(isReleased ? ", a release" : ", an end")") { trial in
                    let property = Held(MutableProperty(0))
                    let terminal = property.value!.channelTerminal
                    let recorder = Recorder<Int, Never>(trial)
                    let start = terminal.producer.start(recorder)
                    trial.thread { terminal.sendNext(1) }
                    trial.thread { property.value?.value = 2 }
                    trial.thread { if isReleased { property.value = nil } else { terminal.sendCompleted() } }
                    trial.finally {
                        if !isReleased {
                            trial.expect([1, 2].contains(property.value?.value), "the property has not been set")
                            property.value = nil
                        }
                        recorder.expectOneEnd()
                        trial.expect([[0], [0, 2]].contains(recorder.values), "got \(recorder.values)")
                        withExtendedLifetime(start) {}
                    }
                }, preemptions: 1)
        }
    }
}
#endif
